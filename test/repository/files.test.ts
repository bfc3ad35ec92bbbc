import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, linesMatching } from './tree.ts';

const LINES_MAX = 500;

/** Files that were longer when the rule came, with their length. A length here is only ever lowered. */
const LONG_FILES: Readonly<Record<string, number>> = {};

const GENERATED = /^(src\/program\/database\/schema|test\/database\/versions\/\w+)\.sql$/;

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const written = FILES.filter(
  ({ path }) => /\.(tsx?|mjs|sql|css|html)$/.test(path) && !isTest(path) && !GENERATED.test(path),
);

test('files are at most 500 lines long, and those that are longer only ever shrink', () => {
  const long = written
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX);
  expect(Object.fromEntries(long.map(({ path, lines }) => [path, lines]))).toEqual(LONG_FILES);
});

test('files are named for what is in them', () => {
  const vague = /(^|-)(utils?|helpers?|common|managers?|misc|shared)\./;
  expect(FILES.map(({ path }) => path).filter((path) => vague.test(basename(path)))).toEqual([]);
});

test('files name no path of the machine that they were written on', () => {
  const machinePath = new RegExp(String.raw`(?<![\w.*$}])/(${['work', 'root', 'home', 'Users'].join('|')})/`);
  expect(linesMatching(FILES, machinePath)).toEqual([]);
});

test('files name no package registry', () => {
  const registries = ['registry.', 'npmjs.', 'artifactory', 'verdaccio', 'nexus.'];
  const registry = new RegExp(String.raw`https?://[^\s"']*(${registries.join('|').replaceAll('.', '\\.')})`, 'i');
  expect(linesMatching(FILES, registry)).toEqual([]);
});

test('files hold no unfinished business and no merge conflict', () => {
  // The brackets keep the pattern from matching itself.
  expect(linesMatching(FILES, /\b(T[O]DO|FIX[M]E|X[X]X)\b|^(<{7}|>{7}) /)).toEqual([]);
});
