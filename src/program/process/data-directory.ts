import { randomUUID } from 'node:crypto';
import { access, constants, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DataDirectoryFault,
  errorCode,
  keepInstanceId,
  keepOperatorToken,
  removeAddressFile,
  writeAddressFile,
} from './data-directory-files.ts';

// The directory that one instance owns while it runs. Ownership is an exclusive SQLite transaction on a file that stays
// empty: the operating system releases its lock however the process dies. A pid file could be stale, above all in
// containers, where every instance has the same few pids.

/** The files that the holder of a data directory uses. */
export interface Home {
  readonly path: string;
  /** Identifies this directory for as long as it exists; a UUID. */
  readonly instanceId: string;
  /** Grants access to the admin API. */
  readonly operatorToken: string;
}

/** A data directory that this process holds exclusively until `release`. */
export interface DataDirectory extends Home {
  /** Writes the address of the running instance, for the commands. */
  writeAddress(url: string): Promise<void>;
  /** Releases the directory for other processes. */
  release(): Promise<void>;
}

/**
 * Creates the directory (0700) and its parents if they are missing, and locks it for this process.
 * @throws DataDirectoryFault if another process holds it or it can't be written.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const directory = resolve(path);
  await makeWritable(directory);
  const lock = takeLock(directory);
  try {
    const instanceId = await keepInstanceId(directory, randomUUID);
    const operatorToken = await keepOperatorToken(directory);
    await removeAddressFile(directory);
    return {
      path: directory,
      instanceId,
      operatorToken,
      writeAddress: (url) => writeAddressFile(directory, url),
      release: async () => {
        if (!lock.isOpen) return;
        await removeAddressFile(directory);
        dropLock(lock);
      },
    };
  } catch (error) {
    dropLock(lock);
    throw unusable(directory, error);
  }
}

async function makeWritable(directory: string): Promise<void> {
  try {
    // Its parents get the usual mode: the database's user may have to traverse them.
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(directory, error);
  }
}

// The garbage collector would close an unreferenced lock.
const locksHeld = new Set<DatabaseSync>();

function dropLock(lock: DatabaseSync): void {
  locksHeld.delete(lock);
  lock.close();
}

function takeLock(directory: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
    lock.exec('pragma journal_mode = memory; begin exclusive');
    locksHeld.add(lock);
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) {
      throw new DataDirectoryFault(
        `data directory ${directory} is in use by another running instance: stop that one, or give another directory with --data`,
        { cause: error },
      );
    }
    throw unusable(directory, error);
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function unusable(directory: string, error: unknown): DataDirectoryFault {
  if (error instanceof DataDirectoryFault) return error;
  return new DataDirectoryFault(
    `data directory ${directory} can't be written (${errorCode(error)}): make it writable for this user, or give another with --data`,
    { cause: error },
  );
}
