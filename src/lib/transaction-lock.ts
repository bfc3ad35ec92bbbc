import type { SqlRunner } from './sql.ts';

// Advisory locks, by numbers. Several schemas of one database may each hold an instance, so the number is that of the
// schema too; in `public` it is the bare number, as in releases that knew no other. `lock_number` is the same in SQL.

/** SQL for the number under which a schema has the lock `$1`. */
export const LOCK_NUMBER = `$1::bigint # case current_schema() when 'public' then 0 else hashtextextended(current_schema(), 0) end`;

/** Takes an advisory lock until the transaction ends. Waits for it. */
export async function takeTransactionLock(tx: SqlRunner, lock: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK_NUMBER})`, [lock]);
}

/** Takes an advisory lock until the transaction ends. Returns false if another transaction has it; doesn't wait. */
export async function tryTransactionLock(
  tx: SqlRunner,
  lock: bigint,
  { shared = false }: { readonly shared?: boolean } = {},
): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock${shared ? '_shared' : ''}(${LOCK_NUMBER}) as taken`,
    [lock],
  );
  return row?.taken === true;
}
