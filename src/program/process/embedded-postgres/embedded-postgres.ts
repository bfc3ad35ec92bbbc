import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DataDirectory } from '../data-directory.ts';
import {
  checkClusterVersion,
  databaseUser,
  findClusterDirectory,
  initialiseCluster,
  type ClusterDirectory,
} from './cluster-directory.ts';
import { clearOrphanedServer } from './orphaned-server.ts';
import { spawnAs } from './run-program.ts';
import { findServerPackage, prepareServerBinaries, type ServerBinaries } from './server-binaries.ts';
import { readServerLog, type ServerLog } from './server-log.ts';
import { waitUntilReady } from './server-readiness.ts';
import { makeSocketDirectory, removeSocketDirectory } from './socket-directory.ts';

// A PostgreSQL server as a child of this process, for an instance without a database of its own. It listens on a
// Unix socket in a private directory and on nothing else.

/** The exit of the server's process. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface EmbeddedPostgres {
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
  /** Resolves when the server has ended, for any reason. */
  readonly exited: Promise<ServerExit>;
  /** Disconnects clients, writes a checkpoint and waits for the server's end. */
  stop(): Promise<void>;
}

const databaseName = 'faregate';

/**
 * Starts the server on the data directory, which the caller holds, creating the database if there is none. @throws
 * EmbeddedPostgresFault whose message is one line with the fault and its remedy
 */
export async function startEmbeddedPostgres(options: {
  readonly dataDirectory: Pick<DataDirectory, 'path' | 'instanceId'>;
  readonly log: ServerLog;
}): Promise<EmbeddedPostgres> {
  const { dataDirectory, log } = options;
  const cluster = await findClusterDirectory(dataDirectory);
  const copyParents = [
    ...(cluster.account.foreign ? ['/var/cache/faregate'] : []),
    join(dataDirectory.path, 'programs'),
  ];
  const binaries = await prepareServerBinaries(await findServerPackage(), cluster.account, copyParents);
  if (cluster.outside) {
    log.warn(`user ${cluster.account.name} can't reach ${dataDirectory.path}: the database is in ${cluster.path}`);
  }
  if (cluster.exists) await clearOrphanedServer(cluster.path, log);
  else await initialiseCluster(cluster, binaries);
  await checkClusterVersion(cluster.path, binaries);
  return startServer(cluster, binaries, log);
}

async function startServer(
  cluster: ClusterDirectory,
  binaries: ServerBinaries,
  log: ServerLog,
): Promise<EmbeddedPostgres> {
  const socketDirectory = await makeSocketDirectory(cluster.path, cluster.account);
  const settings = Object.entries(fixedSettings(socketDirectory)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawnAs(
    cluster.account,
    binaries.postgres,
    ['-D', cluster.path, ...settings],
    ['ignore', 'ignore', 'pipe'],
  );
  const words = readServerLog(log);
  child.stderr?.setEncoding('utf8').on('data', words.push);
  const exited = watchExit(child);
  const stop = async (): Promise<void> => {
    await stopChild(child, exited);
    await removeSocketDirectory(socketDirectory, cluster.path);
  };
  try {
    await waitUntilReady({ child, cluster, socketDirectory, user: databaseUser, database: databaseName, words, log });
  } catch (error) {
    await stop();
    throw error;
  }
  return { socketDirectory, user: databaseUser, database: databaseName, exited, stop };
}

/**
 * Settings that the program relies on, so postgresql.conf can't change them. Durability isn't among them: the program
 * refuses to run without it rather than silently overrule an operator. Statements, values and details are never logged.
 */
function fixedSettings(socketDirectory: string): Readonly<Record<string, string>> {
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_statement: 'none',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    lc_messages: 'C',
  };
}

async function watchExit(child: ChildProcess): Promise<ServerExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}

async function stopChild(child: ChildProcess, exited: Promise<ServerExit>): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const patience = AbortSignal.timeout(patienceMs);
    await Promise.race([exited, once(patience, 'abort')]);
  }
}
