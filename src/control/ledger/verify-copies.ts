import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { emptyWorkingTables } from './receipt-slices.ts';
import { SEALED_TO } from './seals.ts';
import { COPY_COSTS, COUNTED_RECEIPTS } from './verify-costs.ts';

// Copies data of a proof's snapshot to its working tables. These are unlogged rather than temporary tables, since
// nothing here relies on a session. Each proof has an id, so that a proof that has lost its turn can't add to the sums
// of the next.

const TABLES = 'proof_totals, proof_workspaces, proof_purses, proof_sealed_totals, proof_corrections';

/**
 * Charges begin with the totals that replace sealed receipts and receipts older than the purse. What a workspace that lives in
 * another cell has left here is compared, and no part of the sums.
 */
const COPIES = [
  `insert into proof_workspaces (id, is_here, credit_nano_usd, charges_nano_usd, balance_nano_usd, owed_nano_usd)
   with posted as (
     select workspace_id, sum(amount_nano_usd) as credit from ledger_entries where account = 'credit' group by workspace_id
   ), sealed as (
     select workspace_id, sum(charge_nano_usd) as charges from partition_totals
     join purses on purses.id = purse_id and kind = 'credit' group by workspace_id
   ), leased as (select purse_id, sum(charged_nano_usd) as charged from leases group by purse_id)
   select workspaces.id, workspaces.moved_to is null, coalesce(posted.credit, 0), coalesce(sealed.charges, 0),
     coalesce(limit_nano_usd - spent_nano_usd - owed_nano_usd - coalesce(leased.charged, 0), 0),
     coalesce(owed_nano_usd, 0)
   from workspaces
   left join posted on posted.workspace_id = workspaces.id
   left join sealed on sealed.workspace_id = workspaces.id
   left join purses on purses.workspace_id = workspaces.id and purses.kind = 'credit'
   left join leased on leased.purse_id = purses.id`,
  `insert into proof_purses (id, workspace_id, kind, subject_id, charges_nano_usd, spent_nano_usd)
   with sealed as (select purse_id, sum(charge_nano_usd) as charges from partition_totals group by purse_id),
   leased as (select purse_id, sum(charged_nano_usd) as charged from leases group by purse_id)
   select id, workspace_id, kind, subject_id, opening_nano_usd + coalesce(sealed.charges, 0),
     spent_nano_usd + coalesce(leased.charged, 0)
   from purses
   left join sealed on sealed.purse_id = purses.id
   left join leased on leased.purse_id = purses.id`,
  `insert into proof_sealed_totals (partition, purse_id, sealed_nano_usd, counted_nano_usd)
   select partition, purse_id, charge_nano_usd, 0 from partition_totals
   join sealed_partitions on name = partition where dropped_at is null`,
  `insert into proof_corrections (workspace_id, request_id, given_nano_usd)
   select postings.workspace_id, receipt_request_id, coalesce(sum(amount_nano_usd), 0)
   from ledger_postings postings
   left join ledger_entries on posting_id = postings.id and account in ('credit', 'owed')
   where receipt_request_id is not null group by postings.workspace_id, receipt_request_id`,
];

const TOTALS = `
  insert into proof_totals (proof_id, postings, receipts, write_offs_nano_usd)
  with elsewhere as (
    select coalesce(sum(sealed_receipts), 0) as receipts, coalesce(sum(sealed_write_off_nano_usd), 0) as write_offs,
      (select count(*) from ledger_postings join workspaces on workspaces.id = workspace_id and moved_to is not null) as postings
    from workspace_moves join workspaces on workspaces.id = workspace_id and moved_to is not null
    where state in ('moved', 'ended')
  )
  select $1, (select count(*) from ledger_postings) - (select postings from elsewhere),
    coalesce(sum(receipts), 0) - (select receipts from elsewhere),
    coalesce(sum(write_off_nano_usd), 0) - (select write_offs from elsewhere)
  from sealed_partitions`;

/** Empties the working tables. Called before the transaction takes its snapshot. */
export async function clearCopies(tx: SqlRunner): Promise<void> {
  await emptyWorkingTables(tx, TABLES);
}

/** Which receipts are sealed, and which are counted in usage. */
export interface ReceiptBounds {
  /** The first id of unsealed receipts. */
  readonly sealedTo: string;
  /** The snapshot of the receipts that are in buckets; null until all were counted once. */
  readonly counted: string | null;
}

/** Fills the working tables. */
export async function copyLedger(tx: SqlRunner, proofId: string): Promise<ReceiptBounds> {
  for (const copy of [...COPIES, COPY_COSTS]) await tx.query(copy);
  await tx.query(TOTALS, [proofId]);
  const [bounds] = await tx.query<ReceiptBounds>(
    `select ${SEALED_TO}::text as "sealedTo", (${COUNTED_RECEIPTS}) as counted`,
  );
  assert(bounds !== undefined, 'a statement without a table has one row');
  return bounds;
}

/** Updates statistics: without them PostgreSQL underestimates the rows and scans all of them for each slice. */
export async function analyzeCopies(sql: SqlRunner): Promise<void> {
  await sql.query(`analyze ${TABLES}`);
}
