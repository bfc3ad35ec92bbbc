import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

// Runs the tests with Python's clients. Their packages, 340 MB of them, are installed once for each list of versions, into a
// virtual environment in the user's cache: far too much for every `npm test`.

const ROOT = join(import.meta.dirname, '..');
const REQUIREMENTS = join(ROOT, 'test/sdk/python/requirements.txt');
const TEST = 'test/sdk/other-clients.test.ts';

function run(program: string, parameters: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, error } = spawnSync(program, parameters, { cwd: ROOT, env, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`"${program} ${parameters.join(' ')}" failed${error === undefined ? '' : `: ${error.message}`}.`);
  process.exit(1);
}

/** The Python of an environment that has the packages; made where there is none. */
function installed(): string {
  const versions = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const environment = join(cache, 'faregate', `python-clients-${versions}`);
  const python = join(environment, 'bin/python');
  const mark = join(environment, 'installed.txt');
  if (existsSync(mark)) return python;
  rmSync(environment, { recursive: true, force: true });
  run('python3', ['-m', 'venv', environment]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS]);
  // An installation that was cut off has no mark, and is made again.
  copyFileSync(REQUIREMENTS, mark);
  return python;
}

const python = installed();
console.log(`Python's clients are in ${dirname(dirname(python))}.`);
run(join(ROOT, 'tools/with-node'), ['vitest', 'run', TEST], { ...process.env, FAREGATE_PYTHON: python });
