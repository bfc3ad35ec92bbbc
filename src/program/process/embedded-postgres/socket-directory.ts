import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import { canReach, type ServerAccount } from './server-account.ts';

// The server's socket is in the cluster's own directory, which is private. A socket's path may have 107 bytes (103 on
// macOS), so with a deep data directory the socket is in a private directory below the temporary one.

const pathBytesMax = process.platform === 'darwin' ? 103 : 107;
const prefix = 'faregate-';

/** Returns a directory that only the server's account (and root) may enter, with a short enough path for a socket. */
export async function makeSocketDirectory(cluster: string, account: ServerAccount): Promise<string> {
  if (fits(cluster)) return cluster;
  for (const parent of [tmpdir(), '/tmp']) {
    if (!fits(join(parent, `${prefix}XXXXXX`))) continue;
    if (!(await canReach(account, parent).catch(() => false))) continue;
    const directory = await mkdtemp(join(parent, prefix));
    if (account.foreign) await chown(directory, account.uid, account.gid);
    return directory;
  }
  throw new EmbeddedPostgresFault(
    `${cluster} is too long a path for a socket, and ${tmpdir()} can't be used instead: give a shorter data directory with --data`,
  );
}

/** Removes a directory that makeSocketDirectory made, and nothing else. */
export async function removeSocketDirectory(directory: string, cluster: string): Promise<void> {
  if (directory === cluster || !basename(directory).startsWith(prefix)) return;
  if (![tmpdir(), '/tmp'].includes(dirname(directory))) return;
  await rm(directory, { recursive: true, force: true });
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, '.s.PGSQL.5432')) <= pathBytesMax;
}
