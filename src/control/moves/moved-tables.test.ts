import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { MOVED_TABLES, STAYING_TABLES } from './moved-tables.ts';

// What a workspace has is known: a table or column that nobody has judged fails here.

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

/** Columns by which a row belongs to a workspace, a user, or something of theirs. */
const OWNERS = ['workspace_id', 'scope_id', 'user_id', 'purse_id', 'posting_id', 'key_id', 'event_id', 'moved_to'];
/** Tables of the instance with such columns, or of users who are no members for that. */
const OF_THE_INSTANCE = ['one_time_links', 'passkey_challenges'];

async function columnsOf(): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.database.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

test('each table with rows of a workspace or its people comes along, or stays for a reason', async () => {
  const judged = new Set([...MOVED_TABLES.map(({ table }) => table), ...Object.keys(STAYING_TABLES)]);
  const found = await columnsOf();
  const unjudged = [...found]
    .filter(([name, columns]) => columns.some((column) => OWNERS.includes(column)) && !OF_THE_INSTANCE.includes(name))
    .map(([name]) => name)
    .filter((name) => !judged.has(name));
  expect(unjudged).toEqual([]);
  expect([...judged].filter((name) => !found.has(name))).toEqual([]);
});

test('each column of a table that comes along is sent, or left for a reason', async () => {
  const found = await columnsOf();
  for (const { table, columns, left = [], key } of MOVED_TABLES) {
    const sent = columns.split(' ');
    expect({ table, columns: [...sent, ...left].toSorted() }).toEqual({
      table,
      columns: [...(found.get(table) ?? [])].toSorted(),
    });
    expect({ table, key: Object.keys(key).filter((column) => !found.get(table)?.includes(column)) }).toEqual({
      table,
      key: [],
    });
  }
});

test('rows that are added or replaced one by one are known by a key of the database', async () => {
  const rows = await db.database.query<{ name: string; keys: string[][] }>(
    `select c.relname::text as name, json_agg((
       select json_agg(a.attname order by a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = any (i.indkey)
     )) as keys
     from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and i.indpred is null group by c.relname`,
  );
  const keysOf = new Map(rows.map(({ name, keys }) => [name, keys]));
  for (const { table, columns, key, on } of MOVED_TABLES) {
    if (on === 'replace') continue;
    const scope = ['workspace_id', 'scope_id'].filter((column) => columns.split(' ').includes(column));
    const known = [Object.keys(key), [...Object.keys(key), ...scope]].map((each) => each.toSorted().join());
    expect({ table, isKnown: (keysOf.get(table) ?? []).some((each) => known.includes(each.join())) }).toEqual({
      table,
      isKnown: true,
    });
  }
});

/** What has amounts of a workspace and stays: they are counted there, all back, or end. */
const STAYING_AMOUNTS =
  /^(?:arrivals$|usage_|proof_|partition_totals$|leases$|redemption_codes$|invitations$|workspace_moves$)/;

test('each table with amounts of a workspace comes along, but for those that are counted there', async () => {
  const moved = MOVED_TABLES.map(({ table }) => table);
  const staying = [...(await columnsOf())]
    .filter(([, columns]) => columns.some((column) => OWNERS.includes(column)))
    .filter(([name, columns]) => columns.some((column) => column.endsWith('nano_usd')) && !moved.includes(name))
    .map(([name]) => name);
  expect(staying.filter((name) => !STAYING_AMOUNTS.test(name))).toEqual([]);
});
