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
  'offer show': {
    calls: 'showOffer',
    summary: 'show the providers and models that the config file and the database declare',
    example: '',
  },
  'offer print': {
    summary: 'print what the database declares, as a part of a config file',
    example: '',
  },
  'offer store': {
    summary: 'store the providers and models of a file in the database',
    description:
      'Reads "providers" and "models" of a file in the form of the config file, and stores them in the database, where all instances find them. Keys are encrypted there. Variables in the file are those of this command.',
    takes: { file: { word: '<file>' } },
    example: 'openai.yaml',
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
  'provider probe': {
    calls: 'probeProvider',
    summary: 'list the models that a provider has, and what those cost whose price is known',
    takes: { provider: { word: '<provider>', help: 'its name' } },
    example: 'openai',
  },
  'provider remove': {
    calls: 'deleteProvider',
    summary: 'remove a provider from the database',
    takes: { provider: { word: '<provider>', help: 'its name' } },
    isConfirmed: true,
    example: 'openai',
  },
  'model remove': {
    calls: 'deleteModel',
    summary: 'remove a model from the database, which takes it off sale',
    takes: { model: { word: '<model>', help: 'its id' } },
    isConfirmed: true,
    example: 'small-chat',
  },
} as const satisfies CommandTable;
