import type { SqlRunner } from '../../lib/sql.ts';
import { enterSchema, quotedSchema } from './schema-path.ts';

// What a schema has that a configuration names, beyond the tables and functions of every instance.

/**
 * Creates the schema unless it is there. `lock` is held while it is created, since two that create it would collide. Runs in a
 * transaction. @throws SqlFault, DatabaseUnavailable
 */
export async function createSchema(tx: SqlRunner, schema: string | null, lock: bigint): Promise<void> {
  if (schema === null || (await isThere(tx, schema))) return;
  await tx.query('select pg_advisory_xact_lock($1)', [lock]);
  // Checked again rather than created "if not exists", which asks for the right to create it even where it exists.
  if (!(await isThere(tx, schema))) await tx.query(`create schema ${quotedSchema(schema)}`);
}

async function isThere(tx: SqlRunner, schema: string): Promise<boolean> {
  const [row] = await tx.query<{ there: boolean }>('select to_regnamespace($1) is not null as there', [
    quotedSchema(schema),
  ]);
  return row?.there === true;
}

/** Procedures that don't enter their schema, as those made before the configuration named it. */
const STRAY = `pronamespace = current_schema()::regnamespace and prokind = 'p' and prosrc not like '%search_path%'`;

/** Whether procedures of the schema would run in the caller's instead. @throws SqlFault, DatabaseUnavailable */
export async function hasStrayProcedures(db: SqlRunner, schema: string | null): Promise<boolean> {
  if (schema === null) return false;
  const [row] = await db.query<{ has: boolean }>(`select exists (select from pg_proc where ${STRAY}) as has`);
  return row?.has === true;
}

/**
 * Has the procedures enter the schema. They commit, so that they can't run behind a statement that enters it, nor have settings
 * of their own. @throws SqlFault, DatabaseUnavailable
 */
export async function enterInProcedures(tx: SqlRunner, schema: string | null): Promise<void> {
  if (schema === null) return;
  const stray = await tx.query<{ text: string }>(`select pg_get_functiondef(oid) as text from pg_proc where ${STRAY}`);
  for (const { text } of stray)
    await tx.query(text.replace(/^begin$/im, (begin) => `${begin}\n  ${enterSchema(schema)};`));
}
