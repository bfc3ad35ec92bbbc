import type { Operation } from './operation.ts';

export const CATALOGUE_OPERATIONS = {
  listModels: {
    route: 'GET /workspaces/{workspace}/models',
    access: 'models:read',
    tag: 'Catalogue',
    summary: 'List the models that are on sale or were, at the prices that a workspace pays',
  },
  showModel: {
    route: 'GET /workspaces/{workspace}/models/{model}',
    access: 'models:read',
    tag: 'Catalogue',
    summary: 'Show a model with all prices that a workspace has paid',
  },
  listCatalogue: {
    route: 'GET /catalogue/models',
    access: 'operator:read',
    tag: 'Catalogue',
    summary: 'List the models that are on sale or were, at list prices, and what their providers ask',
  },
  listPriceAdjustments: {
    route: 'GET /workspaces/{workspace}/prices',
    access: 'models:read',
    tag: 'Catalogue',
    summary: "List by how much a workspace's prices differ from the list, now and formerly",
  },
  adjustPrices: {
    route: 'POST /workspaces/{workspace}/prices',
    access: 'prices:write',
    tag: 'Catalogue',
    summary: 'Give a workspace a discount or a mark-up on a model or on all models, or end it',
  },
  listProviders: {
    route: 'GET /providers',
    access: 'operator:read',
    tag: 'Catalogue',
    summary: 'List the providers and their routes, and which of them answer',
  },
} as const satisfies Readonly<Record<string, Operation>>;
