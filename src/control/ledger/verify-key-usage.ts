import { COUNTED } from './verify-usage.ts';

// The checks of usage by key. These tables may have as many rows as there are receipts, so they are compared with each other
// by stretches of time, each in a statement of its own: all buckets of a receipt change in one transaction, so every moment
// shows them equal. What keys used by month is compared with the rest of the books in verify-usage.ts.

export const KEY_USAGE_COMPARISONS = [
  /** Of a workspace: what keys used by hour, in a week = the same by day. */
  {
    check: 'usage_key_hours',
    requests: 'usage_key_hour_requests',
    costs: 'usage_key_hour_costs',
    one: 'usage_key_days',
    other: 'usage_key_hours',
    stretch: '7 days',
  },
  /** Of a workspace: what keys used by day, in a month = the same by month. */
  {
    check: 'usage_key_days',
    requests: 'usage_key_day_requests',
    costs: 'usage_key_day_costs',
    one: 'usage_key_months',
    other: 'usage_key_days',
    stretch: '1 month',
  },
] as const;

type Comparison = (typeof KEY_USAGE_COMPARISONS)[number];
export type KeyUsageCheck = Comparison['check' | 'requests' | 'costs'];

/** The starts of stretches, from the first bucket of any workspace to the last. Months begin with the first of a month. */
export const STRETCHES = `
  select generate_series(date_trunc('month', min(first), 'UTC') at time zone 'UTC', max(last) at time zone 'UTC', $1::interval)
    at time zone 'UTC' as "from"
  from workspaces cross join lateral (
    select min(starts_at) as first, max(starts_at) as last from (
      (select starts_at from usage_key_hours where workspace_id = workspaces.id order by starts_at limit 1)
      union all (select starts_at from usage_key_hours where workspace_id = workspaces.id order by starts_at desc limit 1)
      union all (select starts_at from usage_key_days where workspace_id = workspaces.id order by starts_at limit 1)
      union all (select starts_at from usage_key_days where workspace_id = workspaces.id order by starts_at desc limit 1)
      union all (select starts_at from usage_key_months where workspace_id = workspaces.id order by starts_at limit 1)
      union all (select starts_at from usage_key_months where workspace_id = workspaces.id order by starts_at desc limit 1)
    ) ends
  ) bounds`;

/** SQL for the differences of the stretch that begins at $1. */
export function comparisonOf({ check, requests, costs, one, other, stretch }: Comparison): string {
  const within = `starts_at >= $1::timestamptz and starts_at < ($1::timestamptz at time zone 'UTC' + interval '${stretch}') at time zone 'UTC'`;
  return `
    with ${COUNTED}, buckets as (
      select workspace_id, charge_nano_usd - corrected_nano_usd as net, requests, cost_nano_usd as cost,
        0 as other_net, 0 as other_requests, 0 as other_cost
      from ${one} where ${within}
      union all
      select workspace_id, 0, 0, 0, charge_nano_usd - corrected_nano_usd, requests, cost_nano_usd from ${other} where ${within}
    ), sums as materialized (
      select workspace_id, sum(net) as net, sum(requests) as requests, sum(cost) as cost, sum(other_net) as other_net,
        sum(other_requests) as other_requests, sum(other_cost) as other_cost
      from buckets group by workspace_id
    ), comparisons as (
      select '${check}' as "check", workspace_id, net as expected, other_net as actual from sums
      union all select '${requests}', workspace_id, requests, other_requests from sums
      union all select '${costs}', workspace_id, cost, other_cost from sums
    )
    select "check", workspace_id as "workspaceId", workspace_id::text as "subjectId", expected::text, actual::text,
      count(*) over () as count
    from comparisons, counted where expected <> actual order by workspace_id limit $2`;
}
