import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ExaminationJson, ProcessesJson, SettingsJson, StatusJson } from '../../../src/control/admin/contract.ts';
import type {
  CreatedOperatorTokenJson,
  OperatorTokenCreation,
  OperatorTokenJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

const STATUS_MS = 10_000;

export const statusQuery = queryOptions({
  queryKey: ['operator', 'status'],
  queryFn: ({ signal }) => callApi<StatusJson>('GET', '/status', { signal }),
  refetchInterval: STATUS_MS,
});

/** The processes that serve on the database. */
export const processesQuery = queryOptions({
  queryKey: ['operator', 'processes'],
  queryFn: ({ signal }) => callApi<ProcessesJson>('GET', '/processes', { signal }),
  refetchInterval: STATUS_MS,
});

/** The settings in force; the file may change at any time. */
export const settingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: ({ signal }) => callApi<SettingsJson>('GET', '/settings', { signal }),
  refetchInterval: STATUS_MS,
});

/** What the doctor finds; it looks at disks and the database, so it is asked once. */
export const examinationQuery = queryOptions({
  queryKey: ['operator', 'examination'],
  queryFn: ({ signal }) => callApi<ExaminationJson>('GET', '/doctor', { signal }),
  staleTime: 300_000,
});

export const operatorTokensQuery = infiniteQueryOptions({
  queryKey: ['operator', 'tokens'],
  queryFn: ({ signal, pageParam }) =>
    callApi<Page<OperatorTokenJson>>('GET', '/operator-tokens', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const createOperatorToken = (body: OperatorTokenCreation) =>
  callApi<CreatedOperatorTokenJson>('POST', '/operator-tokens', { body });

export const revokeOperatorToken = (token: string) =>
  callApi<OperatorTokenJson>('POST', pathOf`/operator-tokens/${token}/revoke`);
