import type { QueryOf } from '../../../src/control/admin/operation-contract.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { addressOfApi, callApi } from './client.ts';

/** Stretches of time by which usage and requests are looked at; by days and months of UTC, or up to now. */
export const PERIODS = ['today', 'yesterday', '24h', '7d', '30d', '90d', 'former-month'] as const;
export type Period = (typeof PERIODS)[number];

/** A question about usage. */
export type UsageQuestion = QueryOf<'showUsage'>;

/** Usage with the query that it answers: while the next answer loads, the previous one stays, labelled correctly. */
export interface AnsweredUsage<Question extends UsageQuestion> {
  readonly question: Question;
  readonly usage: UsageJson;
}

export const usageQuery = <Question extends UsageQuestion>(workspace: string, question: Question) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'usage', 'asked', question],
    queryFn: async ({ signal }): Promise<AnsweredUsage<Question>> => {
      return {
        question,
        usage: await callApi('GET /workspaces/{workspace}/usage', { workspace, signal, query: question }),
      };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

const NAMED_MAX = 200;

/** The projects, keys or models that were used in a time, the most expensive first. Live updates do not make it stale. */
export const usedNamesQuery = (
  workspace: string,
  of: 'project' | 'key' | 'model',
  time: Pick<UsageQuestion, 'from' | 'to'>,
) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'used-names', of, time],
    queryFn: async ({ signal }): Promise<UsageJson['groups']> => {
      const query = { ...time, group_by: of, limit: NAMED_MAX };
      return (await callApi('GET /workspaces/{workspace}/usage', { workspace, signal, query })).groups;
    },
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });

/** Where the same usage is downloaded as CSV: a line for each group in each bucket. */
export function usageFile(workspace: string, question: UsageQuestion): string {
  const { limit: _limit, compare: _compare, latency: _latency, ...exported } = question;
  return addressOfApi('GET /workspaces/{workspace}/usage/export', { workspace, query: exported });
}
