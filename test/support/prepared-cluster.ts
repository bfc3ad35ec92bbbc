import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../src/program/database/migrate.ts';
import { ensureReceiptPartitions } from '../../src/program/database/partitions.ts';
import { openDatabase } from '../../src/program/database/pool.ts';
import { startEmbeddedPostgres } from '../../src/program/process/embedded-postgres/embedded-postgres.ts';
import { makeOnce } from './made-once.ts';

// A database cluster as the program makes it at its first start, with the schema applied and nothing else in it. A run of
// tests makes one, and whoever needs a server starts it on a copy: that takes a tenth of the work.

/** The environment's name for where the run's cluster lies, or will: whoever needs it first makes it. */
export const PREPARED_CLUSTER = 'FAREGATE_TEST_CLUSTER';

/** How the names of the directories begin in which workers have servers. */
export const SERVER_PREFIX = 'faregate-test-';

export const SILENT_LOG = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Gives a data directory a copy of it. Outside of a run of tests it makes one there. */
export async function layCluster(dataDirectory: string): Promise<void> {
  const shared = process.env[PREPARED_CLUSTER];
  if (shared === undefined) return await makeCluster(dataDirectory);
  await makeOnce(shared, makeCluster);
  // Owners and modes are kept: the server's user is another one where root runs the tests.
  await promisify(execFile)('cp', ['-a', join(shared, 'postgres'), join(dataDirectory, 'postgres')]);
}

async function makeCluster(dataDirectory: string): Promise<void> {
  const server = await startEmbeddedPostgres({
    dataDirectory: { path: dataDirectory, instanceId: randomUUID() },
    log: SILENT_LOG,
  });
  const database = openDatabase({ connection: server, connectionsMax: 1, applicationName: 'faregate-test' });
  try {
    await migrate(database);
    await ensureReceiptPartitions(database, Date.now());
  } finally {
    await database.close();
    await server.stop();
  }
}
