import { openWorkspace } from '../../../test/support/accounts.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { postCredit } from '../ledger/postings.ts';
import type { Sql } from '../../lib/sql.ts';
import { bootstrap, type GrantStarterCredit } from './bootstrap.ts';
import { listKeys } from './key-list.ts';
import { listProjects } from './projects.ts';
import { listWorkspaces } from './workspaces.ts';

// Stays open for as long as the file runs, to keep its server running.
let anchor: TestDatabase;
beforeAll(async () => {
  anchor = await startTestDatabase({ migrated: false });
});
afterAll(() => anchor.stop());

let testDatabase: TestDatabase;
let sql: Sql;

beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterEach(() => testDatabase.stop());

const grant: GrantStarterCredit = (tx, scope, amount) =>
  postCredit(tx, scope, { kind: 'grant', amount, reason: 'starter credit' });

test('a first boot that fails half-way leaves nothing behind', async () => {
  const failing: GrantStarterCredit = () => Promise.reject(new Error('power cut'));
  await expect(bootstrap(sql, failing)).rejects.toThrow('power cut');
  expect(await listWorkspaces(sql, operatorScope(), {})).toEqual({ items: [], next: null });
});

test('exactly one of many processes that boot together creates the first workspace, with credit that can be proved', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => bootstrap(sql, grant)));
  const [made, ...others] = answers.filter((answer) => answer !== null);
  expect(others).toEqual([]);
  const [workspace, ...more] = (await listWorkspaces(sql, operatorScope(), {})).items;
  expect(more).toEqual([]);
  expect(workspace).toMatchObject({ id: made?.workspaceId, name: 'Default', balance: 5_000_000_000n });
  const [project] = (await listProjects(sql, scopeOf(made?.workspaceId ?? ''), {})).items;
  expect(project).toMatchObject({ id: made?.projectId, name: 'Default' });
  expect((await listKeys(sql, scopeOf(made?.workspaceId ?? ''), {})).items).toMatchObject([{ id: made?.keyId }]);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, credit: 5_000_000_000n });
});

test('a boot changes nothing in an instance that has or had a workspace, even an archived one', async () => {
  await openWorkspace(sql, 'Own');
  await sql.query('update workspaces set archived_at = now()');
  expect(await bootstrap(sql, grant)).toBeNull();
});
