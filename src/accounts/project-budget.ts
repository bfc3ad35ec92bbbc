import type { NanoUsd } from '../domain/money.ts';
import { windowAt, type Period } from '../domain/window.ts';
import { assert } from '../lib/assert.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { leastUuid7At } from '../lib/uuid7.ts';
import { recordChange } from './changes.ts';

// A project's budget reaches the purse of the window that runs now, which is what holds are placed against.

interface Budget {
  readonly workspaceId: string;
  readonly projectId: string;
  /** Null: unlimited. */
  readonly limit: NanoUsd | null;
  readonly period: Period;
}

/** A request's id is older than its admission by less than this, so receipts of a window can be sought by id. */
const ID_AGE_MS_MAX = 3_600_000;

// The purse is written first, limit and all, because that locks it: a draw that would open it waits, and what it has
// spent stands still while it is compared with the receipts.
const SET_LIMIT = `
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd)
  values ($1, 'project', $2, $3, $4, $5, $6)
  on conflict (workspace_id, kind, subject_id, period, window_start)
    do update set limit_nano_usd = excluded.limit_nano_usd
  returning id`;

// What the purse lacks of its window's receipts was charged to the purse of another period. Corrections count on both
// sides: what a receipt's purse was given back is lacking nowhere. Receipts
// that were dropped are counted by their sealed totals; only windows without an end reach so far back.
const COUNT_WINDOW = `
  with window_receipts as (
    select receipts.workspace_id, request_id, charge_nano_usd from receipts
    join purses purse on purse.id = $1
    where receipts.workspace_id = purse.workspace_id and receipts.project_id = purse.subject_id
      and receipts.request_id >= $2::uuid and receipts.admitted_at >= purse.window_start
      and (purse.window_end is null or receipts.admitted_at < purse.window_end)
  )
  update purses
  set opening_nano_usd = opening_nano_usd + lacking.amount, spent_nano_usd = spent_nano_usd + lacking.amount
  from (
    select greatest(0, charged.amount + dropped.amount - corrections.amount
      - (purse.spent_nano_usd - purse.corrected_nano_usd) - leased.amount) as amount
    from purses purse
    cross join (select coalesce(sum(charge_nano_usd), 0)::bigint as amount from window_receipts) charged
    cross join lateral (
      select coalesce(sum(total.charge_nano_usd), 0)::bigint as amount from partition_totals total
      join sealed_partitions on sealed_partitions.name = total.partition and dropped_at is not null
      join purses other on other.id = total.purse_id and other.kind = 'project' and other.subject_id = purse.subject_id
      where purse.window_end is null
    ) dropped
    cross join (
      select coalesce(sum(entry.amount_nano_usd), 0)::bigint as amount from window_receipts
      join ledger_postings posting using (workspace_id)
      join ledger_entries entry on entry.posting_id = posting.id and entry.account in ('credit', 'owed')
      where posting.receipt_request_id = window_receipts.request_id
    ) corrections
    cross join lateral (
      select coalesce(sum(charged_nano_usd), 0)::bigint as amount from leases where purse_id = purse.id
    ) leased
    where purse.id = $1
  ) lacking
  where purses.id = $1 and lacking.amount > 0`;

/**
 * Sets the limit of the project's current window, by the database's clock, and brings that window's spending up to its
 * receipts. Runs in the transaction that changes the project. Requests in flight charge the purse that admitted them.
 */
export async function applyBudget(tx: SqlRunner, { workspaceId, projectId, limit, period }: Budget): Promise<void> {
  const [clock] = await tx.query<{ now: Date }>('select clock_timestamp() as now');
  assert(clock !== undefined, 'the database tells the time');
  const window = windowAt(period, clock.now.getTime());
  const [purse] = await tx.query<{ id: bigint }>(SET_LIMIT, [
    workspaceId,
    projectId,
    period,
    new Date(window.startMs),
    window.endMs === null ? null : new Date(window.endMs),
    limit,
  ]);
  assert(purse !== undefined, 'an upsert answers with its row');
  await tx.query(COUNT_WINDOW, [purse.id, leastUuid7At(window.startMs - ID_AGE_MS_MAX)]);
  await recordChange(tx, 'purse', purse.id.toString());
}
