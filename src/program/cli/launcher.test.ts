import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

// bin/faregate is run from a copy of the tree whose src/main.ts prints how it was started.

const repository = fileURLToPath(new URL('../../..', import.meta.url));

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'faregate launcher-')));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'src'));
  copyFileSync(join(repository, 'bin/faregate'), join(root, 'bin/faregate'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true }));

const REPORT = `
import { DatabaseSync } from 'node:sqlite';
new DatabaseSync(':memory:').close();
const version: number = Number(process.versions.node.split('.')[0]);
console.log(JSON.stringify({ version, pid: process.pid, args: process.argv.slice(2) }));
`;

/** A PATH whose first `node` is too old. */
function pathWithOldNode(): string {
  const directory = join(root, 'old');
  mkdirSync(directory);
  writeFileSync(join(directory, 'node'), '#!/bin/sh\necho "old node ran" >&2\nexit 99\n');
  chmodSync(join(directory, 'node'), 0o755);
  return `${directory}:/usr/bin:/bin`;
}

test("the launcher uses npm's runtime, whatever node is first on the PATH, and passes arguments unchanged", () => {
  writeFileSync(join(root, 'src/main.ts'), REPORT);
  const { stdout, stderr, status } = spawnSync(join(root, 'bin/faregate'), ['a b', '--json', '', '*'], {
    encoding: 'utf8',
    env: { PATH: pathWithOldNode() },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: 26, args: ['a b', '--json', '', '*'] });
});

test('the launcher gives all threads one malloc arena, unless the environment sets their number', () => {
  writeFileSync(join(root, 'src/main.ts'), 'console.log(process.env.MALLOC_ARENA_MAX);');
  const arenas = (env: Record<string, string>): string =>
    spawnSync(join(root, 'bin/faregate'), { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } })
      .stdout;
  expect(arenas({})).toBe('1\n');
  expect(arenas({ MALLOC_ARENA_MAX: '4' })).toBe('4\n');
});

test('the launcher finds its tree through symbolic links, absolute and relative, and from any directory', () => {
  writeFileSync(join(root, 'src/main.ts'), REPORT);
  mkdirSync(join(root, 'links'));
  symlinkSync('../bin/faregate', join(root, 'links/relative'));
  symlinkSync(join(root, 'links/relative'), join(root, 'links/absolute'));
  const { stdout, status } = spawnSync(join(root, 'links/absolute'), ['x'], { encoding: 'utf8', cwd: '/' });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ args: ['x'] });
  const byName = spawnSync('sh', ['relative', 'y'], { encoding: 'utf8', cwd: join(root, 'links') });
  expect(JSON.parse(byName.stdout)).toMatchObject({ args: ['y'] });
});

test("the program has the launcher's process id, receives its signals, and returns its exit code", async () => {
  writeFileSync(
    join(root, 'src/main.ts'),
    `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  const child = spawn(join(root, 'bin/faregate'), { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const pid = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString())),
  );
  expect(Number(pid)).toBe(child.pid);
  child.kill('SIGTERM');
  expect(await exited).toBe(7);
});

test('compiled code is kept in the home of the user who runs the program, and only there', () => {
  writeFileSync(
    join(root, 'src/main.ts'),
    `import { getCompileCacheDir } from 'node:module';
console.log(JSON.stringify(getCompileCacheDir() ?? null));`,
  );
  const home = join(root, 'home');
  mkdirSync(home);
  const cacheWith = (env: NodeJS.ProcessEnv): string | null => {
    const { stdout } = spawnSync(join(root, 'bin/faregate'), {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...env },
    });
    return JSON.parse(stdout) as string | null;
  };
  expect(cacheWith({ HOME: home })).toContain(join(home, '.cache/faregate'));
  expect(cacheWith({ HOME: home, XDG_CACHE_HOME: root })).toContain(join(root, 'faregate'));
  expect(cacheWith({ HOME: home, NODE_COMPILE_CACHE: join(root, 'mine') })).toContain(join(root, 'mine'));
  expect(cacheWith({})).toBeNull();
  expect(cacheWith({ HOME: join(root, 'nowhere') })).toBeNull();
});

test('the launcher reports in one line that npm ci was not run', () => {
  rmSync(join(root, 'node_modules'));
  const { stderr, status } = spawnSync(join(root, 'bin/faregate'), ['start'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^faregate: its runtime is not installed; run "npm ci" in [^\n]+\n$/);
});
