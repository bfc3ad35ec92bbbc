import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';

// Chooses the user that runs the server. PostgreSQL refuses to run as root, requires that the user owns the data
// directory, and looks the user up in the password database.

/** A user that runs the server. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** Whether it differs from this process's user, so that files must be given to it. */
  readonly foreign: boolean;
}

/**
 * Returns the account that runs the server: the owner of an existing cluster, if there is one. @throws
 * EmbeddedPostgresFault
 */
export async function chooseServerAccount(clusterOwnerUid: number | null): Promise<ServerAccount> {
  const own = process.getuid?.() ?? 0;
  if (own === 0) return accountForRoot(await readAccounts(), clusterOwnerUid);
  if (clusterOwnerUid !== null && clusterOwnerUid !== own) {
    throw new EmbeddedPostgresFault(
      `the database belongs to uid ${clusterOwnerUid} and can't be run by uid ${own}: start as that user, or as root`,
    );
  }
  return { uid: own, gid: process.getgid?.() ?? 0, name: ownName(own), foreign: false };
}

function ownName(uid: number): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new EmbeddedPostgresFault(
      `uid ${uid} has no entry in the password database, which PostgreSQL needs: start as a user that has one, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

const namesTried = ['postgres', 'nobody', 'daemon'];

function accountForRoot(accounts: readonly PasswordEntry[], clusterOwnerUid: number | null): ServerAccount {
  const entry =
    clusterOwnerUid === null || clusterOwnerUid === 0
      ? namesTried
          .map((name) => accounts.find((account) => account.name === name && account.uid !== 0))
          .find((found) => found !== undefined)
      : accounts.find((account) => account.uid === clusterOwnerUid);
  if (entry !== undefined) return { ...entry, foreign: true };
  if (clusterOwnerUid === null || clusterOwnerUid === 0) {
    throw new EmbeddedPostgresFault(
      `PostgreSQL doesn't run as root and none of the users ${namesTried.join(', ')} exists: add one, start as an ordinary user, or set DATABASE_URL`,
    );
  }
  throw new EmbeddedPostgresFault(
    `the database belongs to uid ${clusterOwnerUid}, which has no entry in /etc/passwd: add that user, or start as it`,
  );
}

interface PasswordEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

async function readAccounts(): Promise<readonly PasswordEntry[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
}

/** Whether the account may traverse `directory` and everything above it, by modes; access control lists are ignored. */
export async function canReach(account: ServerAccount, directory: string): Promise<boolean> {
  if (!account.foreign) return true;
  for (let path = directory; ; path = dirname(path)) {
    if (!(await permits(account, path, 0o1))) return false;
    if (path === dirname(path)) return true;
  }
}

/** Whether the mode of `path` grants the account all of `bits` (4 read, 2 write, 1 execute or traverse). */
export async function permits(account: ServerAccount, path: string, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
