import { constants, existsSync } from 'node:fs';
import { access, chmod, glob, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BUILT_PROGRAM } from './built-program.ts';
import { PREPARED_CLUSTER, SERVER_PREFIX } from './prepared-cluster.ts';

// Where the tests' directories lie, the prepared cluster among them: in memory, where the system has a file system for that.
// Every database there is lives for a moment, and making its thousand files on a disk takes longer than all that is done
// with them. Programs that are killed lose as much there as on a disk: nothing.

const IN_MEMORY = '/dev/shm';
const BYTES_MIN = 4 * 2 ** 30;
/** How long a server may take to end. */
const [LOOK_MS, LOOKS_MAX] = [20, 500];

/** Whether programs can be run there, and there is room for the databases of a few tests at once. */
async function serves(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.W_OK);
    const { bavail, bsize } = await statfs(directory);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const options = mounts.findLast(([, path]) => path === directory)?.[3]?.split(',') ?? ['noexec'];
    return bavail * bsize >= BYTES_MIN && !options.includes('noexec');
  } catch {
    return false;
  }
}

/** What the projects of a run share: each of them loads this file for itself. */
interface Shared {
  root: string | null;
  users: number;
  readonly former: Record<string, string | undefined>;
}

const here = globalThis as { scratchRoot?: Shared };
const shared = (here.scratchRoot ??= { root: null, users: 0, former: {} });

/** Vitest calls it before the tests of each project. The first makes what all use. */
export async function setup(): Promise<void> {
  shared.users += 1;
  if (shared.root !== null) return;
  const root = await mkdtemp(join((await serves(IN_MEMORY)) ? IN_MEMORY : tmpdir(), 'faregate-tests-'));
  // Started by root, databases run as another user, who must be able to reach their directories inside.
  await chmod(root, 0o711);
  shared.root = root;
  for (const [name, value] of [
    ['TMPDIR', root],
    [PREPARED_CLUSTER, join(root, 'cluster')],
    [BUILT_PROGRAM, join(root, 'program')],
  ] as const) {
    shared.former[name] = process.env[name];
    process.env[name] = value;
  }
}

/** Ends the database servers of workers, which have ended before them: nothing that they have is needed any more. */
async function endServers(directory: string): Promise<void> {
  for await (const name of glob(`${SERVER_PREFIX}*/postgres/postmaster.pid`, { cwd: directory })) {
    const file = join(directory, name);
    try {
      process.kill(Number.parseInt(await readFile(file, 'utf8'), 10), 'SIGQUIT');
    } catch {
      continue;
    }
    // The last thing that a server does.
    for (let looks = 0; existsSync(file) && looks < LOOKS_MAX; looks++) await delay(LOOK_MS);
  }
}

/** And after them, in the last project: removes what they have left. */
export async function teardown(): Promise<void> {
  const { root, former } = shared;
  shared.users -= 1;
  if (root === null || shared.users > 0) return;
  shared.root = null;
  await endServers(root);
  for (const [name, value] of Object.entries(former)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(root, { recursive: true, force: true });
}
