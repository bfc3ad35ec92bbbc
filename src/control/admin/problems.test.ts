import { expect, test } from 'vitest';
import type { ControlSql } from '../../lib/control-sql.ts';
import { DatabaseUnavailable, type UnavailableReason } from '../../lib/sql.ts';
import { findProblems } from './problems.ts';

const CATALOGUE = { configured: [], list: () => [] };
const PARTS = { keyring: { problem: () => Promise.resolve(null) }, planned: [], nowMs: 0 };

const failing = (fault: Error): ControlSql => ({ query: () => Promise.reject(fault) }) as unknown as ControlSql;

test.each<[UnavailableReason, string]>([
  ['away', 'The database does not answer.'],
  ['busy', "All of the control plane's connections to the database are in use."],
  ['stopped', 'The database takes too long to answer.'],
  ['contended', 'The database takes too long to answer.'],
  ['exhausted', 'The database ran out of memory, disk space or connections: see its log.'],
])('a database that is %s is the one problem that is named: %s', async (reason, problem) => {
  const sql = failing(new DatabaseUnavailable('no', { reason }));
  expect(await findProblems(sql, CATALOGUE, PARTS)).toEqual([problem]);
});

test('a bug is no problem of the instance', async () => {
  await expect(findProblems(failing(new TypeError('boom')), CATALOGUE, PARTS)).rejects.toThrow('boom');
});
