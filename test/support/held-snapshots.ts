import type { Sql } from '../../src/lib/sql.ts';

/** Sessions of this database, the one that asks excepted, that keep dead versions of rows from being pruned. */
export async function sessionsWithSnapshot(sql: Sql): Promise<readonly object[]> {
  return await sql.query(
    `select pid, state, query, backend_xmin::text, backend_xid::text from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
       and (backend_xmin is not null or backend_xid is not null)`,
  );
}
