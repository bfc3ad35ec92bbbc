import { SERVER } from '../usage/folding.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';

// How far receipts and audit events are delivered to a sink. One process at a time delivers: it holds the sink's row for
// some minutes, and renews that. If it dies, another one goes on from what was noted, so a record may be delivered twice.

const HELD = "now() + interval '5 minutes'";

/** Holds a sink for a process; false if another process does, or no workspace has records delivered to it. */
export async function holdSink(sql: Sql, sink: string, holder: string): Promise<boolean> {
  return await sql.transaction(async (tx) => {
    await tx.query(
      `insert into sink_progress (sink, server, delivered)
       select $1, ${SERVER}, pg_current_snapshot() on conflict (sink) do nothing`,
      [sink],
    );
    const [free] = await tx.query<{ isHere: boolean }>(
      `select server = ${SERVER} as "isHere" from sink_progress
       where sink = $1 and (holder is null or holder = $2 or held_until < now())
         and exists (select from workspace_sinks where sink = $1 and records && '{receipts,audit}')
       for update`,
      [sink, holder],
    );
    if (free === undefined) return false;
    if (!free.isHere) await beginAgain(tx, sink);
    await tx.query(`update sink_progress set holder = $2, held_until = ${HELD} where sink = $1`, [sink, holder]);
    return true;
  });
}

/** The transactions of another server, as after a restore, have other numbers: nobody knows what was to be delivered. */
async function beginAgain(tx: SqlRunner, sink: string): Promise<void> {
  await tx.query('update workspace_sinks set receipts_from = null where sink = $1', [sink]);
  await tx.query(`update sink_progress set server = ${SERVER}, delivered = pg_current_snapshot() where sink = $1`, [
    sink,
  ]);
}

/** Holds it for longer; false if another process does by now. */
export async function keepSink(sql: SqlRunner, sink: string, holder: string): Promise<boolean> {
  const kept = await sql.query(
    `update sink_progress set held_until = ${HELD} where sink = $1 and holder = $2 returning sink`,
    [sink, holder],
  );
  return kept.length > 0;
}

/** Lets another process hold it, and notes why it failed; null: it did not. */
export async function releaseSink(sql: SqlRunner, sink: string, holder: string, fault: string | null): Promise<void> {
  await sql.query(
    `update sink_progress set holder = null, held_until = null, fault = $3,
       failing_since = case when $3::text is not null then coalesce(failing_since, now()) end
     where sink = $1 and holder = $2`,
    [sink, holder, fault],
  );
}

/** A sink that takes no receipts or audit events. */
export interface FailingSink {
  readonly sink: string;
  readonly since: Date;
  readonly fault: string;
}

/** Sinks that have failed for some minutes. */
export async function findFailingSinks(sql: SqlRunner): Promise<readonly FailingSink[]> {
  return await sql.query<FailingSink>(
    `select sink, failing_since as since, fault from sink_progress
     where failing_since < now() - interval '5 minutes' order by sink`,
  );
}
