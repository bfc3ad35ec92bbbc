import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ClusterDirectory } from './cluster-directory.ts';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import { spawnFault } from './run-program.ts';
import type { readServerLog, ServerLog } from './server-log.ts';

// Decides when a started server may be used: it answers queries, commits durably, and has our database.

interface StartingServer {
  readonly child: ChildProcess;
  readonly cluster: ClusterDirectory;
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
  readonly words: ReturnType<typeof readServerLog>;
  readonly log: ServerLog;
}

const recoveryMsMax = 600_000;
const sayEveryMs = 5_000;

/** Waits until the server may be used. @throws EmbeddedPostgresFault if it ends before, or isn't durable */
export async function waitUntilReady(server: StartingServer): Promise<void> {
  const { child, cluster, log } = server;
  const startedAt = performance.now();
  let saidAt = startedAt;
  const failures: Error[] = [];
  child.once('error', (error) => failures.push(spawnFault(error, cluster.account)));
  while (!(await saysReady(cluster.path, child.pid))) {
    await delay(5);
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      const reason = server.words.lastComplaint() ?? `it exited with ${child.signalCode ?? child.exitCode}`;
      throw new EmbeddedPostgresFault(`PostgreSQL did not start on ${cluster.path}: ${reason}`);
    }
    const now = performance.now();
    if (now - startedAt > recoveryMsMax) {
      throw new EmbeddedPostgresFault(
        `PostgreSQL on ${cluster.path} was not ready after ${recoveryMsMax / 60_000} minutes`,
      );
    }
    if (now - saidAt > sayEveryMs) {
      saidAt = now;
      log.info('waiting for PostgreSQL to recover');
    }
  }
  await withClient(server, async (client) => {
    await checkDurability(client, cluster.path);
    const found = await client.query('select 1 from pg_database where datname = $1', [server.database]);
    if (found.rowCount !== 0) return;
    // A new database is written to the WAL page by page, which is four times as fast without compression.
    await client.query('set wal_compression = off');
    await client.query(`create database ${client.escapeIdentifier(server.database)}`);
  });
}

const statusLine = 7;

/** The server's own message that it accepts connections. Earlier attempts would fill its log with refusals. */
async function saysReady(cluster: string, pid: number | undefined): Promise<boolean> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines[0] === String(pid) && lines[statusLine]?.trim() === 'ready';
}

async function withClient(server: StartingServer, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const { socketDirectory, user } = server;
  const client = new pg.Client({ host: socketDirectory, port: 5432, user, database: 'postgres', ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    if (error instanceof EmbeddedPostgresFault) throw error;
    throw new EmbeddedPostgresFault(`PostgreSQL on ${server.cluster.path} doesn't answer`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Answers are sent once their charge is committed, so commits must survive a power failure. */
async function checkDurability(client: pg.Client, cluster: string): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await client.query<{ value: string }>('select current_setting($1) as value', [setting]);
    if (rows[0]?.value !== 'off') continue;
    throw new EmbeddedPostgresFault(
      `PostgreSQL on ${cluster} runs with ${setting} = off and could lose charges: remove that from its postgresql.conf and postgresql.auto.conf`,
    );
  }
}
