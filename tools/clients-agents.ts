import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Runs the test with coding agents. They are some 800 MB, and are installed once for each list of versions into the
// user's cache: far too much for every `npm test`.

const ROOT = join(import.meta.dirname, '..');
const PACKAGES = join(ROOT, 'test/dialects/agents.json');
const TEST = 'test/dialects/agents.test.ts';

function run(program: string, parameters: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): void {
  const { status, error } = spawnSync(program, parameters, { cwd, env, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`"${program} ${parameters.join(' ')}" failed${error === undefined ? '' : `: ${error.message}`}.`);
  process.exit(1);
}

/** A directory that has the packages; made if there is none. */
function installed(): string {
  const text = readFileSync(PACKAGES, 'utf8');
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const directory = join(cache, 'faregate', `agents-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`);
  const mark = join(directory, 'installed.txt');
  if (existsSync(mark)) return directory;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), text);
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], directory);
  // It puts the program for this machine in its place.
  run(process.execPath, ['install.cjs'], join(directory, 'node_modules/@anthropic-ai/claude-code'));
  // An installation that was cut off has no mark, and is made again.
  writeFileSync(mark, text);
  return directory;
}

const directory = installed();
console.log(`The agents are in ${directory}.`);
run(join(ROOT, 'tools/with-node'), ['vitest', 'run', TEST], ROOT, { ...process.env, FAREGATE_AGENTS: directory });
