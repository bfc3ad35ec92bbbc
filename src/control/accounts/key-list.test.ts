import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, openKey } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import type { SortedPageRequest } from '../../lib/sorted-page.ts';
import type { KeySort } from '../../domain/key-lists.ts';
import { KEY_ORDERS, type KeyFilter, listKeys } from './key-list.ts';
import type { Key } from './keys.ts';

const KEYS = 40;
const SORTS = Object.keys(KEY_ORDERS) as readonly KeySort[];

let testDatabase: TestDatabase;
let sql: Sql;
let account: Account;
let scope: WorkspaceScope;
/** What each key of the present month was charged, by id. */
let spends: ReadonlyMap<string, bigint>;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  account = await openAccount(sql);
  const stranger = await openAccount(sql);
  scope = scopeOf(account.workspace.id);
  for (let number = 1; number < KEYS; number++) {
    await openKey(sql, account.project, { name: ['Ärger', 'alpha', 'Alpha', 'beta', 'x% _y'][number % 5] ?? '' });
  }
  await openKey(sql, stranger.project, { name: 'alpha' });
  // Many keys have the same value, none at all, or one apart by a microsecond.
  await sql.query(`
    update keys set expires_at = case when n % 3 > 0 then now() + interval '1 day' + (n % 4) * interval '1 microsecond' end,
      disabled_at = case when n % 7 = 0 then now() end
    from (select id, row_number() over (order by id) as n from keys) numbered where numbered.id = keys.id`);
  await sql.query(`
    insert into usage_keys select workspace_id, id, now() - interval '1 hour' - (n % 4) * interval '1 microsecond'
    from (select *, row_number() over (order by id) as n from keys) numbered where n % 3 > 0`);
  const months = await sql.query<{ key_id: string; net: bigint }>(`
    insert into usage_key_months (workspace_id, starts_at, key_id, project_id, charge_nano_usd, corrected_nano_usd)
    select workspace_id, date_trunc('month', now(), 'UTC'), id, project_id, 100 * (n % 4), 150
    from (select *, row_number() over (order by id) as n from keys) numbered where n % 3 > 0
    returning key_id, charge_nano_usd - corrected_nano_usd as net`);
  // Keys of the console are not listed, however much they are used.
  await sql.query(
    `with made as (
       insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256, kind, revoked_at)
       select $1, gen_random_uuid(), $2, 'console', 'console' || n, 'last', sha256(n::text::bytea), 'console', now()
       from generate_series(1, 30) as n returning workspace_id, id, project_id
     ), used as (
       insert into usage_keys select workspace_id, id, now() from made
     )
     insert into usage_key_months (workspace_id, starts_at, key_id, project_id, charge_nano_usd)
     select workspace_id, date_trunc('month', now(), 'UTC'), id, project_id, 1000 from made`,
    [account.workspace.id, account.project.id],
  );
  spends = new Map(months.map(({ key_id, net }) => [key_id, net]));
});
afterAll(() => testDatabase.stop());

async function walk(filter: KeyFilter, page: SortedPageRequest<KeySort>): Promise<readonly Key[]> {
  const keys: Key[] = [];
  let after: string | null = null;
  do {
    const { items, next } = await listKeys(sql, scope, filter, { ...page, after });
    keys.push(...items);
    after = next;
  } while (after !== null);
  return keys;
}

