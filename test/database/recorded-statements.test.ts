import { expect, test } from 'vitest';
import { storedStatements } from './recorded-statements.ts';

test('of recorded statements those on rows are stored, but for what shorter ones have shown already', () => {
  const record = (...texts: readonly string[]): string => texts.map((text) => `${JSON.stringify(text)}\n`).join('');
  const stored = storedStatements([
    record('begin; set local x = 1', 'create table one ()', 'select a\n  from one'),
    record('select a from one', 'select a, a from one', `select b from one where a = 'other words'`),
    record('select name from schema_files', 'select c -- of both\nfrom two'),
  ]);
  expect(stored).toEqual([
    'select a from one',
    `select b from one where a = 'other words'`,
    'select c -- of both\nfrom two',
  ]);
});
