import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Clients of other makers that are far too large for every `npm test`: they are installed once for each list of versions
// into the user's cache, and tests run with them.

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '..');

/** Runs a program to its end; a failure ends this process. */
export function run(program: string, parameters: readonly string[], cwd: string = ROOT): void {
  spawn(program, parameters, cwd, process.env);
}

/**
 * A directory in the user's cache that has what the file lists; `install` fills an empty one if there is none.
 * `list` is the file's path from the repository's root.
 */
export function installedOnce(name: string, list: string, install: (directory: string) => void): string {
  const file = join(ROOT, list);
  const versions = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const directory = join(cache, 'faregate', `${name}-${versions}`);
  const mark = join(directory, 'installed.txt');
  if (!existsSync(mark)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    install(directory);
    // An installation that was cut off has no mark, and is made again.
    copyFileSync(file, mark);
  }
  console.log(`The ${name} are in ${directory}.`);
  return directory;
}

/** Runs a test file with the variables; a failure ends this process. */
export function runTest(test: string, variables: Readonly<Record<string, string>>): void {
  spawn(join(ROOT, 'tools/with-node'), ['vitest', 'run', test], ROOT, { ...process.env, ...variables });
}

function spawn(program: string, parameters: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const { status, error } = spawnSync(program, parameters, { cwd, env, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`"${program} ${parameters.join(' ')}" failed${error === undefined ? '' : `: ${error.message}`}.`);
  process.exit(1);
}
