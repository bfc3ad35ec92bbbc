import type { NanoUsd } from '../domain/money.ts';
import type { LedgerCheck } from './verify-checks.ts';

/** Two figures that should be equal. `subjectId` is the id of the workspace, purse, lease, posting or receipt. */
export interface LedgerDifference {
  readonly check: LedgerCheck;
  readonly workspaceId: string | null;
  readonly subjectId: string;
  readonly expected: NanoUsd;
  readonly actual: NanoUsd;
}

/** A difference as the database reports it: amounts may be beyond its bigint. */
export type DifferenceRow = Omit<LedgerDifference, 'expected' | 'actual'> & {
  readonly expected: string;
  readonly actual: string;
};

/** How many a report names. */
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

  /** Adds some that were found, of which `rows` are those that are named. */
  add(count: bigint, rows: readonly DifferenceRow[]): void {
    this.#count += count;
    for (const row of rows.slice(0, DIFFERENCES_MAX - this.#kept.length)) {
      const { check, workspaceId, subjectId, expected, actual } = row;
      this.#kept.push({ check, workspaceId, subjectId, expected: BigInt(expected), actual: BigInt(actual) });
    }
  }
}
