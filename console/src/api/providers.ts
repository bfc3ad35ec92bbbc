import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

/** The providers and their routes, as they are now. Each page decides how often it is read again. */
export const providersQuery = queryOptions({
  queryKey: ['operator', 'providers'],
  queryFn: ({ signal }) => callApi('GET /providers', { signal }),
});
