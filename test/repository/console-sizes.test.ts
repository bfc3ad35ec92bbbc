import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KEY_COMMANDS } from '../../src/control/operations/key-commands.ts';
import { ROOT } from './tree.ts';

// What browsers load of the built console, compressed as it is sent at least.

const DIST = join(ROOT, 'console/dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** The chunk and all that it imports before it runs. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name]?.imports ?? []) loadedWith(imported, seen);
  return seen;
}

function kilobytesOf(names: Iterable<string>): number {
  const scripts = [...names].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file))).length, 0) / 1_000;
}

const page = readFileSync(join(DIST, 'index.html'), 'utf8');
const initial = new Set<string>();
for (const [name, { file }] of Object.entries(manifest)) if (page.includes(`src="/${file}"`)) loadedWith(name, initial);

test('the console loads at most 128 kB of script before its first page', () => {
  expect(initial.size).toBeGreaterThan(0);
  const kilobytes = kilobytesOf(initial);
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(128);
});

test('no page of the console needs more than 182 kB of script in all', () => {
  const parts = Object.keys(manifest).filter((name) => !initial.has(name));
  const sizes = parts.map((name) => [name, kilobytesOf(new Set([...initial, ...loadedWith(name)]))]);
  expect(parts.length).toBeGreaterThan(5);
  expect(sizes.filter(([, kilobytes]) => Number(kilobytes) > 182)).toEqual([]);
});

test('the whole console has at most 306 kB of script', () => {
  expect(kilobytesOf(Object.keys(manifest))).toBeLessThanOrEqual(306);
});

test('the console is in few files: only the runtime of its bundler is a script smaller than 1 kB', () => {
  const small = Object.keys(manifest).filter((name) => kilobytesOf([name]) > 0 && kilobytesOf([name]) < 1);
  expect(small.filter((name) => !name.startsWith('_rolldown-runtime'))).toEqual([]);
});

test('the console has the words of commands without their help, which the command line alone prints', () => {
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'));
  const texts = scripts.map(({ file }) => readFileSync(join(DIST, file), 'utf8')).join('\n');
  expect(texts).toContain('key end-former');
  expect(Object.values(KEY_COMMANDS).filter(({ summary }) => texts.includes(summary))).toEqual([]);
});
