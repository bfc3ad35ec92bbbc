import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { isUuid, leastUuid7At } from '../../lib/uuid7.ts';
import { pruneBriefPurses } from './brief-purses.ts';
import { EACH_LASTING_PURSE } from './receipt-purses.ts';
import { reserveReceiptLayout } from './receipt-layout.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';

// Old receipts may be dropped once their totals are stored. Sealing a partition stores its totals of each purse, which
// from then on replace it in every proof, and closes it to new rows. Only sealed partitions may be dropped. The oldest
// is sealed first, so that one id separates sealed receipts from the rest.

/** The sealed and the dropped partitions, by name. */
export interface SealResult {
  readonly sealed: readonly string[];
  readonly dropped: readonly string[];
}

export interface SealRequest {
  readonly before: Date;
  readonly drop: boolean;
  readonly nowMs: number;
  /** Counts all settled receipts in the buckets of usage. */
  readonly countUsage: () => Promise<void>;
}

interface Partition {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly isSealed: boolean;
}

/** SQL for the first id of receipts that aren't sealed. */
export const SEALED_TO = `coalesce(
  (select up_to from sealed_partitions order by up_to desc limit 1), '00000000-0000-0000-0000-000000000000')`;

const DAY_MS = 86_400_000;
/** By this age every bounded window is over, and every journal has been replayed. */
const AGE_DAYS_MIN = 35;
const SEAL_LOCK = 4_611_220_105_103_822n;
/** One statement counts all receipts of a partition. */
const STATEMENT_MS_MAX = 1_800_000;
const RETRY_AFTER_MS = 60_000;

const PARTITIONS = `
  with bounds as (
    select c.relname::text as name, regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('(.+)'\\) TO \\('(.+)'\\)$$)
      as bound
    from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'receipts'::regclass
  )
  select name, bound[1] as "from", bound[2] as "to",
    exists (select from sealed_partitions where sealed_partitions.name = bounds.name) as "isSealed"
  from bounds where bound is not null and bound[2] <= $1 order by bound[2]`;

const TOTALS = (table: string): string => `
  insert into partition_totals (partition, purse_id, receipts, charge_nano_usd)
  select $1, purse_id, count(*), sum(charge_nano_usd)
  from ${table} ${EACH_LASTING_PURSE}
  group by purse_id`;

const SEAL = (table: string): string => `
  insert into sealed_partitions (name, from_id, up_to, receipts, write_off_nano_usd)
  select $1, $2::uuid, $3::uuid, count(*), coalesce(sum(write_off_nano_usd), 0) from ${table}`;

/** Has a row if the buckets of usage are complete. */
const BUCKETS = `
  select from usage_folding
  where unbuilt = '{}' and server = (select system_identifier from pg_control_system())`;

/** Has a row if, besides, all receipts of a partition are in them. */
const COUNTED = (table: string): string => `${BUCKETS} and not exists (
    select from ${table} where settled_xid is not null and not pg_visible_in_snapshot(settled_xid, folded)
  )`;

/**
 * Seals every partition that ended before the given day, and with `drop` drops the sealed ones. Refused if the day is
 * too recent, if the default partition has receipts as old, while a proof or a backup reads receipts, and until all
 * receipts were counted for usage; partitions that were sealed before the refusal stay sealed.
 */
export async function sealReceipts(
  sql: Sql,
  { before, drop, nowMs, countUsage }: SealRequest,
): Promise<SealResult | Refusal> {
  if (before.getTime() > nowMs - AGE_DAYS_MIN * DAY_MS) {
    const message = `Only receipts that are at least ${AGE_DAYS_MIN} days old can be sealed: give an earlier day.`;
    return refuse('INVALID_REQUEST', message, { param: 'before' });
  }
  const sealing: { sealed: string[]; dropped: string[] } = { sealed: [], dropped: [] };
  await countUsage();
  // What they have spent is proven by receipts, which are about to be closed.
  await pruneBriefPurses(sql);
  for (const partition of await oldPartitions(sql, before)) {
    const sealed = await inItsTurn(sql, (tx) => seal(tx, partition));
    if (sealed === null) return receiptsAreRead();
    if (sealed === 'uncounted') return usageIsCounted();
    if (sealed === 'strays') {
      const message = `Receipts as old as those of ${partition.name} are in the default partition, so it cannot be sealed.`;
      return refuse('INVALID_REQUEST', message);
    }
    if (!partition.isSealed) sealing.sealed.push(partition.name);
    if (!drop) continue;
    const dropped = await dropSealedReceipts(sql, partition.name);
    if (isRefusal(dropped)) return dropped;
    if (dropped) sealing.dropped.push(partition.name);
  }
  return sealing;
}

