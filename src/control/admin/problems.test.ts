import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
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

let stage: TestDatabase;

beforeAll(async () => {
  stage = await startTestDatabase();
});

afterAll(async () => {
  await stage.stop();
});

test('the proof of the ledger is a problem while the newest one found differences, and only then', async () => {
  const found = async (at: string, differences: number): Promise<readonly string[]> => {
    await stage.control.query(
      `insert into ledger_verifications (started_at, difference_count, differences) values ($1, $2, '[]')`,
      [at, differences],
    );
    return (await findProblems(stage.control, CATALOGUE, PARTS)).filter((problem) => problem.includes('ledger'));
  };
  expect(await found('2026-11-01T00:00:00Z', 0)).toEqual([]);
  expect(await found('2026-11-02T00:00:00Z', 3)).toEqual([
    expect.stringContaining('verified, at 2026-11-02T00:00:00.000Z (3 differences)'),
  ]);
  expect(await found('2026-11-03T00:00:00Z', 0)).toEqual([]);
});
