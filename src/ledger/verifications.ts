import { assert } from '../lib/assert.ts';
import { SqlFault, type Sql, type SqlRunner } from '../lib/sql.ts';
import { PROOF_STATEMENT_MS_MAX, proveLedger, type LedgerReport } from './verify.ts';

// The record of ledger checks: the instance warns of the last one's differences.

/** A proof that was made. */
export interface Verification {
  readonly startedAt: Date;
  readonly differenceCount: bigint;
}

const DIFFERENCES_KEPT = 100;
const UNIQUE_VIOLATION = '23505';
const PROOF_LOCK = 4_611_220_105_103_820n;

/** Keeps what a proof has found. */
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

/** The proof that was begun last; null if there is none yet. */
export async function lastVerification(sql: SqlRunner): Promise<Verification | null> {
  const [row] = await sql.query<Verification>(
    `select started_at as "startedAt", difference_count as "differenceCount"
     from ledger_verifications order by started_at desc, id desc limit 1`,
  );
  return row ?? null;
}

/**
 * Makes and records a proof, of this night or, with null, on request. Refused while another process makes
 * one, and for a night that has its proof. The lock and the record end with one transaction, so a process that dies
 * leaves the proof to the others.
 */
export async function makeProof(
  sql: Sql,
  { night, now }: { readonly night: Date | null; readonly now: Date },
): Promise<LedgerReport | 'made elsewhere' | 'made already'> {
  try {
    return await sql.transaction((tx) => proveAlone(tx, night, now), { statementMsMax: PROOF_STATEMENT_MS_MAX });
  } catch (fault) {
    // Another process has committed the same night's proof since this one's snapshot.
    if (fault instanceof SqlFault && fault.sqlState === UNIQUE_VIOLATION) return 'made already';
    throw fault;
  }
}

async function proveAlone(
  tx: SqlRunner,
  night: Date | null,
  now: Date,
): Promise<LedgerReport | 'made elsewhere' | 'made already'> {
  await tx.query('set transaction isolation level repeatable read');
  const [turn] = await tx.query<{ mine: boolean; done: boolean }>(
    `select pg_try_advisory_xact_lock($1) as mine, exists (select from ledger_verifications where night = $2) as done`,
    [PROOF_LOCK, night],
  );
  assert(turn !== undefined, 'a select without a table has a row');
  if (turn.done) return 'made already';
  if (!turn.mine) return 'made elsewhere';
  const report = await proveLedger(tx);
  await recordVerification(tx, report, { startedAt: now, night });
  return report;
}
