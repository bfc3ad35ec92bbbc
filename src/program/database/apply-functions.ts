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
  const changedNames = changed.map(({ name }) => name);
  const former = await signaturesByName(tx, changedNames);
  for (const file of changed) {
    const replaced = former.get(file.name);
    await (replaced === undefined ? tx.query(file.sql) : replace(tx, file, replaced));
  }
  const present = await signaturesByName(tx, changedNames);
  assert(present.size === changed.length, 'a file of functions/ creates the function that it is named for');
}

async function replace(tx: SqlRunner, { name, sql }: SqlFile, former: readonly string[]): Promise<void> {
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
  // A function with other parameters doesn't replace the old one: both exist.
  const present = await signatures(tx, name);
  if (present.length > 1) await drop(tx, former);
}

async function signatures(tx: SqlRunner, name: string): Promise<readonly string[]> {
  return (await signaturesByName(tx, [name])).get(name) ?? [];
}

/** The signatures of the routines that are there, of all names by one statement. */
async function signaturesByName(
  tx: SqlRunner,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.query<{ name: string; signatures: string[] }>(
    `select proname::text as name, array_agg(oid::regprocedure::text) as signatures from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = any ($1::text[]) group by proname`,
    [names],
  );
  return new Map(rows.map((row) => [row.name, row.signatures]));
}

async function drop(tx: SqlRunner, routines: readonly string[]): Promise<void> {
  for (const signature of routines) await tx.query(`drop routine ${signature}`);
}
