import type { SqlRunner } from '../../lib/sql.ts';
import { GUARD_LIMITS, type SliceParts } from './receipt-slices.ts';
import { proveLedger, takeProofTurn, type LedgerReport } from './verify.ts';

// The record of ledger proofs: the instance warns of the last one's differences.

/** A finished proof. */
export interface Verification {
  readonly startedAt: Date;
  readonly differenceCount: bigint;
}

const DIFFERENCES_KEPT = 100;

/** Stores the result of a proof. */
async function recordVerification(
  sql: SqlRunner,
  { differences, differenceCount }: LedgerReport,
  { startedAt, night }: { readonly startedAt: Date; readonly night: Date | null },
): Promise<void> {
  const kept = differences
    .slice(0, DIFFERENCES_KEPT)
    .map((each) => ({ ...each, expected: each.expected.toString(), actual: each.actual.toString() }));
  await sql.query(
    `insert into ledger_verifications (night, started_at, difference_count, differences)
     values ($1, $2, $3, $4::jsonb)`,
    [night, startedAt, differenceCount, JSON.stringify(kept)],
  );
}

/** The most recently begun proof; null if there is none yet. */
export async function lastVerification(sql: SqlRunner): Promise<Verification | null> {
  const [row] = await sql.query<Verification>(
    `select started_at as "startedAt", difference_count as "differenceCount"
     from ledger_verifications order by started_at desc, id desc limit 1`,
  );
  return row ?? null;
}

/** Whether each of these nights has its proof, and none of them found a difference. */
export async function hasProofs(sql: SqlRunner, nights: readonly Date[]): Promise<boolean> {
  const proofs = await sql.query(
    'select from ledger_verifications where night = any ($1::timestamptz[]) and difference_count = 0',
    [nights],
  );
  return proofs.length === nights.length;
}

/**
 * Makes and records a proof, for this night or, with null, on request. Not made while another process makes one or
 * changes the partitions of receipts, or if the night has its proof. The locks and the record end with one transaction,
 * so that another process can make the proof if this one dies.
 */
export async function makeProof(
  { sql, pacer }: Omit<SliceParts, 'guard'>,
  { night, now }: { readonly night: Date | null; readonly now: Date },
): Promise<LedgerReport | 'not now' | 'made already'> {
  return await sql.transaction(async (guard) => {
    const isMyTurn = await takeProofTurn(guard);
    const made = await guard.query('select from ledger_verifications where night = $1', [night]);
    if (made.length > 0) return 'made already';
    if (!isMyTurn) return 'not now';
    const report = await proveLedger({ sql, pacer, guard });
    await recordVerification(guard, report, { startedAt: now, night });
    return report;
  }, GUARD_LIMITS);
}
