import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeProject, endKey, openAccount, openKey, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { findExpiringKeys, findNearLimits } from './near-limits.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

test('projects and keys are near their limits from 80 % on, by what was charged and not by what is held', async () => {
  const sql = db.database;
  const account = await openAccount(sql, {
    credit: 1_000_000n,
    project: { budget: 1_000n, budgetPeriod: 'day' },
    key: { spendLimit: 1_100n },
  });
  const scope = scopeOf(account.workspace.id);
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 900n, charge: 799n });
  expect(await findNearLimits(sql, scope, 'project')).toEqual([]);
  await spender.spend(account, { hold: 10n, charge: 1n });
  const { id, name } = account.project;
  expect(await findNearLimits(sql, scope, 'project')).toMatchObject([
    { kind: 'project', id, name, limit: 1_000n, used: 800n, resetsAt: expect.any(Date) as Date },
  ]);
  expect(await findNearLimits(sql, scope, 'key')).toEqual([]);
  await changeProject(sql, account.project, { budgetPeriod: 'never' });
  await spender.spend(
    { ...account, project: { ...account.project, budgetPeriod: 'never' } },
    { hold: 150n, charge: 100n },
  );
  expect(await findNearLimits(sql, scope, 'key')).toMatchObject([{ id: account.key.id, used: 900n, limit: 1_100n }]);
  await endKey(sql, account.key);
  expect(await findNearLimits(sql, scope, 'key')).toEqual([]);
  await changeProject(sql, account.project, { budget: null });
  expect(await findNearLimits(sql, scope, 'project')).toEqual([]);
  await spender.end();
});

test('a key is near its limit by the purse of this month, also if that was made by a process whose clock runs ahead', async () => {
  const sql = db.database;
  const { workspace, key } = await openAccount(sql, { key: { spendLimit: 1_000n } });
  const openPurse = (monthsAgo: number, spent: bigint): Promise<unknown> =>
    sql.query(
      `insert into purses (id, workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, spent_nano_usd)
       select (extract(epoch from starts_at - interval '20 minutes') * 1000)::bigint << 20, $1, 'key', $2, 'month', starts_at,
         starts_at + interval '1 month', 1000, $4
       from (select date_trunc('month', now(), 'UTC') - $3 * interval '1 month' as starts_at) as month`,
      [workspace.id, key.id, monthsAgo, spent],
    );
  await openPurse(1, 1_000n);
  expect(await findNearLimits(sql, scopeOf(workspace.id), 'key')).toEqual([]);
  await openPurse(0, 950n);
  expect(await findNearLimits(sql, scopeOf(workspace.id), 'key')).toMatchObject([{ id: key.id, used: 950n }]);
});

test('keys about to expire are those that work and end within a week, in that order and of this workspace alone', async () => {
  const sql = db.database;
  const { workspace, project } = await openAccount(sql, { key: { expiresAt: inDays(8) } });
  const later = await openKey(sql, project, { name: 'later', expiresAt: inDays(6) });
  const sooner = await openKey(sql, project, { name: 'sooner', expiresAt: inDays(1) });
  const revoked = await openKey(sql, project, { name: 'revoked', expiresAt: inDays(1) });
  await endKey(sql, revoked);
  await openAccount(sql, { key: { expiresAt: inDays(1) } });
  const found = await findExpiringKeys(sql, scopeOf(workspace.id));
  expect(found.map(({ id }) => id)).toEqual([sooner.id, later.id]);
});
