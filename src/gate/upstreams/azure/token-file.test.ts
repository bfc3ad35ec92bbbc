import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TokenFile } from './token-file.ts';

let folder: string;
let nowMs: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faregate-token-'));
  nowMs = 0;
});

afterEach(() => rm(folder, { recursive: true }));

async function tokenFile(content: string): Promise<{ path: string; file: TokenFile }> {
  const path = join(folder, 'token');
  await writeFile(path, content);
  return { path, file: new TokenFile(path, () => nowMs) };
}

/** The token a good while after the last look. */
function later(file: TokenFile): string | null {
  nowMs += 60_000;
  return file.current();
}

test('a token is read without the white space around it', async () => {
  const { file } = await tokenFile('\n first.token \n');
  expect(file.current()).toBe('first.token');
});

test('a renewed token takes the place of the former one, soon but not at each look', async () => {
  const { path, file } = await tokenFile('first');
  expect(file.current()).toBe('first');
  await writeFile(path, 'second, ');
  await writeFile(path, 'renewed');
  expect(file.current()).toBe('first');
  expect(later(file)).toBe('renewed');
});

test('a token that is renewed by turning a link to another file is seen', async () => {
  // Kubernetes renews the files of a volume so.
  for (const version of ['one', 'two']) {
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, 'token'), `token-${version}`);
  }
  await symlink(join(folder, 'one'), join(folder, 'now'));
  const file = new TokenFile(join(folder, 'now', 'token'), () => nowMs);
  expect(file.current()).toBe('token-one');
  await symlink(join(folder, 'two'), join(folder, 'next'));
  await rename(join(folder, 'next'), join(folder, 'now'));
  expect(later(file)).toBe('token-two');
});

test('a file that is gone, empty or no token leaves the former token', async () => {
  const { path, file } = await tokenFile('first');
  expect(file.current()).toBe('first');
  await writeFile(path, '');
  expect(later(file)).toBe('first');
  await writeFile(path, 'two\nlines');
  expect(later(file)).toBe('first');
  await rm(path);
  expect(later(file)).toBe('first');
  await writeFile(path, 'second');
  expect(later(file)).toBe('second');
});

test('where there never was a token there is none', async () => {
  const { file } = await tokenFile('');
  expect(file.current()).toBeNull();
  expect(new TokenFile(join(folder, 'nowhere')).current()).toBeNull();
});