/** The value of a key that a list is sorted by. */
const VALUES: Readonly<Record<KeySort, (key: Key) => string | bigint | number>> = {
  created: ({ id }) => id,
  name: ({ name }) => Buffer.from(name.toLowerCase()).toString('hex'),
  expiry: ({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  spend: ({ id }) => spends.get(id) ?? 0n,
  last_use: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0,
};

test('a listed key says the names of its project and of who created it', async () => {
  const [user] = await sql.query<{ id: string }>(
    `insert into users (id, email, name) values (gen_random_uuid(), 'ada@example.com', 'Ada Example') returning id`,
  );
  const key = await openKey(sql, account.project, { name: 'owned' });
  await sql.query('update keys set created_by = $2 where workspace_id = $1 and id = $3', [
    account.workspace.id,
    user?.id ?? '',
    key.id,
  ]);
  const [listed] = (await listKeys(sql, scope, { search: key.id })).items;
  expect(listed).toMatchObject({ projectName: account.project.name, createdByName: 'Ada Example' });
  await sql.query('delete from keys where id = $1', [key.id]);
});

test('in each order, direction and size of pages, a list has each key once and its values in order', async () => {
  const cases = fc.record({
    sort: fc.constantFrom(...SORTS),
    direction: fc.constantFrom('asc', 'desc'),
    limit: fc.integer({ min: 1, max: KEYS + 1 }),
    filter: fc.constantFrom<KeyFilter>({}, { state: 'active' }, { projectId: account.project.id }, { search: 'ALPHA' }),
  });
  const check = async ({ sort, direction, limit, filter }: typeof cases extends fc.Arbitrary<infer T> ? T : never) => {
    const keys = await walk(filter, { sort, direction, limit });
    const expected = (await listKeys(sql, scope, filter, { limit: 200 })).items.map(({ id }) => id);
    expect(keys.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    const values = keys.map(VALUES[sort]);
    const isInOrder = values.every((value, index) => {
      const former = values[index - 1];
      return former === undefined || (direction === 'asc' ? former <= value : former >= value);
    });
    expect([isInOrder, values]).toEqual([true, values]);
  };
  await fc.assert(fc.asyncProperty(cases, check), { numRuns: 60 });
});

test('a key that is used while a list by last use is read hides no other key', async () => {
  const all = (await listKeys(sql, scope, {}, { limit: 200 })).items.map(({ id }) => id);
  const first = await listKeys(sql, scope, {}, { sort: 'last_use', limit: 10 });
  await sql.query('update usage_keys set last_used_at = now() where key_id = $1', [first.items.at(-1)?.id ?? null]);
  const rest = await listKeys(sql, scope, {}, { sort: 'last_use', limit: 200, after: first.next });
  expect([...first.items, ...rest.items].map(({ id }) => id).toSorted()).toEqual(all);
});

test("keys are found by a part of their name, their id, their public part, their end, and their creator's name", async () => {
  const id = '01930000-0000-7000-8000-000000000001';
  await sql.query(`insert into users (id, email, name) values ($1, 'ann@example.com', 'Ann')`, [id]);
  const { key } = account;
  await sql.query('update keys set created_by = $2 where id = $1', [key.id, id]);
  const found = async (search: string): Promise<readonly string[]> =>
    (await listKeys(sql, scope, { search })).items.map((each) => each.id);
  expect(await found('ann')).toEqual([]);
  await sql.query(`insert into members (workspace_id, user_id, role) values ($1, $2, 'viewer')`, [
    account.workspace.id,
    id,
  ]);
  const [row] = await sql.query<{ public_id: string; last_four: string }>(
    'select public_id, last_four from keys where workspace_id = $1 and id = $2',
    [account.workspace.id, key.id],
  );
  for (const search of [key.id, row?.public_id ?? '', row?.last_four ?? '', 'ANN', 'n@example']) {
    expect({ search, ids: await found(search) }).toEqual({ search, ids: [key.id] });
  }
  expect((await listKeys(sql, scope, { createdBy: id })).items.map((each) => each.id)).toEqual([key.id]);
  for (const [search, name] of [
    ['% _', 'x% _y'],
    ['äRGER', 'Ärger'],
  ] as const) {
    const { items } = await listKeys(sql, scope, { search });
    expect([search, ...new Set(items.map((each) => each.name))]).toEqual([search, name]);
  }
});

test('a search goes through members and invitations once, however many keys are compared with them', async () => {
  const plans: string[] = [];
  const explaining = (runner: SqlRunner): SqlRunner => ({
    query: async (text, values, options) => {
      const plan = await runner.query<{ line: string }>(`explain (format json) ${text}`, values);
      plans.push(JSON.stringify(plan));
      return await runner.query(text, values, options);
    },
  });
  const explained: Sql = {
    ...explaining(sql),
    transaction: (work, options) => sql.transaction((tx) => work(explaining(tx)), options),
  };
  await listKeys(explained, scope, { search: 'example.com' });
  expect(plans).toHaveLength(1);
  expect(plans[0]?.match(/hashed SubPlan/g)).toHaveLength(2);
});
