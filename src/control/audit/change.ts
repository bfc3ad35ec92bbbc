import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';

/** Ends a transaction that has nothing to commit, since its change is refused. */
class RolledBack extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused');
    this.refusal = refusal;
  }
}

/**
 * Makes a change and its audit event in one transaction. A refusal leaves nothing behind, whatever was written before it.
 * @throws DatabaseUnavailable, SqlFault
 */
export async function makeChange<Result>(
  sql: Sql,
  change: (tx: SqlRunner) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  try {
    return await sql.transaction(async (tx) => {
      const result = await change(tx);
      if (isRefusal(result)) throw new RolledBack(result);
      return result;
    });
  } catch (fault) {
    if (fault instanceof RolledBack) return fault.refusal;
    throw fault;
  }
}
