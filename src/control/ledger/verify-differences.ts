import type { NanoUsd } from '../../domain/money.ts';
import type { LedgerCheck } from './verify-checks.ts';

/** Two figures that should be equal. `subjectId` is the id of the workspace, purse, lease, posting or receipt. */
export interface LedgerDifference {
  readonly check: LedgerCheck;
  readonly workspaceId: string | null;
  readonly subjectId: string;
  readonly expected: NanoUsd;
  readonly actual: NanoUsd;
}

/** A difference from the database. Amounts may exceed PostgreSQL's bigint. */
export type DifferenceRow = Omit<LedgerDifference, 'expected' | 'actual'> & {
  readonly expected: string;
  readonly actual: string;
};

/** The most differences that a report lists. */
export const DIFFERENCES_MAX = 1_000;

/** Counts all differences and keeps the first of them. */
export class Differences {
  readonly #kept: LedgerDifference[] = [];
  #count = 0n;

  get kept(): readonly LedgerDifference[] {
    return this.#kept;
  }

  get count(): bigint {
    return this.#count;
  }

  /** Adds differences; `rows` are the listed part of them. */
  add(count: bigint, rows: readonly DifferenceRow[]): void {
    this.#count += count;
    for (const row of rows.slice(0, DIFFERENCES_MAX - this.#kept.length)) {
      const { check, workspaceId, subjectId, expected, actual } = row;
      this.#kept.push({ check, workspaceId, subjectId, expected: BigInt(expected), actual: BigInt(actual) });
    }
  }
}
