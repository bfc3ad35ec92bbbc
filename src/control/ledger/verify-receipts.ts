import { BRIEF_DAYS } from './brief-purses.ts';
import { RECEIPT_CHECKS } from './verify-checks.ts';
import { EACH_LASTING_PURSE, EACH_PURSE } from './receipt-purses.ts';
import { SLICE_COST } from './verify-costs.ts';
import { type DifferenceRow, DIFFERENCES_MAX } from './verify-differences.ts';

// The statement for a slice of receipts: it adds their charges to the working tables of the proof, and checks each
// receipt. A slice is committed completely or not at all, and never sent twice.

/** About 4,000 receipts, which take about 20 ms. */
export const PAGES_PER_SLICE = 256;

/** The differences found in a slice. */
export interface SliceFindings {
  readonly count: bigint;
  readonly differences: readonly DifferenceRow[];
}

/** Of a receipt: the purses of its end user and session can't have been pruned yet. */
const IS_RECENT = `request_id >= (rpad(
          lpad(to_hex((extract(epoch from now() - interval '${BRIEF_DAYS} days') * 1000)::bigint), 12, '0'), 32, '0'))::uuid`;

const COMPARISONS = Object.entries(RECEIPT_CHECKS)
  .map(
    ([check, query]) => `select '${check}' as check_name, compared.* from (${query}) compared where expected <> actual`,
  )
  .join(' union all ');

/**
 * Builds the statement. $4 is the id of the proof, $5 the first id of unsealed receipts, $6 the snapshot
 * of those that are in buckets of usage, null until all were counted once.
 */
export function sliceStatement(receipts: string, partition: string): string {
  return `
    with slice as materialized (
      select workspace_id, request_id, project_id, key_id, credit_purse_id, project_purse_id, key_purse_id, member_purse_id,
        end_user_purse_id, session_purse_id, charge_nano_usd, hold_nano_usd, write_off_nano_usd, provider_cost.cost_nano_usd
      from ${receipts} receipts ${SLICE_COST} where exists (select from proof_totals where proof_id = $4)
    ), callers as materialized (
      select workspace_id, project_id, key_id, credit_purse_id, project_purse_id, key_purse_id, member_purse_id,
        end_user_purse_id, session_purse_id, request_id >= $5 as is_open, bool_or(${IS_RECENT}) as is_recent, count(*) as receipts, sum(charge_nano_usd) as charges,
        sum(write_off_nano_usd) as write_offs, sum(cost_nano_usd) as costs, count(cost_nano_usd) as costed
      from slice group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ), purses as (
      update proof_purses set charges_nano_usd = charges_nano_usd + charges from (
        select purse_id, sum(charges) as charges from callers ${EACH_PURSE} where is_open group by purse_id
      ) charged where id = purse_id
    ), workspaces as (
      update proof_workspaces set charges_nano_usd = charges_nano_usd + charges, cost_nano_usd = cost_nano_usd + costs,
        costed_requests = costed_requests + costed
      from (
        select workspace_id, coalesce(sum(charges) filter (where is_open), 0) as charges,
          coalesce(sum(costs), 0) as costs, sum(costed) as costed
        from callers group by workspace_id
      ) charged where id = workspace_id
    ), sealed as (
      insert into proof_sealed_totals as known (partition, purse_id, sealed_nano_usd, counted_nano_usd)
      select '${partition}', purse_id, 0, sum(charges) from callers ${EACH_LASTING_PURSE} where not is_open group by purse_id
      on conflict (partition, purse_id) do update set counted_nano_usd = known.counted_nano_usd + excluded.counted_nano_usd
    ), totals as (
      update proof_totals known set receipts = known.receipts + counted.receipts,
        write_offs_nano_usd = known.write_offs_nano_usd + counted.write_offs
      from (
        select coalesce(sum(receipts), 0) as receipts, coalesce(sum(write_offs), 0) as write_offs
        from callers where is_open and workspace_id not in (select id from proof_workspaces where not is_here)
      ) counted where proof_id = $4
    ), differences as (${COMPARISONS})
    select (select count(*) from differences) as count, coalesce(jsonb_agg(jsonb_build_object('check', check_name,
      'workspaceId', workspace_id, 'subjectId', subject_id, 'expected', expected::text, 'actual', actual::text)), '[]')
      as differences
    from (select * from differences limit ${DIFFERENCES_MAX}) named`;
}
