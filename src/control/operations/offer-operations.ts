import type { Operation } from './operation.ts';

export const OFFER_OPERATIONS = {
  showOffer: {
    route: 'GET /offer',
    access: 'operator:read',
    tag: 'Catalogue',
    summary: 'Show the providers and models that the config file and the database declare',
  },
  storeProvider: {
    route: 'PUT /offer/providers/{provider}',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: 'Declare a provider in the database, or change one there',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  deleteProvider: {
    route: 'DELETE /offer/providers/{provider}',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: 'Remove a provider from the database',
    isVersioned: true,
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  probeProvider: {
    route: 'POST /offer/providers/{provider}/probe',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: 'Ask a provider for its models, and propose those whose price is known',
    refuses: ['NOT_FOUND'],
  },
  storeModel: {
    route: 'PUT /offer/models/{model}',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: 'Declare a model in the database, or change one there',
    isVersioned: true,
    refuses: ['CONFLICT'],
  },
  deleteModel: {
    route: 'DELETE /offer/models/{model}',
    access: 'operator:write',
    tag: 'Catalogue',
    summary: 'Remove a model from the database',
    isVersioned: true,
    refuses: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
