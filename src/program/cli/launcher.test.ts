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

// bin/faregate is run from a copy of the tree whose src/main.ts prints how it was started; without that file it is a package,
// with dist/main.js.

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
  writeFileSync(join(root, 'src/main.ts'), REPORT);
  const { stderr, status } = spawnSync(join(root, 'bin/faregate'), ['start'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^faregate: its runtime is not installed; run "npm ci" in [^\n]+\n$/);
});

/** A directory for the PATH with a Node that calls itself so, and can't do what only newer ones can. */
function nodeOfVersion(version: string): string {
  const directory = join(root, version);
  mkdirSync(directory);
  const script = `#!/bin/sh
case "$*" in
  --external*--version) exit 9 ;;
  --version) echo v${version} ;;
  *) echo "$@" ;;
esac`;
  writeFileSync(join(directory, 'node'), script);
  chmodSync(join(directory, 'node'), 0o755);
  return `${directory}:/usr/bin:/bin`;
}

test.each(['22.19.0', '24.0.0', '26.10.0'])('as a package the launcher runs the built files on Node %s', (version) => {
  const { stdout, status } = spawnSync(join(root, 'bin/faregate'), ['key', 'a b'], {
    encoding: 'utf8',
    env: { PATH: nodeOfVersion(version) },
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^--max-semi-space-size=16 \S+ \/.*\/dist\/main\.js key a b\n$/);
});

test('as a package the launcher gives a Node the options that it has', () => {
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist/main.js'), 'console.log(process.execArgv.join());');
  const { stdout } = spawnSync(join(root, 'bin/faregate'), { encoding: 'utf8' });
  expect(stdout).toMatch(/^--external-memory-accounted-in-global-limit,/);
});

test.each([
  ['20.20.2', /needs Node 22\.19 or newer .* is v20\.20\.2\n$/],
  ['22.18.0', /needs Node 22\.19 or newer .* is v22\.18\.0\n$/],
  ['23.11.0', /needs Node 22\.19 or newer \(not 23\)/],
])('as a package the launcher refuses Node %s in one line', (version, said) => {
  const { stderr, status } = spawnSync(join(root, 'bin/faregate'), {
    encoding: 'utf8',
    env: { PATH: nodeOfVersion(version) },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(said);
  expect(stderr.trim()).not.toContain('\n');
});

test('the program learns by which name its reader runs it: from the PATH, from a folder, or by npm', () => {
  writeFileSync(join(root, 'src/main.ts'), 'console.log(process.env.FAREGATE_COMMAND);');
  const PATH = `${join(root, 'bin')}:/usr/bin:/bin`;
  const named = (command: string, env: NodeJS.ProcessEnv): string =>
    spawnSync(command, { encoding: 'utf8', cwd: root, env }).stdout.trim();
  expect(named('faregate', { PATH })).toBe('faregate');
  expect(named('bin/faregate', { PATH: '/usr/bin:/bin' })).toBe('bin/faregate');
  expect(named('bin/faregate', { PATH, FAREGATE_COMMAND: 'docker exec gate faregate' })).toBe(
    'docker exec gate faregate',
  );
  expect(named('bin/faregate', { PATH: '/usr/bin:/bin', npm_command: 'run-script' })).toBe('bin/faregate');
  const packaged = `${nodeOfVersion('26.10.0')}:${PATH}`;
  rmSync(join(root, 'src/main.ts'));
  writeFileSync(
    join(root, '26.10.0/node'),
    '#!/bin/sh\n[ "$2" = --version ] && echo v26.10.0 || echo "$FAREGATE_COMMAND"',
  );
  expect(named('bin/faregate', { PATH: packaged, npm_command: 'exec' })).toBe('npx faregate');
});
