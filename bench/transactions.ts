import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../src/lib/sql.ts';

/** PostgreSQL's backends tell their counts once a second at most. */
const TOLD_MS = 1_500;

/** Transactions that the database has committed so far, once all that have run are counted. */
export async function transactionsSoFar(sql: Sql): Promise<number> {
  await sleep(TOLD_MS);
  const [row] = await sql.query<{ commits: bigint }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  );
  return Number(row?.commits);
}

/** Transactions a second without any request: polls and heartbeats. */
export async function idleTransactionsPerSecond(sql: Sql, seconds: number): Promise<number> {
  const before = await transactionsSoFar(sql);
  const sinceMs = performance.now();
  await sleep(seconds * 1_000);
  const after = await transactionsSoFar(sql);
  return ((after - before) * 1_000) / (performance.now() - sinceMs);
}
