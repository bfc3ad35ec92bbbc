import { SEALED_TO } from './seals.ts';

// The checks of usage, made in the snapshot of a proof: buckets and the receipts that are not counted yet, against purses,
// whose sums other checks compare with receipts. Buckets are described in src/control/usage/. Nothing is compared until all
// receipts were counted once.

/** No rows unless all receipts were counted on this server: buckets of another's may be missing. */
export const COUNTED = `
  counted as materialized (
    select folded from usage_folding
    where unbuilt = '{}' and server = (select system_identifier from pg_control_system())
  )`;

/** Buckets of dropped receipts may be missing: they may have been dropped before usage was counted. */
const DROPPED = `
  dropped as materialized (
    select name, from_id, up_to,
      (('x' || translate(left(from_id::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000 as week
    from sealed_partitions where dropped_at is not null
  )`;

/** The conditions on the bytes of a transaction's number are those that the index of receipts knows. */
const UNCOUNTED = `
  uncounted as (
    select workspace_id, charge_nano_usd from receipts
    where xid8send(settled_xid) >= (select xid8send(pg_snapshot_xmax(folded)) from counted)
      and request_id >= ${SEALED_TO}
    union all
    select workspace_id, charge_nano_usd from receipts
    where xid8send(settled_xid) = any (array(
        select xid8send(running) from counted cross join pg_snapshot_xip(folded) as running))
      and request_id >= ${SEALED_TO}
  )`;

/** Compares the sums of two tables of buckets by workspace. */
const sameSums = (table: string, other: string, column: string): string => `
  with ${COUNTED}, sums as (
    select workspace_id, sum(one) as one, sum(another) as another from (
      select workspace_id, ${column} as one, 0 as another from ${table}
      union all select workspace_id, 0, ${column} from ${other}
    ) both_tables group by workspace_id
  )
  select workspace_id, workspace_id::text as subject_id, one as expected, another as actual from sums, counted`;

export const USAGE_CHECKS = {
  /** Of a workspace: charges in hours and of receipts that aren't counted yet = charges of its credit purse. */
  usage_charges: `
    with ${COUNTED}, ${DROPPED}, ${UNCOUNTED}, parts as (
      select workspace_id, charge_nano_usd from usage_hours where week not in (select week from dropped)
      union all select workspace_id, charge_nano_usd from uncounted
      union all select workspace_id, charge_nano_usd from partition_totals
        join dropped on name = partition join purses on purses.id = purse_id and kind = 'credit'
    ), sums as (select workspace_id, sum(charge_nano_usd) as charges from parts group by workspace_id),
    leased as (select purse_id, sum(charged_nano_usd) as charged from leases group by purse_id)
    select purses.workspace_id, purses.workspace_id::text as subject_id, spent_nano_usd + coalesce(charged, 0) as expected,
      coalesce(charges, 0) as actual
    from counted cross join purses left join leased on purse_id = purses.id
    left join sums on sums.workspace_id = purses.workspace_id where kind = 'credit'`,
  /** Of a workspace: corrections in hours = corrections of receipts that were not dropped. */
  usage_corrections: `
    with ${COUNTED}, ${DROPPED}, sums as (
      select workspace_id, sum(given) as given, sum(corrected) as corrected from (
        select workspace_id, amount_nano_usd as given, 0 as corrected from postings
        where receipt_request_id is not null
          and not exists (select from dropped where receipt_request_id >= from_id and receipt_request_id < up_to)
        union all
        select workspace_id, 0, corrected_nano_usd from usage_hours where week not in (select week from dropped)
      ) parts group by workspace_id
    )
    select workspace_id, workspace_id::text as subject_id, given as expected, corrected as actual from sums, counted`,
  /** Of a workspace: charges by day = charges by hour. */
  usage_days: sameSums('usage_hours', 'usage_days', 'charge_nano_usd - corrected_nano_usd'),
  /** Of a workspace: requests by day = requests by hour. */
  usage_day_requests: sameSums('usage_hours', 'usage_days', 'requests'),
  /** Of a workspace: costs by day = costs by hour. */
  usage_day_costs: sameSums('usage_hours', 'usage_days', 'cost_nano_usd'),
  /** Of a workspace: charges by key and month = charges by day. */
  usage_keys: sameSums('usage_days', 'usage_key_months', 'charge_nano_usd - corrected_nano_usd'),
  /** Of a workspace: requests by key and month = requests by day. */
  usage_key_requests: sameSums('usage_days', 'usage_key_months', 'requests'),
  /** Of a workspace: costs by key and month = costs by day. */
  usage_key_costs: sameSums('usage_days', 'usage_key_months', 'cost_nano_usd'),
  /** Of a workspace: charges by member and day = charges by day. */
  usage_members: sameSums('usage_days', 'usage_member_days', 'charge_nano_usd - corrected_nano_usd'),
  /** Of a workspace: requests by member and day = requests by day. */
  usage_member_requests: sameSums('usage_days', 'usage_member_days', 'requests'),
  /** Of a workspace: costs by member and day = costs by day. */
  usage_member_costs: sameSums('usage_days', 'usage_member_days', 'cost_nano_usd'),
} as const;
