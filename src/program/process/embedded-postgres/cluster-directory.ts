import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '../../../lib/whole-file.ts';
import { errorCode } from '../data-directory-files.ts';
import type { DataDirectory } from '../data-directory.ts';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import { runProgram } from './run-program.ts';
import { canReach, chooseServerAccount, permits, type ServerAccount } from './server-account.ts';
import type { ServerBinaries } from './server-binaries.ts';

// The location of the database's files, and their creation. They are in the data directory; only if root starts the
// server below a directory that the server's user can't traverse are they in /var/lib, under the instance's id.

/** The directory of one database, existing or to be created, and the account that owns it. */
export interface ClusterDirectory {
  readonly path: string;
  readonly account: ServerAccount;
  readonly exists: boolean;
  /** Whether it is outside the data directory. */
  readonly outside: boolean;
}

export const databaseUser = 'faregate';
const leaf = 'postgres';
const outsideParent = '/var/lib/faregate';

/** Decides the cluster's directory, and the account that runs it. @throws EmbeddedPostgresFault */
export async function findClusterDirectory(
  data: Pick<DataDirectory, 'path' | 'instanceId'>,
): Promise<ClusterDirectory> {
  const inside = join(data.path, leaf);
  const outside = join(outsideParent, data.instanceId, leaf);
  for (const path of [inside, outside]) {
    const owner = await ownerOf(path);
    if (owner === null) continue;
    const account = await chooseServerAccount(owner);
    if (path === inside) await letThrough(account, data.path);
    if (!(await canReach(account, dirname(path)))) {
      throw new EmbeddedPostgresFault(
        `the database in ${path} can't be reached by user ${account.name} any more: let others pass through the directories above it (chmod o+x)`,
      );
    }
    return { path, account, exists: true, outside: path === outside };
  }
  const account = await chooseServerAccount(null);
  await letThrough(account, data.path);
  const reachable = await canReach(account, data.path);
  return { path: reachable ? inside : outside, account, exists: false, outside: !reachable };
}

async function ownerOf(cluster: string): Promise<number | null> {
  try {
    await stat(join(cluster, 'PG_VERSION'));
    return (await stat(cluster)).uid;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new EmbeddedPostgresFault(`the database in ${cluster} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** Lets another account traverse a private data directory through its group, without being able to list it. */
async function letThrough(account: ServerAccount, directory: string): Promise<void> {
  if (!account.foreign || (await permits(account, directory, 0o1))) return;
  const { mode, uid, gid } = await stat(directory);
  if (gid !== account.gid && (mode & 0o070) !== 0) return;
  try {
    await chown(directory, uid, account.gid);
    await chmod(directory, (mode & 0o7777) | 0o010);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EROFS', 'EINVAL'].includes(errorCode(error))) throw error;
  }
}

// Settings for a small machine shared with the gateway. They are in the cluster's own postgresql.conf, so operators may
// change them.
const initialSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  min_wal_size: '256MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

// Set last: initdb writes all pages to the WAL, and compressing them would take longer than everything else.
const lastSetting = "wal_compression = 'pglz'";

// A commit that needs a new WAL file fills it with zeros first, and all others wait for it. Small files halve the
// longest wait; files that a checkpoint no longer needs are recycled, up to min_wal_size at least.
const WAL_FILE_MB = 4;

/**
 * Creates the cluster in a temporary directory and renames it, so that an interrupted first boot leaves nothing that
 * blocks the next.
 */
export async function initialiseCluster(cluster: ClusterDirectory, binaries: ServerBinaries): Promise<void> {
  const parent = dirname(cluster.path);
  const { account } = cluster;
  if (cluster.outside) await makePassable(parent);
  await removeLeftovers(cluster.path);
  const draft = `${cluster.path}.draft-${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(draft, { mode: 0o700 });
    if (account.foreign) await chown(draft, account.uid, account.gid);
    const settings = Object.entries(initialSettings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const options = ['--username', databaseUser, '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8'];
    const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions'];
    const wal = ['--wal-segsize', String(WAL_FILE_MB)];
    await runProgram(binaries.initdb, ['--pgdata', draft, ...options, ...locale, ...wal, ...settings], account);
    await appendFile(join(draft, 'postgresql.conf'), `${lastSetting}\n`, { flush: true });
    await rename(draft, cluster.path);
    await syncDirectory(parent);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (error instanceof EmbeddedPostgresFault) throw error;
    throw new EmbeddedPostgresFault(`the database can't be created in ${cluster.path} (${errorCode(error)})`, {
      cause: error,
    });
  }
}

async function makePassable(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(dirname(directory), 0o711);
  await chmod(directory, 0o711);
}

/** Removes temporary directories of interrupted first boots, and an empty cluster directory. */
async function removeLeftovers(cluster: string): Promise<void> {
  for (const entry of await readdir(dirname(cluster))) {
    if (!entry.startsWith(`${leaf}.draft-`)) continue;
    await rm(join(dirname(cluster), entry), { recursive: true, force: true, maxRetries: 3 });
  }
  const entries = await readdir(cluster).catch(() => []);
  if (entries.length > 0) {
    throw new EmbeddedPostgresFault(`${cluster} is not a PostgreSQL data directory and not empty: move it away`);
  }
  await rm(cluster, { recursive: true, force: true });
}

/** Refuses a cluster of another major version. @throws EmbeddedPostgresFault */
export async function checkClusterVersion(cluster: string, binaries: ServerBinaries): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found === binaries.major) return;
  throw new EmbeddedPostgresFault(
    `the database in ${cluster} was made by PostgreSQL ${found} and this program brings ${binaries.major}: ` +
      `back it up with the program that made it, then restore it into an empty data directory`,
  );
}
