import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/program/database/migrate.ts';
import { readSchemaFiles, schemaDirectory } from '../../src/program/database/schema-files.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { readStoredVersions, restoreVersion } from './stored-versions.ts';

// Migrations that convert rows are run on rows. The stored databases hold none of some kinds, so those are added first, in the
// schema of their version.

interface Conversion {
  /** A stored version from before the migration, which has the tables that the migration reads. */
  readonly version: string;
  /** Adds the rows that it lacks. */
  readonly rows?: string;
  /** What is found of it in the newest schema. */
  readonly query: string;
  readonly found: readonly object[];
}

/** The keys of the project that has the most. */
const KEYS = `(
    select *, row_number() over (order by id) as number from keys
    where project_id = (select project_id from keys group by 1 order by count(*) desc limit 1)
  ) k`;

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  '0011_stopped_top_ups': {
    version: '0009_resource_lives',
    query: `select kind, workspace_id = '00000000-0000-0000-0000-000000000000' as "isOperators", mail_roles as roles, count(*)
      from alert_rules where kind in ('auto_top_up_stopped', 'payment_after_closing') group by 1, 2, 3 order by 1`,
    found: [
      { kind: 'auto_top_up_stopped', isOperators: false, roles: ['owner', 'admin', 'billing'], count: 2n },
      { kind: 'payment_after_closing', isOperators: true, roles: ['owner', 'admin', 'billing'], count: 1n },
    ],
  },
  '0013_last_uses': {
    version: '0009_resource_lives',
    rows: `insert into usage_key_months (workspace_id, starts_at, key_id, project_id, last_used_at)
      select workspace_id, month, id, project_id, case when number < 3 then month + number * interval '1 hour' end
      from ${KEYS}, unnest('{2026-09-01Z, 2026-10-01Z}'::timestamptz[]) as month where number < 4`,
    query: `select number, last_used_at from ${KEYS} join usage_keys on key_id = id order by number`,
    found: [
      { number: 1n, last_used_at: new Date('2026-10-01T01:00Z') },
      { number: 2n, last_used_at: new Date('2026-10-01T02:00Z') },
    ],
  },
  '0016_usage_by_member': {
    version: '0009_resource_lives',
    rows: `update keys set created_by = (select id from users)
        where id in (select id from ${KEYS} where number < 3);
      insert into usage_key_days (workspace_id, starts_at, key_id, project_id, model, dialect, outcome, requests, charge_nano_usd)
      select workspace_id, '2026-10-01Z', id, project_id, 'm', 'chat', 'ok', number, 10 * number from ${KEYS}`,
    query: `select member = (select id from users) as "isUser", requests, charge_nano_usd as charge from usage_member_days
      where model = 'm' order by 1 desc`,
    found: [
      { isUser: true, requests: 3n, charge: 30n },
      { isUser: false, requests: 3n, charge: 30n },
    ],
  },
  '0021_links_name_their_makers': {
    version: '0020_fees',
    rows: `insert into one_time_links (id, purpose, token_sha256, mailed, expires_at, claimed_at)
      select gen_random_uuid(), purpose, purpose::bytea || mailed::text::bytea || coalesce(claimed, '')::bytea, mailed,
        now(), claimed::timestamptz
      from unnest('{reset, sign_up}'::text[]) as purpose, unnest('{true, false}'::boolean[]) as mailed,
        unnest('{null, 2026-10-01Z}'::text[]) as claimed`,
    query: `select purpose, mailed, array_agg(claimed_at > '2026-10-01Z' order by claimed_at) as "claimedByIt"
      from one_time_links where purpose <> 'set_up' group by 1, 2 order by 1, 2`,
    found: [
      { purpose: 'reset', mailed: false, claimedByIt: [false, true] },
      { purpose: 'reset', mailed: true, claimedByIt: [false, null] },
      { purpose: 'sign_up', mailed: false, claimedByIt: [false, null] },
      { purpose: 'sign_up', mailed: true, claimedByIt: [false, null] },
    ],
  },
  '0029_audit_chains': {
    version: '0028_leases_in_use',
    rows: `insert into audit_events (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_id)
      select gen_random_uuid(), (array_agg(id))[1], '2026-10-01Z', 'job', 'test', 'project.update', 'project', 'p'
      from workspaces, generate_series(1, 3) as number group by number`,
    query: `select count(*) > 3 as "areSeveral", count(l.event_id) = count(*) as "areLinked",
        count(*) = (select sum(length) from audit_chains) as "areCounted",
        bool_and(chain_sha256 = sha256(coalesce(former, ''::bytea) || event_sha256)) as "areChained"
      from audit_events e left join (
        select *, lag(chain_sha256) over (partition by scope_id order by position) as former from audit_links
      ) l on l.event_id = e.id`,
    found: [{ areSeveral: true, areLinked: true, areCounted: true, areChained: true }],
  },
};

// Keeps the server between the tests.
let keeper: TestDatabase;
beforeAll(async () => void (keeper = await startTestDatabase({ migrated: false })));
afterAll(() => keeper.stop());

test('every migration that converts rows is run on rows of an earlier version that is stored', async () => {
  const { migrations } = await readSchemaFiles(schemaDirectory);
  const converting = migrations.filter(({ sql }) => /^(?:insert|update|delete|merge|with)\b/m.test(sql));
  expect(Object.keys(CONVERSIONS)).toEqual(converting.map(({ name }) => name));
  const stored = new Set((await readStoredVersions()).map(({ name }) => name));
  for (const [name, { version }] of Object.entries(CONVERSIONS)) {
    expect(stored).toContain(version);
    expect(version < name).toBe(true);
  }
});

test.each(Object.entries(CONVERSIONS))(
  'migration %s converts the rows of an earlier version',
  async (name, { version, rows, query, found }) => {
    const { database, stop } = await restoreVersion(version);
    try {
      if (rows !== undefined) await database.query(rows);
      expect((await migrate(database)).migrations).toContain(name);
      expect(await database.query(query)).toEqual(found);
    } finally {
      await stop();
    }
  },
);
