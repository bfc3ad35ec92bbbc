import type { QueryOf } from '../../../src/control/admin/operation-contract.ts';
import { queryOptions, skipToken } from '@tanstack/react-query';
import type { LiveEvent } from '../../../src/control/admin/live/live-contract.ts';
import { homeDays, lastDay, lastMonthSoFar } from '../../../src/domain/home-stretches.ts';
import { callApi } from './client.ts';
import { AGAIN_MS, figureKeys, figureOnItsWay } from './overview.ts';

// What the home page shows of a workspace.

const LATEST = 5;

/** The newest receipts. */
export const latestReceiptsQuery = (workspace: string) =>
  queryOptions({
    queryKey: figureKeys(workspace).receipts,
    queryFn: async ({ client, signal }) =>
      (await figureOnItsWay(client, workspace, 'receipts')) ??
      (await callApi('GET /workspaces/{workspace}/receipts', { workspace, signal, query: { limit: LATEST } })),
  });

/** The refusal that came last. */
export const lastRefusalQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'refusals', 'last'],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/refusals', { workspace, signal, query: { limit: 1 } }),
  });

/** One key that works, if there is any. */
export const anyKeyQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'keys', 'any'],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/keys', { workspace, signal, query: { limit: 1, state: 'active' } }),
  });

type LastRequest = Extract<LiveEvent, { readonly name: 'request' }>['data'];

/** The request that was charged last. Live updates bring it; it is never asked for. */
export const lastRequestQuery = (workspace: string) =>
  queryOptions<LastRequest>({ queryKey: ['workspace', workspace, 'last-request'], queryFn: skipToken });

type UsageFigure = 'days' | 'last_day' | 'last_month';

/** Usage in a time that moves with the clock. The overview brings it at first and from time to time. */
const usageByClock = (workspace: string, name: UsageFigure, queryAt: (nowMs: number) => QueryOf<'showUsage'>) =>
  queryOptions({
    queryKey: figureKeys(workspace)[name],
    queryFn: async ({ client, signal }) =>
      (await figureOnItsWay(client, workspace, name)) ??
      (await callApi('GET /workspaces/{workspace}/usage', { workspace, signal, query: queryAt(Date.now()) })),
  });

/** The last 30 days and the whole of this month, by days. */
export const daysQuery = (workspace: string) =>
  usageByClock(workspace, 'days', (nowMs) => ({ ...homeDays(nowMs), bucket: 'day' }));

/** Last month, as far as this one has come. No request of now is in it. */
export const lastMonthQuery = (workspace: string) => usageByClock(workspace, 'last_month', lastMonthSoFar);

/** The present hour and the 23 before it, with durations. */
export const lastDayQuery = (workspace: string) =>
  usageByClock(workspace, 'last_day', (nowMs) => ({ ...lastDay(nowMs), latency: 'true' }));

/** What is wrong with the instance, for its operators. */
export const statusQuery = queryOptions({
  queryKey: ['instance', 'status'],
  queryFn: ({ signal }) => callApi('GET /status', { signal }),
  refetchInterval: AGAIN_MS,
});
