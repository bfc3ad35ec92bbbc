import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rm, stat, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { connectionsWithin, openFilesFor } from '../../lib/open-files.ts';
import { fail, type Finding, ok, textOf, warn } from './finding.ts';

// Checks of an instance's surroundings. A check never throws: an unknown fact is a finding too.

/** As `engines` in package.json, for a start without the launcher. */
const NODE_MIN = [22, 19] as const;
const GIB = 1_073_741_824;
const FREE_BYTES_MIN = GIB / 4;
const FREE_BYTES_AMPLE = 2 * GIB;
const SYNC_MS_AMPLE = 100;
const CONNECT_MS_MAX = 3_000;

/** Checks the version of Node. */
export function checkRuntime(version: string): Finding {
  const message = `Node ${version} on ${process.platform} ${process.arch}`;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const suffices = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);
  return suffices ? ok('runtime', message) : fail('runtime', message, `use Node ${NODE_MIN.join('.')} or newer`);
}

/** The permissions of the data directory. */
export async function checkDataDirectory(path: string): Promise<Finding> {
  const check = 'data directory';
  const existing = await nearestExisting(path);
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return fail(
      check,
      `${existing} is not writable for this user`,
      'change its owner, or give another directory with --data',
    );
  if (existing !== path) return ok(check, `${path} does not exist yet; the start creates it`);
  const status = await stat(path);
  if (!status.isDirectory()) return fail(check, `${path} is not a directory`, 'give another one with --data');
  // Traversal is allowed: under root, the embedded database runs as another user, in a directory of its own below.
  if ((status.mode & 0o066) !== 0)
    return warn(check, `other users can list or change ${path}`, `run chmod go-rw ${path}`);
  return ok(check, `${path} is closed to other users`);
}

/** Whether files of a sink can be written. Under root they always can, unless the disk is read-only. */
export async function checkSinkDirectory(sink: string, path: string): Promise<Finding> {
  const check = `sink ${sink}`;
  const existing = await nearestExisting(path);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    if ((await stat(existing)).isDirectory()) return ok(check, `${path} is writable`);
  } catch (error) {
    return fail(check, `no files can be written in ${path}: ${textOf(error)}`, `change the owner of ${existing}`);
  }
  return fail(check, `${existing} is not a directory`, `name another path in sinks.${sink}.path`);
}

/** Checks the free space for the database and the journal. */
export async function checkDiskSpace(path: string): Promise<Finding> {
  const check = 'disk space';
  try {
    const { bavail, bsize } = await statfs(await nearestExisting(path));
    const free = bavail * bsize;
    const message = `${(free / GIB).toFixed(1)} GiB free`;
    if (free < FREE_BYTES_MIN) return fail(check, message, 'free some space: a full disk stops all requests');
    return free < FREE_BYTES_AMPLE ? warn(check, message, 'free some space before it is full') : ok(check, message);
  } catch (error) {
    return warn(check, `unknown: ${textOf(error)}`, 'check that the disk has room');
  }
}

/** Checks whether writes to the data directory can be made durable, and how fast. */
export async function checkFsync(path: string): Promise<Finding> {
  const check = 'fsync';
  const probe = join(await nearestExisting(path), `.doctor-${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(probe, 'wx', 0o600);
    const started = performance.now();
    try {
      await file.write('x');
      await file.sync();
    } finally {
      await file.close();
    }
    const ms = performance.now() - started;
    const message = `the disk takes ${ms.toFixed(1)} ms to make a write durable`;
    return ms > SYNC_MS_AMPLE
      ? warn(check, message, 'every charge waits for this: use a faster disk')
      : ok(check, message);
  } catch (error) {
    return fail(
      check,
      `a write cannot be made durable: ${textOf(error)}`,
      'put the data directory on a disk that supports fsync',
    );
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** Checks whether the limit of open files allows the configured connections. */
export function checkOpenFiles(openFilesMax: number, connectionsMax: number): Finding {
  const check = 'open files';
  const message = `${openFilesMax} allowed`;
  const needed = openFilesFor(connectionsMax);
  if (openFilesMax >= needed) return ok(check, message);
  const taken = connectionsWithin(openFilesMax);
  return warn(
    check,
    `${message}: it accepts ${taken} connections of callers instead of the ${connectionsMax} of server.connections_max`,
    `allow ${needed} (ulimit -n)`,
  );
}

/** Checks whether something listens at the database's address. The embedded database runs with the instance. */
export async function checkDatabaseAddress(address: string | null): Promise<Finding> {
  const check = 'database';
  if (address === null) return ok(check, 'embedded: it runs with the instance, which refuses to run it without fsync');
  const url = new URL(address);
  const host = decodeURIComponent(url.searchParams.get('host') ?? url.hostname).replace(/^\[|\]$/g, '') || 'localhost';
  const port = Number(url.searchParams.get('port') ?? (url.port === '' ? '5432' : url.port));
  const failure = await connectionFailure(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  if (failure === null) return ok(check, `${host}:${port} takes connections`);
  return fail(
    check,
    `${host}:${port} accepts no connections: ${failure}`,
    'start the database, or correct database.url (DATABASE_URL)',
  );
}

function connectionFailure(target: { path: string } | { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(target);
    const finish = (failure: string | null) => {
      socket.destroy();
      resolve(failure);
    };
    socket.setTimeout(CONNECT_MS_MAX, () => finish('no answer'));
    socket.once('connect', () => finish(null));
    socket.once('error', (error) => finish(textOf(error)));
  });
}

async function nearestExisting(path: string): Promise<string> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  return there || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** The inputs of an examination. */
export interface Surroundings {
  /** The finding about the configuration. */
  readonly config: Finding;
  readonly dataDirectory: string;
  readonly openFilesMax: number;
  /** Connections of callers, as configured; null if the configuration can't be read. */
  readonly connectionsMax: number | null;
  /** The check of the database; null to skip it. */
  readonly database: Promise<Finding> | null;
}

/** Checks everything that this process, or one started from here, needs to serve. */
export async function examine(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { config, dataDirectory, openFilesMax, connectionsMax, database } = surroundings;
  return [
    checkRuntime(process.versions.node),
    config,
    await checkDataDirectory(dataDirectory),
    await checkDiskSpace(dataDirectory),
    await checkFsync(dataDirectory),
    ...(connectionsMax === null ? [] : [checkOpenFiles(openFilesMax, connectionsMax)]),
    ...(database === null ? [] : [await database]),
  ];
}
