import type { CommandTable } from './command.ts';

const ONLY_WORKSPACE = 'id or name; may be left out if there is only one';

export const CATALOGUE_COMMANDS = {
  'catalogue list': {
    calls: 'listCatalogue',
    summary: 'list the models that are on sale or were, with their prices and what providers ask',
    takes: { history: { word: '--history', kind: 'flag', initial: false, help: 'former prices and costs, too' } },
    example: '--history',
  },
  'catalogue diff': {
    calls: 'previewCatalogue',
    summary: "compare the running instance's config with the models on sale",
    example: '',
  },
  'catalogue apply': {
    summary: "put the config's models and prices on sale",
    takes: {
      accept: {
        word: '--accept <model...>',
        help: 'models whose price may change more than tenfold, or that may be retired along with most others',
      },
    },
    example: '--accept small-chat',
  },
  'model list': {
    summary: 'list the models that are on sale or were',
    takes: { workspace: { word: '[workspace]', help: ONLY_WORKSPACE } },
    example: 'acme',
  },
  'model show': {
    summary: 'show a model with all prices that a workspace has paid',
    takes: {
      model: { word: '<model>', help: 'its id' },
      workspace: { word: '--workspace <workspace>', help: ONLY_WORKSPACE },
    },
    example: 'small-chat --workspace acme',
  },
  'provider list': {
    calls: 'listProviders',
    summary: 'list providers and routes, and why a route rests',
    example: '',
  },
} as const satisfies CommandTable;
