import { queryOptions } from '@tanstack/react-query';
import type { CatalogueApplication } from '../../../src/control/admin/contract.ts';
import { callApi } from './client.ts';

/** All models that are on sale or were, at list prices, with what providers ask, now and formerly. */
export const catalogueQuery = queryOptions({
  queryKey: ['operator', 'catalogue', 'models'],
  queryFn: ({ signal }) => callApi('GET /catalogue/models', { signal, query: { history: true } }),
});

/** What the config file says and is not on sale. */
export const catalogueDiffQuery = queryOptions({
  queryKey: ['operator', 'catalogue', 'diff'],
  queryFn: ({ signal }) => callApi('GET /catalogue/diff', { signal }),
});

export const applyCatalogue = (body: CatalogueApplication) => callApi('POST /catalogue/apply', { body });
