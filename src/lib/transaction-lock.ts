import type { SqlRunner } from './sql.ts';

/** Takes an advisory lock until the transaction ends. Returns false if another transaction has it; doesn't wait. */
export async function tryTransactionLock(tx: SqlRunner, lock: bigint): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lock]);
  return row?.taken === true;
}
