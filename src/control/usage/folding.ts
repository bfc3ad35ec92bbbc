import { assert } from '../../lib/assert.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql, SqlRunner, TransactionOptions } from '../../lib/sql.ts';
import { addTo, ALL_TABLES, countedHours, noteLastUses } from './bucket-tables.ts';
import { weekBounds } from './weeks.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';

// Receipts are counted in buckets, each exactly once, some seconds after they were settled. What is counted is a snapshot:
// the receipts that it shows, by the transactions that settled them. Counting goes on by a later snapshot and adds what
// that one shows and the former did not, in one transaction with the record of it. So a receipt whose transaction commits
// late is counted when it has, and nothing needs to be remembered of a settlement but its transaction's number.

/** Held for moments by every transaction that changes buckets; correct_receipt has the same number. */
const BUCKETS_LOCK = 4_611_220_105_103_825n;

/** SQL for the server that gives transactions their numbers. */
export const SERVER = '(select system_identifier from pg_control_system())';

/** SQL for the first id of receipts that aren't sealed. */
export const SEALED_TO = `coalesce(
  (select up_to from sealed_partitions order by up_to desc limit 1), '00000000-0000-0000-0000-000000000000')`;

/** What a transaction that reads or writes buckets needs: tables are found by index, whatever is known of them. */
export const BUCKET_LIMITS = {
  statementMsMax: 60_000,
  settings: { enable_seqscan: 0, jit: 0 },
} as const satisfies TransactionOptions;

/** How many transactions a slice looks at, and how many receipts it is to count at most. */
interface SliceSizes {
  readonly xidsFirst: number;
  readonly xidsMax: number;
  readonly receiptsMax: number;
}

const SIZES: SliceSizes = { xidsFirst: 2_000, xidsMax: 1_000_000, receiptsMax: 10_000 };

/** SQL for whether a receipt's partition isn't sealed. */
const UNSEALED = `request_id >= ${SEALED_TO}`;

/**
 * SQL for the receipts that a snapshot does not show, out of those of partitions that aren't sealed, or of others. The
 * conditions on the bytes of the number are those that the index knows.
 */
export function receiptsAfter(snapshot: string, among = UNSEALED): string {
  return `(
    select * from receipts where ${among}
      and xid8send(settled_xid) >= (select xid8send(pg_snapshot_xmax(${snapshot})))
    union all
    select * from receipts where ${among} and xid8send(settled_xid) = any (array(
      select xid8send(running) from pg_snapshot_xip(${snapshot}) as running
    ))
  )`;
}

const COUNT = `
  with hours as materialized (
    ${countedHours(`(select * from ${receiptsAfter('$1::pg_snapshot')} later where pg_visible_in_snapshot(settled_xid, $2::pg_snapshot))`, '$3')}
  ), ${ALL_TABLES.map((table) => `${table}_added as (${addTo(table, 'hours')})`).join(', ')},
  uses_noted as (${noteLastUses('hours')})
  select coalesce(sum(requests), 0)::bigint as receipts from hours`;

/**
 * SQL for the snapshot after one in a table's row: the present one, without what has more than $1 transactions more. It has the
 * columns of `NextSnapshot`.
 */
export function snapshotAfter(column: string, table: string): string {
  return `
    select former::text, (last = pg_snapshot_xmax(now)) as "isAll",
      format('%s:%s:%s', least(pg_snapshot_xmin(now)::text::numeric, last::text::numeric), last, (
        select string_agg(running::text, ',' order by running) from pg_snapshot_xip(now) as running where running < last
      )) as next
    from (
      select ${column} as former, now,
        least(pg_snapshot_xmax(now)::text::numeric, pg_snapshot_xmax(${column})::text::numeric + $1)::text::xid8 as last
      from ${table}, pg_current_snapshot() as now
    ) bounded`;
}

const NEXT = snapshotAfter(
  'folded',
  `(select folded from usage_folding where server = ${SERVER} and unbuilt = '{}') counted`,
);

export interface NextSnapshot {
  readonly former: string;
  readonly next: string;
  /** Whether it is the present one. */
  readonly isAll: boolean;
}

/** Takes the turn of changing buckets until the transaction ends. */
export async function takeBuckets(tx: SqlRunner): Promise<void> {
  await takeTransactionLock(tx, BUCKETS_LOCK);
}

interface FoldedSlice {
  readonly receipts: bigint;
  /** Whether nothing is left to count. */
  readonly isAll: boolean;
}

export interface FoldingParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly nowMs: () => number;
}

/** Counts receipts in slices for one process. Any number of processes may do so: each finds what others have left. */
export class UsageFolding {
  readonly #sql: Sql;
  readonly #pacer: Pick<Pacer, 'slice'>;
  readonly #nowMs: () => number;
  readonly #sizes: SliceSizes;
  #xids: number;

  constructor({ sql, pacer, nowMs }: FoldingParts, sizes = SIZES) {
    this.#sql = sql;
    this.#pacer = pacer;
    this.#nowMs = nowMs;
    this.#sizes = sizes;
    this.#xids = sizes.xidsFirst;
  }

  /** Counts all receipts that are settled by now. Resolves with false if buckets are to be made first. */
  async fold(): Promise<boolean> {
    const { xidsMax, receiptsMax } = this.#sizes;
    for (;;) {
      const slice = await this.#pacer.slice(() => foldSlice(this.#sql, this.#xids, this.#nowMs()));
      if (slice === null) return false;
      if (slice.receipts > receiptsMax) this.#xids = Math.max(1, this.#xids >> 1);
      else if (slice.receipts < receiptsMax / 4) this.#xids = Math.min(xidsMax, this.#xids * 2);
      if (slice.isAll) return true;
    }
  }
}

/** Counts the receipts of so many transactions, in one transaction. Null if buckets are to be made first. */
async function foldSlice(sql: Sql, xids: number, nowMs: number): Promise<FoldedSlice | null> {
  return await sql.transaction(async (tx) => {
    await takeBuckets(tx);
    const [bounds] = await tx.query<NextSnapshot>(NEXT, [xids]);
    if (bounds === undefined) return null;
    const { former, next, isAll } = bounds;
    if (former === next) return { receipts: 0n, isAll };
    const [counted] = await tx.query<{ receipts: bigint }>(COUNT, [former, next, weekBounds(nowMs)]);
    assert(counted !== undefined, 'a count has one row');
    await tx.query('update usage_folding set folded = $1::pg_snapshot', [next]);
    return { receipts: counted.receipts, isAll };
  }, BUCKET_LIMITS);
}
