import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { HomeFiguresJson, OverviewJson } from '../../../src/control/admin/accounts/overview-contract.ts';
import { callApi } from './client.ts';

// What asks for attention in a workspace and, in the same answer, the figures of its home page. Each figure is a query of its own,
// because they are read again at different times; while the answer is on
// its way for the first time, they wait for it.

/** What changes without an event is read again this often. */
export const AGAIN_MS = 60_000;

/** The keys of the figures' queries. What is below "usage" becomes stale with each request that is charged. */
export const figureKeys = (workspace: string) =>
  ({
    workspace: ['workspace', workspace],
    receipts: ['workspace', workspace, 'receipts', 'latest'],
    days: ['workspace', workspace, 'usage', 'home', 'days'],
    last_day: ['workspace', workspace, 'usage', 'home', 'last day'],
    last_month: ['workspace', workspace, 'last-month'],
  }) as const satisfies Record<keyof HomeFiguresJson, readonly string[]>;

/** Figures that change with the clock, too. */
const BY_CLOCK = ['days', 'last_day', 'last_month'] as const;

export const overviewQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'attention'],
    queryFn: async ({ client, signal }): Promise<OverviewJson> => {
      const query = { figures: 'true' } as const;
      const overview = await callApi('GET /workspaces/{workspace}/overview', { workspace, signal, query });
      const keys = figureKeys(workspace);
      for (const name of BY_CLOCK) {
        const figure = overview.figures?.[name] ?? null;
        if (figure !== null) client.setQueryData(keys[name], figure);
      }
      return overview;
    },
    refetchInterval: AGAIN_MS,
  });

/** The figures that have waited for an overview. */
const waited = new WeakMap<QueryClient, Set<string>>();

/**
 * A figure out of the overview that is on its way for the first time; null: it is not, or has no such figure. A figure waits once:
 * if it is read again before then, something has happened that the overview may not have seen.
 */
export async function figureOnItsWay<Name extends keyof HomeFiguresJson>(
  client: QueryClient,
  workspace: string,
  name: Name,
): Promise<HomeFiguresJson[Name] | null> {
  const query = overviewQuery(workspace);
  const state = client.getQueryState(query.queryKey);
  if (state?.fetchStatus !== 'fetching' || state.data !== undefined) return null;
  const known = waited.get(client) ?? new Set();
  waited.set(client, known);
  const figure = `${workspace} ${name}`;
  if (known.has(figure)) return null;
  known.add(figure);
  const overview = await client.query(query).catch(() => null);
  return overview?.figures?.[name] ?? null;
}
