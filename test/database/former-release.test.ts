import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '../../src/lib/sql.ts';
import { migrate } from '../../src/program/database/migrate.ts';
import { readSchemaFiles, schemaDirectory } from '../../src/program/database/schema-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { interfaceOf, isCallableAs, isPreparedAs, readInterface, type ReleaseInterface } from './release-interface.ts';
import { restoreVersion } from './stored-versions.ts';

// What lets the last release serve on a database that this program has upgraded: all that it names is still there, and what it
// leaves out has a default.

interface Column {
  /** With its table. */
  readonly name: string;
  readonly type: string;
  /** Whether a row must have a value, and gets none by itself. */
  readonly isNeeded: boolean;
}

interface Tables {
  readonly columns: readonly Column[];
  readonly constraints: readonly string[];
}

/** Constraints that are new to tables of the last release, and that its rows meet all the same, with the reason. */
const MET: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "invitations.invitations_role_check: CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text]))) NOT VALID",
      "members.members_role_check: CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text]))) NOT VALID",
      "workspace_access.workspace_access_default_role_check: CHECK ((default_role = ANY (ARRAY['admin'::text, 'developer'::text, 'billing'::text, 'viewer'::text, 'member'::text, 'none'::text]))) NOT VALID",
    ].map((name) => [
      name,
      'it lets one role more through, which has no right there, and is not checked for the rows that are there',
    ]),
  ),
  'workspaces.workspaces_moved_to_fkey: FOREIGN KEY (moved_to) REFERENCES cells(shard) NOT VALID':
    'it writes no such column',
  "ledger_postings.ledger_postings_kind_check: CHECK ((kind = ANY (ARRAY['top_up'::text, 'grant'::text, 'refund'::text, 'dispute'::text, 'adjustment'::text, 'expiry'::text]))) NOT VALID":
    'it lets one kind more through, and is not checked for the rows that are there',
  ...Object.fromEntries(
    [
      "alert_rules.alert_rules_kind_check: CHECK ((kind = ANY (ARRAY['balance_below'::text, 'balance_share'::text, 'runway'::text, 'project_budget'::text, 'key_limit'::text, 'member_limit'::text, 'end_user_limit'::text, 'session_limit'::text, 'auto_top_up_stopped'::text, 'payment_after_closing'::text, 'provider_key_refused'::text, 'ledger_difference'::text]))) NOT VALID",
      "alerts.alerts_subject_kind_check: CHECK ((subject_kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'member'::text, 'provider'::text, 'ledger'::text]))) NOT VALID",
      "purses.purses_kind_check: CHECK ((kind = ANY (ARRAY['credit'::text, 'project'::text, 'member'::text, 'key'::text, 'end_user'::text, 'session'::text]))) NOT VALID",
      "changes.changes_kind_check: CHECK ((kind = ANY (ARRAY['workspace'::text, 'project'::text, 'key'::text, 'purse'::text, 'catalogue'::text, 'rate'::text, 'cell'::text]))) NOT VALID",
    ].map((name) => [name, 'it lets more kinds through, and is not checked for the rows that are there']),
  ),
};

let database: TestDatabase;
let former: ReleaseInterface;
let present: ReleaseInterface;
let before: Tables;
let after: Tables;
beforeAll(async () => {
  const { releases } = await readSchemaFiles(schemaDirectory);
  const last = releases.at(-1);
  if (last === undefined) throw new Error('this program serves beside the last release');
  former = await readInterface(last.version);
  database = await restoreVersion(last.migrations.at(-1)?.name ?? '');
  before = await tablesOf(database.database);
  await migrate(database.database);
  after = await tablesOf(database.database);
  present = await interfaceOf(
    database.database,
    former.statements.map(({ text }) => text),
  );
});
afterAll(() => database.stop());

async function tablesOf(sql: Sql): Promise<Tables> {
  const columns = await sql.query<Column>(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as "isNeeded"
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped`,
  );
  const constraints = await sql.query<{ name: string }>(
    `select k.conrelid::regclass::text || '.' || k.conname || ': ' || pg_get_constraintdef(k.oid) as name
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype not in ('n', 't')
     union all
     select c.relname || '.' || i.relname || ': ' || pg_get_indexdef(x.indexrelid)
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where c.relnamespace = 'public'::regnamespace and not c.relispartition and x.indisunique
        and not exists (select from pg_constraint k where k.conindid = x.indexrelid)`,
  );
  return { columns, constraints: constraints.map(({ name }) => name) };
}

const tableOf = (name: string): string => name.slice(0, name.indexOf('.'));
const isFormerTable = (name: string): boolean =>
  before.columns.some((column) => tableOf(column.name) === tableOf(name));

test('the last release finds every column that it knows, with the same type', () => {
  const types = new Map(after.columns.map(({ name, type }) => [name, type]));
  expect(before.columns.length).toBeGreaterThan(300);
  expect(before.columns.filter(({ name, type }) => types.get(name) !== type)).toEqual([]);
});

test('the last release may leave out every column that is new to its tables, and each that it could leave out', () => {
  const needed = new Set(before.columns.filter(({ isNeeded }) => isNeeded).map(({ name }) => name));
  const more = after.columns.filter(({ name, isNeeded }) => isNeeded && isFormerTable(name) && !needed.has(name));
  expect(more).toEqual([]);
});

test('the last release meets no constraint that is new to its tables', () => {
  const fresh = after.constraints.filter((name) => isFormerTable(name) && !before.constraints.includes(name));
  expect(fresh.filter((name) => !(name in MET))).toEqual([]);
});

test('the last release prepares each of its statements, and reads the results that it knows', () => {
  const prepared = former.statements.flatMap(({ text, types }, index) =>
    types === null ? [] : [{ text, was: types, is: present.statements[index]?.types ?? null }],
  );
  expect(prepared.length).toBeGreaterThan(300);
  expect(prepared.filter(({ text, was, is }) => !isPreparedAs(text, is, was))).toEqual([]);
});

test('the last release calls each function that its statements name, by the parameters that it knows', () => {
  const text = former.statements.map((statement) => statement.text).join('\n');
  const called = former.functions.filter(({ name }) => text.includes(`${name}(`));
  expect(called.length).toBeGreaterThan(20);
  const changed = called.map((was) => ({ was, is: present.functions.find(({ name }) => name === was.name) }));
  expect(changed.filter(({ was, is }) => !isCallableAs(is, was))).toEqual([]);
});
