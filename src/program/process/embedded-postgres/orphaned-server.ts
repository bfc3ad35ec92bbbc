import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import type { ServerLog } from './server-log.ts';
import { removeSocketDirectory } from './socket-directory.ts';

// Remains of a killed gateway: a server that is still running, or files that claim one is. This process holds the data
// directory's lock, so no other process can be using that server. A pid file proves nothing, since its number may now
// be another program's, as it usually is in containers. The process's working directory, which is the cluster's, does.

interface PidFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly pid: number;
}

/** Stops servers that still run on the cluster, and removes stale files. @throws EmbeddedPostgresFault */
export async function clearOrphanedServer(cluster: string, log: ServerLog): Promise<void> {
  const pidFile = await readPidFile(cluster);
  const running = await findServers(cluster, pidFile);
  if (running.length > 0) {
    log.warn(`stopping a PostgreSQL server that a killed instance left behind (pid ${running.join(', ')})`);
    await stopServers(cluster, pidFile, running);
  }
  await disarmPidFile(await readPidFile(cluster));
  await removeSocketFiles(pidFile, cluster);
}

async function stopServers(cluster: string, pidFile: PidFile | null, running: readonly number[]): Promise<void> {
  const postmaster = running.find((pid) => pid === pidFile?.pid);
  if (postmaster !== undefined) signal([postmaster], 'SIGINT');
  else signal(running, 'SIGQUIT');
  for (const [patienceMs, next] of [
    [10_000, 'SIGQUIT'],
    [5_000, 'SIGKILL'],
    [5_000, null],
  ] as const) {
    const left = await waitGone(cluster, pidFile, patienceMs);
    if (left.length === 0) return;
    if (next === null)
      throw new EmbeddedPostgresFault(`an orphaned PostgreSQL server can't be stopped: end pid ${left.join(', ')}`);
    signal(left, next);
  }
}

async function waitGone(cluster: string, pidFile: PidFile | null, patienceMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const left = await findServers(cluster, pidFile);
    if (left.length === 0 || performance.now() > deadline) return left;
    await delay(20);
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended already; a later look-up finds any that are left.
    }
  }
}

async function findServers(cluster: string, pidFile: PidFile | null): Promise<readonly number[]> {
  if (process.platform === 'linux') return findServersInProc(await realpath(cluster));
  if (pidFile === null) return [];
  const command = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pidFile.pid)]).catch(() => ({
    stdout: '',
  }));
  return command.stdout.includes('postgres') && command.stdout.includes(cluster) ? [pidFile.pid] : [];
}

async function findServersInProc(cluster: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const directory = await readlink(`/proc/${entry}/cwd`).catch(() => '');
    if (directory !== cluster) continue;
    const program = await readlink(`/proc/${entry}/exe`).catch(() => '');
    if (basename(program).startsWith('postgres')) found.push(Number(entry));
  }
  return found;
}

async function readPidFile(cluster: string): Promise<PidFile | null> {
  const path = join(cluster, 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { path, lines, pid: Number.parseInt(lines[0] ?? '', 10) };
}

/**
 * Keeps a pid that now is another program's from blocking the start. The rest of the file is kept, because the server
 * checks the shared memory named there to be sure that no process of its predecessor lives. It considers the pid of its
 * parent, this process, stale.
 */
async function disarmPidFile(pidFile: PidFile | null): Promise<void> {
  if (pidFile === null) return;
  if (Number.isNaN(pidFile.pid)) await rm(pidFile.path, { force: true });
  else await writeFile(pidFile.path, [String(process.pid), ...pidFile.lines.slice(1)].join('\n'));
}

const socketDirectoryLine = 4;

async function removeSocketFiles(pidFile: PidFile | null, cluster: string): Promise<void> {
  for (const file of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(cluster, file), { force: true });
  const elsewhere = pidFile?.lines[socketDirectoryLine];
  if (elsewhere !== undefined) await removeSocketDirectory(elsewhere, cluster);
}
