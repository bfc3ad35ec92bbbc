import { type SqlRunner, UNHURRIED } from '../../lib/sql.ts';

/** Deletes sessions that have ended, links that work no more, and networks that were not signed in from for long. */
export async function pruneIdentity(sql: SqlRunner): Promise<void> {
  await sql.query(
    `delete from sessions where expires_at < now() or last_seen_at < now() - interval '7 days'`,
    [],
    UNHURRIED,
  );
  await sql.query(`delete from one_time_links where expires_at < now() - interval '7 days'`, [], UNHURRIED);
  await sql.query(`delete from sign_in_networks where used_at < now() - interval '180 days'`, [], UNHURRIED);
}
