import { expect, test } from 'vitest';
import { FILES, linesMatching } from './tree.ts';

const code = FILES.filter(({ path }) => /\.tsx?$/.test(path));
const program = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));
const tests = code.filter(({ path }) => /\.test\.tsx?$/.test(path));

test('code reads the environment in src/config alone, so that every setting is checked and documented', () => {
  const elsewhere = program.filter(({ path }) => !path.startsWith('src/config/'));
  expect(linesMatching(elsewhere, /\bprocess\s*(\?\.|\.|\[\s*['"])\s*env\b|from 'node:process'/)).toEqual([]);
});

test('code exports everything by its name', () => {
  const named = code.filter(({ path }) => !path.endsWith('.config.ts'));
  expect(linesMatching(named, /^export default\b|\bas default\b/)).toEqual([]);
});

test('code silences no checker without saying why', () => {
  const silenced = /(oxlint|eslint)-disable(?!.* -- )/;
  expect(linesMatching(program, silenced)).toEqual([]);
  expect(linesMatching(code, /@ts-(ignore|nocheck|expect-error)\b/)).toEqual([]);
});

test('tests are all run: none is singled out, none is put aside', () => {
  expect(linesMatching(tests, /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo)\b/)).toEqual([]);
});
