import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addDays, dayOf, startOf } from '../format/day.ts';
import type { MarginPeriod } from './choices.ts';
import { callApi } from './client.ts';

// What workspaces brought and what their requests cost: for operators alone.

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const MODELS_MAX = 200;

interface MarginBounds {
  readonly from: string;
  readonly to?: string;
}

/** The bounds of a period for the API, in whole days of UTC; a current period has no end. */
export function periodBounds(period: MarginPeriod, nowMs: number): MarginBounds {
  const today = dayOf(new Date(nowMs));
  const monthStart = `${today.slice(0, 7)}-01`;
  if (period === 'month') return { from: startOf(monthStart).toISOString() };
  if (period === 'former-month') {
    const before = `${addDays(monthStart, -1).slice(0, 7)}-01`;
    return { from: startOf(before).toISOString(), to: startOf(monthStart).toISOString() };
  }
  return { from: startOf(addDays(today, 1 - DAYS[period])).toISOString() };
}

/** The margins of some workspaces, by their ids. */
export const workspaceMarginsQuery = (workspaces: readonly string[], bounds: MarginBounds) => {
  const ids = workspaces.join(',');
  return queryOptions({
    queryKey: ['operator', 'margins', bounds, ids],
    queryFn: ({ signal }) =>
      callApi('GET /usage', {
        signal,
        query: { ...bounds, group_by: 'workspace', workspaces: ids, limit: workspaces.length },
      }),
    enabled: workspaces.length > 0,
    staleTime: 60_000,
  });
};

/** The margins of a workspace by model. */
export const modelMarginsQuery = (workspace: string, bounds: MarginBounds) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'usage', 'margins', bounds],
    queryFn: ({ signal }) =>
      callApi('GET /workspaces/{workspace}/usage', {
        workspace,
        signal,
        query: { ...bounds, group_by: 'model', limit: MODELS_MAX },
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
