import type { SqlRunner } from '../../src/lib/sql.ts';

/** The definitions of all functions and procedures of a database, in a stable order. */
export async function definedFunctions(db: SqlRunner): Promise<readonly string[]> {
  const rows = await db.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc
      where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
      order by oid::regprocedure::text collate "C"`,
  );
  return rows.map(({ definition }) => definition);
}
