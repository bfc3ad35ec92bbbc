import type { QueryOf } from '../../../src/control/admin/operation-contract.ts';
import { queryOptions, skipToken } from '@tanstack/react-query';
import type { LiveEvent } from '../../../src/control/admin/live/live-contract.ts';
import { addDays, dayOf, startOf } from '../format/day.ts';
import { callApi } from './client.ts';

// What the home page shows of a workspace.

const LATEST = 5;
const DAYS = 30;
const HOUR_MS = 3_600_000;
/** What changes without an event is read again this often. */
const AGAIN_MS = 60_000;

/** The newest receipts. */
export const latestReceiptsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'receipts', 'latest'],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/receipts', { workspace, signal, query: { limit: LATEST } }),
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

/** A query of usage in a time range that moves with the clock. Live updates make what is below "usage" stale. */
const usageByClock = (workspace: string, key: readonly string[], queryAt: (nowMs: number) => QueryOf<'showUsage'>) =>
  queryOptions({
    queryKey: ['workspace', workspace, ...key],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/usage', { workspace, signal, query: queryAt(Date.now()) }),
    refetchInterval: AGAIN_MS,
  });

const monthStart = (nowMs: number): Date => startOf(`${dayOf(new Date(nowMs)).slice(0, 7)}-01`);

/** The last 30 days and the whole of this month, by days. */
export const daysQuery = (workspace: string) =>
  usageByClock(workspace, ['usage', 'home', 'days'], (nowMs) => {
    const firstMs = startOf(addDays(dayOf(new Date(nowMs)), 1 - DAYS)).getTime();
    return { from: new Date(Math.min(firstMs, monthStart(nowMs).getTime())).toISOString(), bucket: 'day' };
  });

/** Last month, as far as this one has come. No request of now is in it. */
export const lastMonthQuery = (workspace: string) =>
  usageByClock(workspace, ['last-month'], (nowMs) => {
    const thisMs = monthStart(nowMs).getTime();
    const fromMs = monthStart(thisMs - 1).getTime();
    const hours = Math.floor((nowMs - thisMs) / HOUR_MS) + 1;
    const toMs = Math.min(thisMs, fromMs + hours * HOUR_MS);
    return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  });

/** The present hour and the 23 before it, with durations. */
export const lastDayQuery = (workspace: string) =>
  usageByClock(workspace, ['usage', 'home', 'last day'], (nowMs) => {
    const hour = Math.floor(nowMs / HOUR_MS);
    return { from: new Date((hour - 23) * HOUR_MS).toISOString(), latency: 'true' };
  });

/** What asks for attention. */
export const overviewQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'attention'],
    queryFn: ({ signal }) => callApi('GET /workspaces/{workspace}/overview', { workspace, signal }),
    refetchInterval: AGAIN_MS,
  });

/** What is wrong with the instance, for its operators. */
export const statusQuery = queryOptions({
  queryKey: ['instance', 'status'],
  queryFn: ({ signal }) => callApi('GET /status', { signal }),
  refetchInterval: AGAIN_MS,
});
