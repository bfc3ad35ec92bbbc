import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirectoryFault, readAddress, readOperatorToken } from './data-directory-files.ts';
import { openDataDirectory } from './data-directory.ts';

let parent: string;
let path: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'faregate-directory-'));
  path = join(parent, 'a', 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

test('a data directory is private, and its token is readable by its owner alone', async () => {
  const directory = await openDataDirectory(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(path, 'operator-token'))).mode & 0o777).toBe(0o600);
  expect(Buffer.from(directory.operatorToken, 'base64url')).toHaveLength(32);
  await directory.release();
});

test('a data directory keeps its instance id and its token from one life to the next', async () => {
  const first = await openDataDirectory(path);
  await first.release();
  const second = await openDataDirectory(path);
  expect(second.instanceId).toBe(first.instanceId);
  expect(second.operatorToken).toBe(first.operatorToken);
  expect(await readOperatorToken(path)).toBe(first.operatorToken);
  expect((await readdir(path)).toSorted()).toEqual(['instance-id', 'lock', 'operator-token']);
  await second.release();
});

test('a data directory is refused to a second holder in one line that names it', async () => {
  const directory = await openDataDirectory(path);
  const refusal = await openDataDirectory(path).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataDirectoryFault);
  expect((refusal as Error).message).toMatch(/is in use by another running instance: stop that one, or .*--data/);
  expect((refusal as Error).message).toContain(path);
  expect((refusal as Error).message).not.toContain('\n');
  await directory.release();
});

test('a data directory is held against another process, and free as soon as that one is killed', async () => {
  const source = `const { openDataDirectory } = await import(${JSON.stringify(new URL('./data-directory.ts', import.meta.url).href)});
      await openDataDirectory(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(openDataDirectory(path)).rejects.toThrow(DataDirectoryFault);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await openDataDirectory(path)).release();
});

test('a data directory that is a file, or lies below one, is refused in one line', async () => {
  await writeFile(join(parent, 'a'), '');
  await expect(openDataDirectory(path)).rejects.toThrow(/can't be written \((ENOTDIR|EEXIST)\)/);
  await expect(openDataDirectory(join(parent, 'a'))).rejects.toThrow(DataDirectoryFault);
});

test.skipIf(process.getuid?.() === 0)('a data directory that may not be written is refused in one line', async () => {
  await chmod(parent, 0o500);
  await expect(openDataDirectory(path)).rejects.toThrow(/can't be written \(EACCES\)/);
  await chmod(parent, 0o700);
});

test('a data directory tells commands the address while it is held, and says so when nothing runs', async () => {
  const directory = await openDataDirectory(path);
  await expect(readAddress(path)).rejects.toThrow(/has no address: no instance runs there/);
  await directory.writeAddress('http://127.0.0.1:8080');
  expect(await readAddress(path)).toBe('http://127.0.0.1:8080');
  await directory.release();
  await expect(readAddress(path)).rejects.toThrow(DataDirectoryFault);
  await expect(readOperatorToken(join(parent, 'elsewhere'))).rejects.toThrow(/start Faregate there once/);
});
