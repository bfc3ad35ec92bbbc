import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { MOVED_TABLES, rowsOf } from './moved-tables.ts';

// What is counted of a workspace in both cells before it is spent in the other one: the amounts by which its ledger is proven, and
// how many rows there are of each kind. They are equal to the nano-USD, or the workspace goes back.

/** Amounts and numbers as digits, by what they are of. */
export type Figures = Readonly<Record<string, string | null>>;

/** Tables whose rows are not compared: those that other workspaces share, or that may change while it is paused. */
const NOT_COUNTED = new Set([
  'receipts',
  'price_versions',
  'audit_redactions',
  'alerts',
  'alert_watches',
  'refusals',
  'unrecorded_refusals',
  'idempotent_requests',
  'stored_responses',
  'stored_response_items',
  'creations',
  'free_answers',
  'purses',
]);

const COUNTS = MOVED_TABLES.filter(({ table, account }) => account === undefined && !NOT_COUNTED.has(table)).map(
  (moved) => `'${moved.table}', (select count(*)::text from ${moved.table} where ${rowsOf(moved)})`,
);

const FIGURES = `
  select jsonb_build_object(
    'credit', (select (limit_nano_usd)::text from purses where workspace_id = $1 and kind = 'credit'),
    'owed', (select owed_nano_usd::text from purses where workspace_id = $1 and kind = 'credit'),
    'posted', (
      select coalesce(sum(amount_nano_usd), 0)::text from ledger_entries where workspace_id = $1 and account = 'credit'
    ),
    'posted_owed', (
      select coalesce(sum(amount_nano_usd), 0)::text from ledger_entries where workspace_id = $1 and account = 'owed'
    ),
    'spent', (
      select jsonb_object_agg(kind, amount)::text from (
        select kind, sum(spent_nano_usd + coalesce(charged, 0))::text as amount
        from purses left join (
          select purse_id, sum(charged_nano_usd) as charged from leases group by purse_id
        ) leased on purse_id = purses.id
        where workspace_id = $1 and kind not in ('end_user', 'session') group by kind
        having sum(spent_nano_usd + coalesce(charged, 0)) <> 0 order by kind
      ) kinds
    ),
    ${COUNTS.join(', ')}
  ) as figures`;

/** What is counted of receipts, as digits: most of it before the workspace is paused. */
export interface ReceiptSums {
  readonly receipts: string;
  readonly charges: string;
  readonly writeOffs: string;
}

/** The figures of a workspace that nothing changes, with those of its receipts. @throws DatabaseUnavailable */
export async function readFigures(
  sql: SqlRunner,
  workspaceId: string,
  { receipts, charges, writeOffs }: ReceiptSums,
): Promise<Figures> {
  const [row] = await sql.query<{ figures: Figures }>(FIGURES, [workspaceId]);
  assert(row !== undefined, 'figures are one row');
  return { ...row.figures, receipts, charges, write_offs: writeOffs };
}

/** How many rows there are of what ends in the course of things, by table. */
export type EndingCounts = Readonly<Record<string, number>>;

const ENDING = MOVED_TABLES.filter(({ ends }) => ends === true).map(
  (moved) => `(select count(*)::int4 from ${moved.table} where ${rowsOf(moved)}) as ${moved.table}`,
);

export async function countEnding(sql: SqlRunner, workspaceId: string): Promise<EndingCounts> {
  const [counts] = await sql.query<EndingCounts>(`select ${ENDING.join(', ')}`, [workspaceId]);
  assert(counts !== undefined, 'counts are one row');
  return { ...counts };
}

/** The names of the figures that differ. */
export function differing(one: Figures, other: Figures): readonly string[] {
  return Object.keys({ ...one, ...other })
    .filter((name) => one[name] !== other[name])
    .toSorted();
}