/**
 * Drops the receipts of a sealed partition. False if they don't add up to its totals. Refused while a proof or a backup reads
 * receipts, and while usage is counted from them.
 */
export async function dropSealedReceipts(sql: Sql, name: string): Promise<boolean | Refusal> {
  const dropped = await inItsTurn(sql, (tx) => dropSealed(tx, name));
  if (dropped === null) return receiptsAreRead();
  return dropped === 'uncounted' ? usageIsCounted() : dropped;
}

/** Null if a proof or a backup reads receipts. */
async function inItsTurn<Result>(sql: Sql, work: (tx: SqlRunner) => Promise<Result>): Promise<Result | null> {
  return await sql.transaction(
    async (tx) => {
      await takeTransactionLock(tx, SEAL_LOCK);
      return (await reserveReceiptLayout(tx)) ? await work(tx) : null;
    },
    { statementMsMax: STATEMENT_MS_MAX, settings: { lock_timeout: 5_000 } },
  );
}

function receiptsAreRead(): Refusal {
  const message = 'A proof of the ledger or a backup is reading the receipts: try again when it has ended.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}

function usageIsCounted(): Refusal {
  const message = 'Usage is being counted from the receipts: seal them when it has ended.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}

async function oldPartitions(sql: SqlRunner, before: Date): Promise<readonly Partition[]> {
  return await sql.query<Partition>(PARTITIONS, [leastUuid7At(before.getTime())]);
}

/**
 * Seals one partition, or closes a sealed one again. Not if the default partition has receipts of its age, or if some are
 * not counted for usage.
 */
async function seal(tx: SqlRunner, { name, from, to }: Partition): Promise<'sealed' | 'strays' | 'uncounted'> {
  assert(/^\w+$/.test(name) && isUuid(to), 'partitions have the names and bounds that this program gives them');
  await tx.query(`lock table ${name} in share row exclusive mode`);
  const strays = await tx.query('select from receipts_default where request_id < $1::uuid limit 1', [to]);
  if (strays.length > 0) return 'strays';
  const known = await tx.query('select from sealed_partitions where name = $1', [name]);
  if (known.length === 0) {
    if ((await tx.query(COUNTED(name))).length === 0) return 'uncounted';
    await tx.query(SEAL(name), [name, from, to]);
    await tx.query(TOTALS(name), [name]);
  }
  await closePartition(tx, name);
  return 'sealed';
}

/** From here on the database rejects rows of the partition's age in every partition. */
async function closePartition(tx: SqlRunner, name: string): Promise<void> {
  await tx.query(`create or replace trigger receipts_sealed before insert or update or delete on ${name}
    for each row execute function receipts_are_sealed()`);
  await tx.query('alter table receipts_default drop constraint if exists receipts_default_not_sealed');
  const [last] = await tx.query<{ upTo: string }>(`select ${SEALED_TO} as "upTo"`);
  assert(isUuid(last?.upTo ?? ''), 'a partition was sealed');
  await tx.query(`alter table receipts_default add constraint receipts_default_not_sealed
    check (request_id >= '${last?.upTo}'::uuid)`);
}

/** Drops a sealed partition if its rows still match its totals and no buckets of usage are being made from them. */
async function dropSealed(tx: SqlRunner, name: string): Promise<boolean | 'uncounted'> {
  const [counted] = await tx.query<{ same: boolean }>(
    `select not exists (
       (select purse_id, count(*), sum(charge_nano_usd)::numeric from ${name} ${EACH_LASTING_PURSE}
        group by purse_id)
       except select purse_id, receipts, charge_nano_usd from partition_totals where partition = $1
     ) and (select count(*) from ${name}) = (select receipts from sealed_partitions where name = $1) as same`,
    [name],
  );
  if (counted?.same !== true) return false;
  // Locks of partitions come before the note that their buckets are to be made.
  await tx.query(`lock table ${name} in access exclusive mode`);
  if ((await tx.query(BUCKETS)).length === 0) return 'uncounted';
  await tx.query(`drop table ${name}`);
  await tx.query('update sealed_partitions set dropped_at = now() where name = $1', [name]);
  return true;
}
