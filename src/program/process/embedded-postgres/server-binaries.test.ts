import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from './run-program.ts';
import { chooseServerAccount } from './server-account.ts';
import { findServerPackage, prepareServerBinaries } from './server-binaries.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'faregate-binaries-'));
  await chmod(parent, 0o755);
});
afterEach(async () => {
  await chmod(join(parent, 'home', 'package', 'native', 'lib'), 0o755).catch(() => undefined);
  await rm(parent, { recursive: true, force: true });
});

test('programs run where npm put them, once the links of their libraries are made', async () => {
  const account = await chooseServerAccount(null);
  const { postgres, initdb, major } = await prepareServerBinaries(await findServerPackage(), account, []);
  await runProgram(initdb, ['--version'], account);
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  expect(stdout).toMatch(new RegExp(`PostgreSQL\\) ${major}\\.`));
  expect((await lstat(join(postgres, '..', '..', 'lib', 'libpq.so.5'))).isSymbolicLink()).toBe(true);
});

test('a package that the server account cannot use where it is, is copied out once, whole, however many ask together', async () => {
  const account = await chooseServerAccount(null);
  const original = await findServerPackage();
  const root = join(parent, 'home', 'package');
  await cp(original.root, root, { recursive: true, verbatimSymlinks: true });
  await rm(join(root, 'native', 'lib', 'libpq.so.5'), { force: true });
  // Root's server can't enter the home; an ordinary user's can't complete what it may not write.
  if (account.foreign) await chmod(join(parent, 'home'), 0o700);
  else await chmod(join(root, 'native', 'lib'), 0o500);
  const cache = join(parent, 'cache');
  await mkdir(cache);
  const installed = { root, version: original.version };
  const found = await Promise.all([1, 2, 3].map(() => prepareServerBinaries(installed, account, [cache])));
  expect(new Set(found.map(({ postgres }) => postgres)).size).toBe(1);
  expect(await readdir(cache)).toHaveLength(1);
  for (const program of [found[0]?.postgres ?? '', found[0]?.initdb ?? '']) {
    expect(program.startsWith(cache)).toBe(true);
    await runProgram(program, ['--version'], account);
  }
});
