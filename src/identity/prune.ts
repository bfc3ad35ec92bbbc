import { type SqlRunner, UNHURRIED } from '../lib/sql.ts';

/** Deletes sessions that have ended and links that work no more. */
export async function pruneIdentity(sql: SqlRunner): Promise<void> {
  await sql.query(
    `delete from sessions where expires_at < now() or last_seen_at < now() - interval '7 days'`,
    [],
    UNHURRIED,
  );
  await sql.query(`delete from one_time_links where expires_at < now() - interval '7 days'`, [], UNHURRIED);
}
