import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, changeProject, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openLargeWorkspace } from '../../../test/support/large-workspace.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { windowAt } from '../../domain/window.ts';
import type { Sql, SqlValue } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { endUserSubject } from '../accounts/end-users.ts';
import { BRIEF_DAYS } from './brief-purses.ts';
import { listReceipts, type ReceiptFilter } from './receipt-search.ts';

// The receipts of one end user, which name nobody, but purses whose subject is a digest of project and name.

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const limited = async (): Promise<Account> => {
  const account = await openAccount(sql, { credit: 1_000_000n });
  await changeProject(sql, account.project, { endUserLimit: 1_000n });
  return account;
};

/** One request of each of these end users; the ids of their receipts. */
async function spent(account: Account, names: readonly (string | null)[]): Promise<readonly string[]> {
  const spender = await Spender.begin(sql);
  const ids: string[] = [];
  for (const name of names) {
    const endUserId = name === null ? undefined : endUserSubject(account.project.id, name);
    const amounts = { hold: 5n, charge: 5n, ...(endUserId !== undefined && { endUserId }) };
    ids.push((await spender.spend(account, amounts)).requestId);
  }
  await spender.end();
  return ids.toSorted().toReversed();
}

const search = ({ workspace, project }: Account, name: string, filter: ReceiptFilter = {}) =>
  listReceipts(sql, scopeOf(workspace.id, 'receipts:read'), {
    ...filter,
    endUser: { projectId: project.id, subject: endUserSubject(project.id, name) },
  });

const found = async (account: Account, name: string, filter?: ReceiptFilter) =>
  (await search(account, name, filter)).items.map(({ requestId }) => requestId);

test('the receipts of one end user are found, and none of another, of nobody, or of the same name elsewhere', async () => {
  const account = await limited();
  const elsewhere = await limited();
  const adas = [...(await spent(account, ['ada'])), ...(await spent(account, ['ada']))].toSorted().toReversed();
  const bobs = await spent(account, ['bob', null]);
  await spent(elsewhere, ['ada', 'eve']);
  expect(await found(account, 'ada')).toEqual(adas);
  expect(bobs).toContain((await found(account, 'bob'))[0]);
  expect(await found(account, 'bob')).toHaveLength(1);
  expect(await found(account, 'eve')).toEqual([]);
  expect(await found(account, 'ada', { model: 'no-such-model' })).toEqual([]);
  const stolen = { projectId: elsewhere.project.id, subject: endUserSubject(elsewhere.project.id, 'ada') };
  const { items } = await listReceipts(sql, scopeOf(account.workspace.id), { endUser: stolen });
  expect(items).toEqual([]);
});

test('an answer says since when receipts of an end user are found, and has none from before', async () => {
  const account = await limited();
  await spent(account, ['ada']);
  const sinceMs = windowAt('month', Date.now() - BRIEF_DAYS * DAY_MS).startMs;
  expect((await search(account, 'ada')).endUserSince).toEqual(new Date(sinceMs));
  expect((await search(account, 'nobody')).endUserSince).toEqual(new Date(sinceMs));
  expect((await listReceipts(sql, scopeOf(account.workspace.id), {})).endUserSince).toBeNull();

  // The purse of a window that ended earlier may still be there; a search never depends on whether it is.
  await sql.query(
    `update purses set window_start = $2::timestamptz - interval '1 month', window_end = $2
     where workspace_id = $1 and kind = 'end_user'`,
    [account.workspace.id, new Date(sinceMs)],
  );
  expect(await found(account, 'ada')).toEqual([]);
});

test('a search for an end user reads receipts by the primary key, and none for one who has no purse', async () => {
  const account = await openLargeWorkspace(sql, { keys: 10, receipts: 30_000 });
  await changeProject(sql, account.project, { endUserLimit: 1_000n });
  await spent(account, ['ada']);
  await sql.query('analyze receipts');
  const read: { readonly text: string; readonly values: readonly SqlValue[] }[] = [];
  const watched: Pick<Sql, 'query'> = {
    query: (text, values = [], ...rest) => {
      if (text.includes('from receipts')) read.push({ text, values });
      return sql.query(text, values, ...rest);
    },
  };
  const scope = scopeOf(account.workspace.id);
  const searched = (name: string) => {
    const endUser = { projectId: account.project.id, subject: endUserSubject(account.project.id, name) };
    return listReceipts(watched, scope, { endUser }, {}, { rows: 100_000, ms: 60_000 });
  };
  expect((await searched('nobody')).items).toEqual([]);
  expect(read).toEqual([]);
  expect((await searched('ada')).items).toHaveLength(1);
  for (const { text, values } of read) {
    const plan = JSON.stringify(await sql.query(`explain (format json) ${text}`, values));
    expect(plan).not.toMatch(/"Seq Scan"[^{}]*"Relation Name":"receipts_\d/);
    expect(plan).toMatch(/"receipts_\d+_w\d+_pkey"/);
  }
  const [first] = read;
  expect(first?.values[2]).toBe(leastUuid7At(windowAt('month', Date.now() - BRIEF_DAYS * DAY_MS).startMs - 3_600_000));
});
