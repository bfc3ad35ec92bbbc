import type { NanoUsd } from '../domain/money.ts';
import { assert } from '../lib/assert.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { CHECKS, TOTALS, type LedgerCheck } from './verify-checks.ts';

// The proof that no money was made or lost. All of it is read in one snapshot, and it takes nothing on trust that it can
// count: charges come from receipts, credit from ledger entries. The database does the sums, in memory of a bounded
// size, so a ledger may have any length.

/** Two figures that should be equal. `subjectId` is the id of the workspace, purse, lease, posting or receipt. */
export interface LedgerDifference {
  readonly check: LedgerCheck;
  readonly workspaceId: string | null;
  readonly subjectId: string;
  readonly expected: NanoUsd;
  readonly actual: NanoUsd;
}

export interface LedgerReport {
  readonly ok: boolean;
  readonly workspaces: bigint;
  readonly purses: bigint;
  readonly postings: bigint;
  readonly receipts: bigint;
  readonly credit: NanoUsd;
  readonly charges: NanoUsd;
  readonly writeOffs: NanoUsd;
  readonly balance: NanoUsd;
  readonly owed: NanoUsd;
  /** At most a thousand; `ok` and `differenceCount` speak for all. */
  readonly differences: readonly LedgerDifference[];
  readonly differenceCount: bigint;
}

const DIFFERENCES_MAX = 1_000;

/** How long one statement of a proof may take. */
export const PROOF_STATEMENT_MS_MAX = 1_800_000;

type TotalsRow = Pick<LedgerReport, 'workspaces' | 'purses' | 'postings'> & {
  readonly [Figure in 'receipts' | 'writeOffs' | 'credit' | 'charges' | 'balance' | 'owed']: string;
};

interface DifferenceRow {
  readonly workspaceId: string | null;
  readonly subjectId: string;
  readonly expected: string;
  readonly actual: string;
  /** How many the check has found in all. */
  readonly count: bigint;
}

function differencesOf(check: LedgerCheck): string {
  return `
    select workspace_id as "workspaceId", subject_id as "subjectId", expected::text, actual::text,
      count(*) over () as count
    from (${CHECKS[check]}) comparisons where expected <> actual order by subject_id limit ${DIFFERENCES_MAX}`;
}

/**
 * Proves that credit posted − charges = balance + owed, purse by purse, or says where it is not. The transaction sees
 * one snapshot: it is `repeatable read`.
 */
export async function proveLedger(tx: SqlRunner): Promise<LedgerReport> {
  const differences: LedgerDifference[] = [];
  let differenceCount = 0n;
  for (const check of Object.keys(CHECKS) as LedgerCheck[]) {
    const rows = await tx.query<DifferenceRow>(differencesOf(check));
    differenceCount += rows[0]?.count ?? 0n;
    for (const { workspaceId, subjectId, expected, actual } of rows.slice(0, DIFFERENCES_MAX - differences.length)) {
      differences.push({ check, workspaceId, subjectId, expected: BigInt(expected), actual: BigInt(actual) });
    }
  }
  const [totals] = await tx.query<TotalsRow>(TOTALS);
  assert(totals !== undefined, 'an aggregate has a row');
  return {
    ok: differenceCount === 0n,
    workspaces: totals.workspaces,
    purses: totals.purses,
    postings: totals.postings,
    receipts: BigInt(totals.receipts),
    credit: BigInt(totals.credit),
    charges: BigInt(totals.charges),
    writeOffs: BigInt(totals.writeOffs),
    balance: BigInt(totals.balance),
    owed: BigInt(totals.owed),
    differences,
    differenceCount,
  };
}
