import { isRefusal, type Refusal } from '../domain/refusals.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';

class RolledBack extends Error {
  override readonly name = 'RolledBack';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Runs `work` in one transaction, which is rolled back if it refuses. */
export async function refusable<Result>(
  sql: Sql,
  work: (tx: SqlRunner) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  try {
    return await sql.transaction(async (tx) => {
      const result = await work(tx);
      if (isRefusal(result)) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal;
    throw error;
  }
}
