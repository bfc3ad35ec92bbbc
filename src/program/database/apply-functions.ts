import { assert } from '../../lib/assert.ts';
import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
import type { FileChecksum, SqlFile } from './schema-files.ts';

/** SQLSTATE of replacing a function by one with another result type or other parameter names. */
const OTHER_SIGNATURE = '42P13';

/**
 * Replaces the changed functions, and drops applied ones that the program no longer has. `functions` are all functions
 * of the program. Grants are kept if parameters and results don't change. They can't change for a
 * function that a default or a trigger uses: PostgreSQL refuses to drop it.
 * @throws SqlFault, DatabaseUnavailable
 */
export async function applyFunctions(
  tx: SqlRunner,
  changed: readonly SqlFile[],
  { functions, applied }: { readonly functions: readonly SqlFile[]; readonly applied: readonly FileChecksum[] },
): Promise<void> {
  // Functions call each other, so some are created before those that they call.
  await tx.query('set local check_function_bodies = off');
  const names = new Set(functions.map(({ name }) => name));
  for (const { name } of applied) if (!names.has(name)) await drop(tx, await signatures(tx, name));
  for (const file of changed) await replace(tx, file);
}

async function replace(tx: SqlRunner, { name, sql }: SqlFile): Promise<void> {
  const former = await signatures(tx, name);
  await tx.query('savepoint before_function');
  try {
    await tx.query(sql);
  } catch (fault) {
    if (!(fault instanceof SqlFault) || fault.sqlState !== OTHER_SIGNATURE) throw fault;
    await tx.query('rollback to savepoint before_function');
    await drop(tx, former);
    await tx.query(sql);
  }
  await tx.query('release savepoint before_function');
  // A function with other parameters doesn't replace the old one but is created beside it.
  const present = await signatures(tx, name);
  if (present.length > 1) await drop(tx, former);
  assert(present.length > 0, 'a file of functions/ creates the function that it is named for');
}

async function signatures(tx: SqlRunner, name: string): Promise<readonly string[]> {
  const rows = await tx.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = $1`,
    [name],
  );
  return rows.map(({ signature }) => signature);
}

async function drop(tx: SqlRunner, routines: readonly string[]): Promise<void> {
  for (const signature of routines) await tx.query(`drop routine ${signature}`);
}
