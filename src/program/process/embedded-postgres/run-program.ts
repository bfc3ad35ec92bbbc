import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import type { ServerAccount } from './server-account.ts';
import { oneLine } from '../../../lib/one-line.ts';

/**
 * Starts one of PostgreSQL's programs as the server's account. It gets nothing of this process's environment (which
 * holds credentials and may hold PG* variables), and a process group of its own, so that a Ctrl-C in the terminal
 * reaches only the gateway, which stops the database last.
 */
export function spawnAs(
  account: ServerAccount,
  program: string,
  options: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  return spawn(program, options, {
    stdio,
    detached: true,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    ...(account.foreign ? { uid: account.uid, gid: account.gid } : {}),
  });
}

/** Runs a program to its end. @throws EmbeddedPostgresFault with its error output. */
export async function runProgram(program: string, options: readonly string[], account: ServerAccount): Promise<void> {
  const child = spawnAs(account, program, options, ['ignore', 'ignore', 'pipe']);
  const complaints: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const status = await new Promise<number | string | null>((resolve, reject) => {
    child.once('error', (error) => reject(spawnFault(error, account)));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  if (status === 0) return;
  const name = program.slice(program.lastIndexOf('/') + 1);
  throw new EmbeddedPostgresFault(`${name} failed (${status}): ${oneLine(complaints.join(''), '; ')}`);
}

/** The fault for a program that could not be started. */
export function spawnFault(error: Error, account: ServerAccount): EmbeddedPostgresFault {
  return new EmbeddedPostgresFault(
    `PostgreSQL can't be started as user ${account.name} (${error.message}): start as an ordinary user, or set DATABASE_URL`,
    { cause: error },
  );
}
