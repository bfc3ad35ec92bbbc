import { randomUUID } from 'node:crypto';
import type { NanoUsd } from '../../domain/money.ts';
import { DatabaseUnavailable, type SqlRunner, UNHURRIED } from '../../lib/sql.ts';
import { compareAuditEvents } from './compare-audit-events.ts';
import { compareKeyUsage } from './compare-key-usage.ts';
import { takeReadersTurn } from './receipt-layout.ts';
import { readSlices, type ReceiptSnapshot, type SliceParts, snapshotOfReceipts } from './receipt-slices.ts';
import { SNAPSHOT_CHECKS, SUM_CHECKS } from './verify-checks.ts';
import { analyzeCopies, clearCopies, copyLedger, type ReceiptBounds } from './verify-copies.ts';
import { COST_CHECKS } from './verify-costs.ts';
import { type DifferenceRow, Differences, DIFFERENCES_MAX, type LedgerDifference } from './verify-differences.ts';
import { PAGES_PER_SLICE, type SliceFindings, sliceStatement } from './verify-receipts.ts';
import { USAGE_CHECKS } from './verify-usage.ts';

// The proof that no money was made or lost, as of one moment, and no audit event changed. It relies on no stored total that
// it can compute: charges come from receipts, credit from ledger entries. One short transaction reads everything except
// receipts; these follow in slices, without holding a snapshot. The database computes the sums in bounded memory, so a
// ledger may have any length.

export interface LedgerReport {
  readonly ok: boolean;
  readonly workspaces: bigint;
  readonly purses: bigint;
  readonly postings: bigint;
  readonly receipts: bigint;
  readonly auditEvents: bigint;
  readonly credit: NanoUsd;
  readonly charges: NanoUsd;
  readonly writeOffs: NanoUsd;
  readonly balance: NanoUsd;
  readonly owed: NanoUsd;
  /** At most a thousand; `ok` and `differenceCount` cover all. */
  readonly differences: readonly LedgerDifference[];
  readonly differenceCount: bigint;
}

type Figures = Omit<LedgerReport, 'ok' | 'auditEvents' | 'differences' | 'differenceCount'>;

const TOTALS = `
  select workspaces, purses, postings, receipts::text, write_offs_nano_usd::text as "writeOffs", credit, charges, balance, owed
  from proof_totals, (
    select count(*) as purses from proof_purses where workspace_id in (select id from proof_workspaces where is_here)
  ) purses, (
    select count(distinct id) as workspaces, coalesce(sum(credit_nano_usd), 0)::text as credit,
      coalesce(sum(charges_nano_usd), 0)::text as charges, coalesce(sum(balance_nano_usd), 0)::text as balance,
      coalesce(sum(owed_nano_usd), 0)::text as owed
    from proof_workspaces where is_here
  ) standings where proof_id = $1`;

export const PROOF_LOCK = 4_611_220_105_103_820n;

/**
 * Excludes other proofs and keeps receipts in place until the transaction ends. False if another process makes a proof
 * or changes partitions.
 */
export async function takeProofTurn(guard: SqlRunner): Promise<boolean> {
  return await takeReadersTurn(guard, PROOF_LOCK);
}

/**
 * Proves that credit posted − charges = balance + owed, purse by purse, and that audit events are as they were recorded, or
 * reports the differences. The transaction `guard` has taken the turn and must hold no snapshot.
 */
export async function proveLedger(parts: SliceParts): Promise<LedgerReport> {
  const { sql } = parts;
  const proofId = randomUUID();
  const differences = new Differences();
  const { receipts, sealedTo, counted } = await sql.transaction(
    (tx) => readSnapshot(tx, proofId, differences),
    UNHURRIED,
  );
  await analyzeCopies(sql);
  await compareKeyUsage(parts, differences);
  const auditEvents = await compareAuditEvents(parts, differences);
  const slices = readSlices<SliceFindings>(parts, receipts, {
    pages: PAGES_PER_SLICE,
    text: sliceStatement,
    values: [proofId, sealedTo, counted],
  });
  for await (const [found] of slices) differences.add(found?.count ?? 0n, found?.differences ?? []);
  const figures = await sql.transaction((tx) => compareSums(tx, proofId, differences), UNHURRIED);
  return {
    ok: differences.count === 0n,
    ...figures,
    auditEvents,
    differences: differences.kept,
    differenceCount: differences.count,
  };
}

/** The short part of a proof that needs one snapshot; its time doesn't depend on the number of receipts. */
async function readSnapshot(
  tx: SqlRunner,
  proofId: string,
  differences: Differences,
): Promise<ReceiptBounds & { readonly receipts: ReceiptSnapshot }> {
  await tx.query('set transaction isolation level repeatable read');
  await clearCopies(tx);
  const bounds = await copyLedger(tx, proofId);
  await compare(tx, SNAPSHOT_CHECKS, differences);
  // Receipts missing from usage are few: the index finds them, even if the planner's statistics disagree.
  await tx.query('set local enable_seqscan = off');
  await compare(tx, USAGE_CHECKS, differences);
  await tx.query('set local enable_seqscan = on');
  return { ...bounds, receipts: await snapshotOfReceipts(tx) };
}

async function compareSums(tx: SqlRunner, proofId: string, differences: Differences): Promise<Figures> {
  // First, because it locks the proof's working tables until the transaction ends.
  const [row] = await tx.query<Record<keyof Figures, string | bigint>>(TOTALS, [proofId]);
  if (row === undefined) {
    throw new DatabaseUnavailable(
      'the connection that reserved this proof was lost and another proof has begun: start it again',
    );
  }
  await compare(tx, { ...SUM_CHECKS, ...COST_CHECKS }, differences);
  await clearCopies(tx);
  return Object.fromEntries(Object.entries(row).map(([name, figure]) => [name, BigInt(figure)])) as unknown as Figures;
}

async function compare(
  tx: SqlRunner,
  checks: Readonly<Record<string, string>>,
  differences: Differences,
): Promise<void> {
  for (const [check, query] of Object.entries(checks)) {
    const rows = await tx.query<DifferenceRow & { readonly count: bigint }>(
      `select '${check}' as "check", workspace_id as "workspaceId", subject_id as "subjectId", expected::text, actual::text,
         count(*) over () as count
       from (${query}) comparisons where expected <> actual order by subject_id limit ${DIFFERENCES_MAX}`,
    );
    differences.add(rows[0]?.count ?? 0n, rows);
  }
}
