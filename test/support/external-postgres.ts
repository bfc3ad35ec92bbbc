import { type ChildProcess, execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/program/database/pool.ts';
import { databaseUser, findClusterDirectory } from '../../src/program/process/embedded-postgres/cluster-directory.ts';
import { spawnAs } from '../../src/program/process/embedded-postgres/run-program.ts';
import {
  findServerPackage,
  prepareServerBinaries,
} from '../../src/program/process/embedded-postgres/server-binaries.ts';
import { layCluster } from './prepared-cluster.ts';

// A PostgreSQL server of somebody else's, reached over TCP, as one that DATABASE_URL names is.

export interface ExternalPostgres {
  readonly port: number;
  /** Its cluster's directory. */
  readonly path: string;
  readonly user: string;
  /** Runs a statement as the superuser. */
  run(statement: string): Promise<void>;
  /** Makes an empty database and answers with its name. */
  createDatabase(): Promise<string>;
  /** Ends the server with this signal: SIGQUIT is a stop at once, SIGKILL a crash. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same port, after it has ended. */
  start(): Promise<void>;
  /** Keeps what the server has, which must have ended, for a standby that lags from here on. */
  remember(): Promise<void>;
  /** Starts the standby in place of the server, which must have ended. It lacks all that was committed since. */
  takeOver(): Promise<void>;
  /** Ends it and removes what it has left. */
  stop(): Promise<void>;
}

const START_MS_MAX = 10_000;
const RETRY_MS = 20;

/** The address of a database at this port of 127.0.0.1: of the server itself, or of what stands before it. */
export function databaseUrl(server: Pick<ExternalPostgres, 'user'>, database: string, port: number): string {
  return `postgres://${server.user}@127.0.0.1:${port}/${database}`;
}

export interface ExternalPostgresOptions {
  /** Lines of `pg_hba.conf`; left out: everybody on this machine is let in. */
  readonly admits?: readonly string[];
  /** Settings of the server. */
  readonly settings?: readonly string[];
  /** Files that the server reads, by their names in its directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** The server that this one follows as a standby. It must have ended, and start again before this one does. */
  readonly follows?: ExternalPostgres;
}

/** Starts a server on a free port; one that follows another is started by its caller. The caller stops it. */
export async function startExternalPostgres(options: ExternalPostgresOptions = {}): Promise<ExternalPostgres> {
  const { admits = [], files = {}, follows } = options;
  const root = await mkdtemp(join(tmpdir(), 'faregate-external-'));
  await chmod(root, 0o711);
  if (follows === undefined) await layCluster(root);
  else await promisify(execFile)('cp', ['-a', follows.path, join(root, 'postgres')]);
  const cluster = await findClusterDirectory({ path: root, instanceId: randomUUID() });
  const binaries = await prepareServerBinaries(await findServerPackage(), cluster.account, [join(root, 'programs')]);
  const everybody = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  await writeFile(join(cluster.path, 'pg_hba.conf'), `${(admits.length === 0 ? everybody : admits).join('\n')}\n`);
  for (const [name, text] of Object.entries(files)) {
    const file = join(cluster.path, name);
    await writeFile(file, text, { mode: 0o600 });
    if (cluster.account.foreign) await chown(file, cluster.account.uid, cluster.account.gid);
  }
  if (follows !== undefined) await writeFile(join(cluster.path, 'standby.signal'), '');
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'log_min_messages=fatal',
    // A standby finds no more WAL than it has, and so becomes a server of its own.
    'restore_command=false',
    ...(follows === undefined ? [] : [`primary_conninfo=host=127.0.0.1 port=${follows.port} user=${databaseUser}`]),
    ...(options.settings ?? []),
  ];
  const serverArguments = ['-D', cluster.path, ...settings.flatMap((setting) => ['-c', setting])];
  const onServer = async (statement: string): Promise<void> => {
    const admin = openDatabase({
      connection: { url: databaseUrl({ user: databaseUser }, 'postgres', port) },
      connectionsMax: 1,
      applicationName: 'faregate-test',
    });
    try {
      await admin.query(statement);
    } finally {
      await admin.close();
    }
  };
  let child: ChildProcess | null = null;
  const spawnServer = (): ChildProcess =>
    spawnAs(cluster.account, binaries.postgres, serverArguments, ['ignore', 'ignore', 'ignore']);
  const start = async (): Promise<void> => {
    // After a crash the server doesn't start until the last process of the former one has noticed.
    const deadlineMs = performance.now() + START_MS_MAX;
    for (;;) {
      child = spawnServer();
      // What only reads as yet is no server to write to, unless it is a standby.
      const question = follows === undefined ? 'create temp table writable ()' : 'select 1';
      if (await answers(child, () => onServer(question))) return;
      if (performance.now() > deadlineMs) throw new Error(`PostgreSQL did not start: it ended with ${child.exitCode}`);
      await delay(RETRY_MS);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === null || hasEnded(child)) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  if (follows === undefined) await start();
  return {
    port,
    path: cluster.path,
    user: databaseUser,
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await onServer(`create database ${name}`);
      return name;
    },
    run: onServer,
    end,
    start,
    async remember() {
      await promisify(execFile)('cp', ['-a', cluster.path, `${cluster.path}.standby`]);
    },
    async takeOver() {
      await rename(cluster.path, `${cluster.path}.former`);
      await rename(`${cluster.path}.standby`, cluster.path);
      await writeFile(join(cluster.path, 'recovery.signal'), '');
      await start();
    },
    async stop() {
      await end('SIGINT');
      // What a killed server has left behind writes until it notices.
      await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Waits until the server answers; false where it has ended instead. */
async function answers(child: ChildProcess, ask: () => Promise<void>): Promise<boolean> {
  while (!hasEnded(child)) {
    const fault = await ask().then(
      () => null,
      (error: unknown) => error,
    );
    if (fault === null) return true;
    await delay(RETRY_MS);
  }
  return false;
}

/** A port that nobody listened on a moment ago. PostgreSQL can't be asked to find one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
