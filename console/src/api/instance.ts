import { queryOptions } from '@tanstack/react-query';
import type { OperatorTokenCreation } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

const STATUS_MS = 10_000;

export const statusQuery = queryOptions({
  queryKey: ['operator', 'status'],
  queryFn: ({ signal }) => callApi('GET /status', { signal }),
  refetchInterval: STATUS_MS,
});

/** The processes that serve on the database. */
export const processesQuery = queryOptions({
  queryKey: ['operator', 'processes'],
  queryFn: ({ signal }) => callApi('GET /processes', { signal }),
  refetchInterval: STATUS_MS,
});

/** The settings in force; the file may change at any time. */
export const settingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: ({ signal }) => callApi('GET /settings', { signal }),
  refetchInterval: STATUS_MS,
});

/** What the doctor finds; it looks at disks and the database, so it is asked once. */
export const examinationQuery = queryOptions({
  queryKey: ['operator', 'examination'],
  queryFn: ({ signal }) => callApi('GET /doctor', { signal }),
  staleTime: 300_000,
});

export const operatorTokensQuery = pagedQuery(['operator', 'tokens'], ({ signal, cursor }) =>
  callApi('GET /operator-tokens', { signal, query: { cursor } }),
);

export const createOperatorToken = (body: OperatorTokenCreation) => callApi('POST /operator-tokens', { body });

export const revokeOperatorToken = (token: string) => callApi('POST /operator-tokens/{token}/revoke', { token });
