import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type Account,
  changeProject,
  granted,
  limitMaker,
  openAccount,
  openProject,
  Spender,
} from '../../../test/support/accounts.ts';
import { controlOf, startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Role } from '../../domain/roles.ts';
import { servedSubject } from '../../gate/principals/served-subject.ts';
import { setEndUserLimit } from '../accounts/end-users.ts';
import { makeChange } from '../audit/change.ts';
import { postCredit } from '../ledger/postings.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import type { RuleSettings } from './alert-kinds.ts';
import { type AlertRule, createAlertRule, deleteAlertRule, listAlertRules, updateAlertRule } from './alert-rules.ts';
import { AlertWatch } from './alert-watch.ts';
import { type Alert, listAlerts } from './alerts.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import { reportRefusedKeys } from './watch-instance.ts';
import { createWebhookEndpoint } from './webhook-endpoints.ts';

const CENT = 10_000_000n;
const USD = 100n * CENT;

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

const addresses: Record<Role, string> = {
  owner: 'owner@example.com',
  admin: 'admin@example.com',
  developer: 'developer@example.com',
  billing: 'billing@example.com',
  viewer: 'viewer@example.com',
  member: 'member@example.com',
};

const notifying = {
  canMail: true,
  addressesOf: (_tx: SqlRunner, _workspaceId: string, roles: readonly Role[]) =>
    Promise.resolve(roles.map((role) => addresses[role])),
};

function watchOn(sql: ControlSql = db.control): AlertWatch {
  return new AlertWatch({ sql, pacer: UNPACED, notifying });
}

const look = (): Promise<void> => watchOn().run();

const network = new TargetNetwork([]);

function rule(more: Partial<RuleSettings>): RuleSettings {
  const fixed = { name: 'a rule', subjectId: null, mailRoles: [], mailTo: ['ada@example.com'], enabled: true } as const;
  return { kind: 'balance_below', threshold: 5n * USD, ...fixed, ...more };
}

/** A workspace with these rules alone, and one endpoint. */
async function workspaceWith(
  rules: readonly Partial<RuleSettings>[],
  options: Parameters<typeof openAccount>[1] = {},
): Promise<Account & { readonly rules: readonly AlertRule[] }> {
  const account = await openAccount(db.database, options);
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  await look();
  for (const { id } of (await listAlertRules(db.control, scope)).items) {
    await deleteAlertRule(db.control, scope, { id, version: null });
  }
  const made: AlertRule[] = [];
  for (const each of rules) made.push(granted(await createAlertRule(db.control, scope, rule(each))));
  const keyring = testKeyring(db.control);
  granted(
    await createWebhookEndpoint(
      db.control,
      scope,
      { url: 'https://hooks.example/', description: '' },
      { network, keyring },
    ),
  );
  await db.database.query('delete from alerts where workspace_id = $1', [account.workspace.id]);
  await db.database.query('delete from notices where workspace_id = $1', [account.workspace.id]);
  return { ...account, rules: made };
}

async function topUp({ workspace }: Account, amount: NanoUsd): Promise<void> {
  granted(await postCredit(db.database, scopeOf(workspace.id), { kind: 'top_up', amount, reason: 'a test' }));
}

/** Spends without the path of a request. */
async function spend({ workspace }: Account, amount: NanoUsd, kind = 'credit'): Promise<void> {
  await db.database.query(
    'update purses set spent_nano_usd = spent_nano_usd + $2 where workspace_id = $1 and kind = $3',
    [workspace.id, amount, kind],
  );
}

async function alertsOf({ workspace }: Account): Promise<readonly Alert[]> {
  return (await listAlerts(db.control, scopeOf(workspace.id, 'alerts:read'), {}, { limit: 200 })).items;
}

interface NoticeRow {
  readonly channel: 'mail' | 'webhook';
  readonly recipient: string;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
}

async function noticesOf({ workspace }: Account, channel: NoticeRow['channel']): Promise<readonly NoticeRow[]> {
  return await db.database.query<NoticeRow>(
    'select channel, recipient, subject, body, html from notices where workspace_id = $1 and channel = $2 order by id',
    [workspace.id, channel],
  );
}

test('a balance that falls below its threshold raises one alert, mailed and sent to the endpoints', async () => {
  const account = await workspaceWith([{}], { credit: 20n * USD });
  await look();
  expect(await alertsOf(account)).toEqual([]);
  await spend(account, 16n * USD);
  for (let count = 0; count < 3; count++) await look();
  const { id, name } = account.workspace;
  const summary = `The balance of "${name}" is 4.00 USD, below 5.00 USD.`;
  const [alert] = await alertsOf(account);
  expect(await alertsOf(account)).toMatchObject([
    { kind: 'balance_below', subjectId: id, summary, value: 4n * USD, limit: 5n * USD, resolvedAt: null },
  ]);
  const mails = await noticesOf(account, 'mail');
  expect(mails).toMatchObject([{ recipient: 'ada@example.com', subject: `[Faregate] ${summary}` }]);
  expect(mails[0]?.body).toContain(summary);
  const webhooks = await noticesOf(account, 'webhook');
  expect(webhooks.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: 'alerts.raised',
      workspace: { id, name },
      rule: { kind: 'balance_below', threshold: '5000000000' },
      alerts: [{ id: alert?.id, summary, value_nano_usd: '4000000000', limit_nano_usd: '5000000000' }],
      unlisted: 0,
    },
  ]);
});

test('charges that are still in leases count as spent for an alert', async () => {
  const account = await workspaceWith([{}], { credit: 6n * USD });
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 2n * USD, charge: 2n * USD });
  await look();
  expect(await alertsOf(account)).toHaveLength(1);
});

test('a balance that is topped up arms its rule again, once it is a tenth above the threshold', async () => {
  const account = await workspaceWith([{}], { credit: 4n * USD });
  await look();
  await topUp(account, USD + USD / 4n);
  await look();
  await spend(account, USD);
  await look();
  expect(await alertsOf(account)).toHaveLength(1);
  await topUp(account, 2n * USD);
  await look();
  expect(await alertsOf(account)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  await spend(account, 2n * USD);
  await look();
  expect(await alertsOf(account)).toHaveLength(2);
});

test('a workspace that never had credit has no alert about its balance', async () => {
  const account = await workspaceWith([{}, { kind: 'balance_share', threshold: 20n }]);
  await look();
  expect(await alertsOf(account)).toEqual([]);
});

test('a share of the last top-up is of the last one, whatever was posted since', async () => {
  const account = await workspaceWith([{ kind: 'balance_share', threshold: 20n }], { credit: 10n * USD });
  await topUp(account, 90n * USD);
  const posting = { kind: 'adjustment', amount: -81n * USD, reason: 'a test' } as const;
  granted(await postCredit(db.database, scopeOf(account.workspace.id), posting));
  await look();
  expect(await alertsOf(account)).toEqual([]);
  await spend(account, 2n * USD);
  await look();
  expect(await alertsOf(account)).toMatchObject([{ value: 17n * USD, limit: 18n * USD }]);
});

test('a runway is the balance by the daily burn of the last week', async () => {
  const account = await workspaceWith([{ kind: 'runway', threshold: 3n }], { credit: 100n * USD });
  await spend(account, 70n * USD);
  await look();
  expect(await alertsOf(account)).toEqual([]);
  const weekAgo = [Date.now() - 7 * 86_400_000, '0'];
  await db.database.query(
    `update alert_watches set marks = $2::jsonb, looked_at = '-infinity' where workspace_id = $1`,
    [account.workspace.id, JSON.stringify([weekAgo])],
  );
  await look();
  expect(await alertsOf(account)).toEqual([]);
  await spend(account, USD);
  await look();
  const [alert] = await alertsOf(account);
  expect(alert?.summary).toMatch(/is 29\.00 USD: less than 3 days at 10\.14 USD a day\.$/);
});

test('a budget raises one alert at each of its percentages in a window, and another in the next', async () => {
  const account = await workspaceWith(
    [
      { kind: 'project_budget', threshold: 80n },
      { kind: 'project_budget', threshold: 100n },
    ],
    { credit: 100n * USD, project: { budget: 10n * USD } },
  );
  const spender = await Spender.begin(db.database);
  const use = async (amount: NanoUsd): Promise<void> => {
    await spender.spend(account, { hold: amount, charge: amount });
    await look();
  };
  await use(7n * USD);
  expect(await alertsOf(account)).toEqual([]);
  await use(USD);
  await use(USD / 2n);
  expect(await alertsOf(account)).toMatchObject([
    { subjectKind: 'project', subjectId: account.project.id, threshold: 80n, value: 8n * USD, limit: 10n * USD },
  ]);
  await use(USD + USD / 2n);
  const [usedUp] = await alertsOf(account);
  expect(usedUp).toMatchObject({ threshold: 100n });
  expect(usedUp?.summary).toMatch(/^The project "project .*" has used up its budget: 10\.00 USD of 10\.00 USD until /);
  const isMonth = `window_end = (window_start at time zone 'UTC' + interval '1 month') at time zone 'UTC' as "isMonth"`;
  expect(
    await db.database.query(`select ${isMonth} from alerts where workspace_id = $1`, [account.workspace.id]),
  ).toEqual([{ isMonth: true }, { isMonth: true }]);
  await db.database.query(
    `update alerts set window_start = window_start - interval '1 month', window_end = now() where workspace_id = $1`,
    [account.workspace.id],
  );
  await look();
  expect((await alertsOf(account)).filter(({ resolvedAt }) => resolvedAt !== null)).toHaveLength(2);
  await use(CENT).catch(() => undefined);
  await db.database.query(`update alert_watches set looked_at = '-infinity' where workspace_id = $1`, [
    account.workspace.id,
  ]);
  await look();
  expect(await alertsOf(account)).toHaveLength(4);
});

test("a key's limit raises an alert for each key that reaches it, and one notice for keys found together", async () => {
  const account = await workspaceWith([{ kind: 'key_limit', threshold: 80n }], {
    credit: 100n * USD,
    key: { spendLimit: USD },
  });
  await db.database.query(
    `with k as (
       insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256, spend_limit_nano_usd)
       select $1, gen_random_uuid(), $2, 'key ' || n, gen_random_uuid()::text, 'abcd', sha256(gen_random_uuid()::text::bytea),
         1000 from generate_series(1, 4500) n returning id
     )
     insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, spent_nano_usd)
     select $1, 'key', id, 'month', date_trunc('month', now(), 'UTC'), date_trunc('month', now(), 'UTC') + interval '1 month',
       1000, case when row_number() over (order by id) % 100 = 0 then 900 else 100 end from k`,
    [account.workspace.id, account.project.id],
  );
  await db.database.query(`update alert_watches set looked_at = '-infinity' where workspace_id = $1`, [
    account.workspace.id,
  ]);
  await look();
  await look();
  const [counted] = await db.database.query<{ count: bigint; subjects: bigint }>(
    'select count(*) as count, count(distinct subject_id) as subjects from alerts where workspace_id = $1',
    [account.workspace.id],
  );
  expect(counted).toEqual({ count: 45n, subjects: 45n });
  const webhooks = await noticesOf(account, 'webhook');
  expect(webhooks).toHaveLength(3);
  expect(webhooks.flatMap(({ body }) => JSON.parse(body).alerts)).toHaveLength(45);
  const [mail] = await noticesOf(account, 'mail');
  expect(mail?.subject).toMatch(/^\[Faregate\] \d+ alerts: a rule$/);
});

// Each limit that is used up to nine tenths, and what makes this no concern of its rule.
test.each<[string, 'project' | 'key', string]>([
  ['a project that is archived', 'project', 'update projects set archived_at = now() where workspace_id = $1'],
  ['a key that is revoked', 'key', 'update keys set revoked_at = now() where workspace_id = $1'],
  [
    'a project whose charges were corrected',
    'project',
    `update purses set corrected_nano_usd = 2000000000 where workspace_id = $1 and kind = 'project'`,
  ],
  [
    'a key whose charges were corrected',
    'key',
    `update purses set corrected_nano_usd = 2000000000 where workspace_id = $1 and kind = 'key'`,
  ],
  [
    'a budget of another period that began at the same time',
    'project',
    // As on the first day of a month.
    `update purses set period = 'day' where workspace_id = $1 and kind = 'project'`,
  ],
])('an alert about a limit leaves out %s', async (_, kind, change) => {
  const account = await workspaceWith(
    [
      { kind: 'project_budget', threshold: 80n },
      { kind: 'key_limit', threshold: 80n },
    ],
    {
      credit: 100n * USD,
      project: { budget: (kind === 'project' ? 10n : 90n) * USD },
      key: { spendLimit: (kind === 'key' ? 10n : 90n) * USD },
    },
  );
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 9n * USD, charge: 9n * USD });
  await spender.end();
  await db.database.query(change, [account.workspace.id]);
  await look();
  expect(await alertsOf(account)).toEqual([]);
});

test('an alert about a limit is raised for the same use of a project and a key that count', async () => {
  const account = await workspaceWith(
    [
      { kind: 'project_budget', threshold: 80n },
      { kind: 'key_limit', threshold: 80n },
    ],
    { credit: 100n * USD, project: { budget: 10n * USD }, key: { spendLimit: 10n * USD } },
  );
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 9n * USD, charge: 9n * USD });
  await spender.end();
  await look();
  expect((await alertsOf(account)).map(({ kind }) => kind).toSorted()).toEqual(['key_limit', 'project_budget']);
});

test('a rule about one project says nothing about the others', async () => {
  const account = await workspaceWith([], { credit: 100n * USD, project: { budget: USD } });
  const { workspace } = account;
  const other = await openProject(db.database, workspace, { name: 'another project', budget: USD });
  const about = rule({ kind: 'project_budget', threshold: 80n, subjectId: other.id });
  granted(await createAlertRule(db.control, scopeOf(workspace.id, 'alerts:write'), about));
  await (await Spender.begin(db.database)).spend(account, { hold: USD, charge: USD });
  await look();
  expect(await alertsOf(account)).toEqual([]);
});

test('a new workspace gets the default rules once, and those that are deleted stay so', async () => {
  const account = await openAccount(db.database, { credit: 10n * USD });
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  await Promise.all([look(), look()]);
  await look();
  const { items } = await listAlertRules(db.control, scope);
  expect(items.map(({ kind, threshold }) => `${kind} ${threshold}`).toSorted()).toEqual([
    'auto_top_up_stopped null',
    `balance_below ${USD}`,
    'balance_share 20',
    'end_user_limit 100',
    'end_user_limit 80',
    'key_limit 100',
    'key_limit 80',
    'member_limit 100',
    'member_limit 80',
    'project_budget 100',
    'project_budget 80',
    'session_limit 100',
    'session_limit 80',
  ]);
  const share = items.find(({ kind }) => kind === 'balance_share');
  await deleteAlertRule(db.control, scope, { id: share?.id ?? '', version: 1 });
  await spend(account, 9n * USD);
  await look();
  expect((await listAlertRules(db.control, scope)).items).toHaveLength(12);
  expect(await alertsOf(account)).toEqual([]);
});

/** The workspace is as release 0.2.0 left it, with these rules besides; the watch has looked at it since. */
async function upgraded(rules: readonly Partial<RuleSettings>[], { keys = 0, from = 1 } = {}) {
  const account = await workspaceWith(rules, { credit: 20n * USD, key: { spendLimit: USD } });
  const { id } = account.workspace;
  await db.database.query(
    `insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256)
     select $1, gen_random_uuid(), $2, 'key ' || n, gen_random_uuid()::text, 'abcd', sha256(gen_random_uuid()::text::bytea)
     from generate_series(1, $3) n`,
    [id, account.project.id, keys],
  );
  await db.database.query('update alert_watches set defaults_version = $2 where workspace_id = $1', [id, from]);
  const drawn = await Spender.begin(db.database);
  await drawn.spend(account, { hold: 95n * CENT, charge: 95n * CENT });
  await drawn.end();
  await look();
  const scope = scopeOf(id, 'alerts:write');
  const rulesNow = async () => (await listAlertRules(db.control, scope)).items;
  return { account, scope, rulesNow, added: (await rulesNow()).slice(rules.length) };
}

test('a workspace from before the rules of keys and members gets them once, and a mail to nobody', async () => {
  const { account, scope, rulesNow, added } = await upgraded([]);
  expect(added.map(({ kind, threshold, mailRoles }) => [kind, threshold, mailRoles])).toEqual([
    ['key_limit', 80n, []],
    ['key_limit', 100n, []],
    ['member_limit', 80n, []],
    ['member_limit', 100n, []],
    ['end_user_limit', 80n, []],
    ['end_user_limit', 100n, []],
    ['session_limit', 80n, []],
    ['session_limit', 100n, []],
  ]);
  expect(await alertsOf(account)).toMatchObject([{ kind: 'key_limit', threshold: 80n }]);
  expect(await noticesOf(account, 'mail')).toEqual([]);
  for (const { id } of added) await deleteAlertRule(db.control, scope, { id, version: null });
  await look();
  await look();
  expect(await rulesNow()).toEqual([]);
});

test('a workspace keeps its own rules of keys alone, one with very many keys gets none, nor one without room', async () => {
  const kindsOf = ({ added }: { added: readonly AlertRule[] }) => [...new Set(added.map(({ kind }) => kind))];
  const own = await upgraded([{ kind: 'key_limit', threshold: 50n }]);
  expect(kindsOf(own)).toEqual(['member_limit', 'end_user_limit', 'session_limit']);
  const many = await upgraded([], { keys: 1_000 });
  expect(kindsOf(many)).toEqual(['member_limit', 'end_user_limit', 'session_limit']);
  const later = await upgraded([], { from: 2 });
  expect(kindsOf(later)).toEqual(['end_user_limit', 'session_limit']);
  const full = await upgraded(Array.from({ length: 47 }, () => ({})));
  expect(full.added).toEqual([]);
});

test('end users of a project that cross a threshold are one alert, which ends with the last of them', async () => {
  const rules = [
    { kind: 'end_user_limit', threshold: 80n },
    { kind: 'session_limit', threshold: 100n },
  ] as const;
  const account = await workspaceWith(rules, { credit: 20n * USD });
  await changeProject(db.database, account.project, { endUserLimit: USD, sessionLimit: USD });
  const idOf = (kind: 'end_user' | 'session', name: string) => servedSubject(account.project.id, kind, name);
  const spender = await Spender.begin(db.database);
  const spendAs = async (endUser: string, cents: bigint, session = 'run') => {
    const served = { endUserId: idOf('end_user', endUser), sessionId: idOf('session', session) };
    await spender.spend(account, { hold: cents * CENT, charge: cents * CENT, ...served });
  };
  const open = async () => (await alertsOf(account)).filter(({ resolvedAt }) => resolvedAt === null);
  await spendAs('ada', 79n, 'one');
  await look();
  expect(await open()).toEqual([]);
  await spendAs('ada', 2n, 'two');
  for (const name of ['bob', 'eve']) await spendAs(name, 90n, name);
  await look();
  await look();
  const { id: projectId, name } = account.project;
  expect(await open()).toMatchObject([
    { kind: 'end_user_limit', subjectKind: 'project', subjectId: projectId, subjectName: name, value: 90n * CENT },
  ]);
  expect((await open())[0]?.summary).toContain(
    `3 end users of the project "${name}" have used 80 % of their limits: at most 0.90 USD of 1.00 USD until`,
  );
  await spendAs('dan', 9n, 'eve');
  await look();
  expect((await open()).map(({ kind }) => kind).toSorted()).toEqual(['end_user_limit', 'session_limit']);
  expect((await open())[0]?.summary).toContain(`A session of the project "${name}" has used up the limit: 0.99 USD of`);
  await spender.end();
  const raise = { projectId, limit: 10n * USD } as const;
  for (const each of ['ada', 'bob', 'eve']) {
    granted(
      await makeChange(db.control, (tx) =>
        setEndUserLimit(tx, scopeOf(account.workspace.id), { ...raise, name: each }),
      ),
    );
  }
  const again = await Spender.begin(db.database);
  for (const each of ['ada', 'bob', 'eve']) {
    await again.spend(account, { hold: CENT, charge: CENT, endUserId: idOf('end_user', each) });
  }
  await again.end();
  await look();
  expect((await open()).map(({ kind }) => kind)).toEqual(['session_limit']);
});

test('a member’s limit raises an alert that names them, and another next month; a raised limit counts as raised', async () => {
  const account = await workspaceWith([{ kind: 'member_limit', threshold: 80n }], { credit: 20n * USD });
  const userId = crypto.randomUUID();
  await db.database.query(`insert into users (id, email, name) values ($1, $2, 'Grace')`, [
    userId,
    `${userId}@example.com`,
  ]);
  const memberLimitId = await limitMaker(db.database, account.key, USD, userId);
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 79n * CENT, charge: 79n * CENT, memberLimitId });
  await look();
  expect(await alertsOf(account)).toEqual([]);
  await spender.spend(account, { hold: 5n * CENT, charge: 5n * CENT, memberLimitId });
  const raise =
    'update purses set raised_limit_nano_usd = $2, raised_until = now() + $3::interval where subject_id = $1';
  await db.database.query(raise, [memberLimitId, 2n * USD, '1 day']);
  await look();
  expect(await alertsOf(account)).toEqual([]);
  await db.database.query(raise, [memberLimitId, 2n * USD, '-1 second']);
  await db.database.query(`update alert_watches set looked_at = '-infinity' where workspace_id = $1`, [
    account.workspace.id,
  ]);
  await look();
  await look();
  const [alert, ...others] = await alertsOf(account);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ kind: 'member_limit', subjectKind: 'member', subjectId: userId, subjectName: 'Grace' });
  expect(alert?.summary).toContain(
    'The member "Grace" has used 80 % of their monthly limit: 0.84 USD of 1.00 USD until',
  );
  await spender.end();
});

test('a rule that is changed while the watch looks is looked at by the next pass', async () => {
  const account = await workspaceWith([{ threshold: USD }], { credit: 3n * USD });
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  const [{ id } = { id: '' }] = account.rules;
  let slices = 0;
  const changing = {
    slice: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      slices += 1;
      // After the balances were compared, before the look is noted down.
      if (slices === 3) await updateAlertRule(db.control, scope, { id, given: { threshold: 5n * USD }, version: null });
      return work();
    },
  };
  await new AlertWatch({ sql: db.control, pacer: changing, notifying }).run();
  expect(slices).toBeGreaterThanOrEqual(3);
  await look();
  expect(await alertsOf(account)).toHaveLength(1);
});

test('a look that another process takes over is not ended, so that the next one finds what it had to find', async () => {
  const account = await workspaceWith([{ kind: 'project_budget', threshold: 80n }], {
    credit: 100n * USD,
    project: { budget: USD },
  });
  await (await Spender.begin(db.database)).spend(account, { hold: USD, charge: USD });
  // At the instance, the balances, the projects' budgets and the end of the look.
  for (const slice of [1, 2, 3]) {
    expect(await slicesOfPassOvertakenAt(slice)).toBe(slice);
    expect(await alertsOf(account)).toEqual([]);
  }
  expect(await slicesOfPassOvertakenAt(4)).toBe(4);
  await look();
  expect(await alertsOf(account)).toHaveLength(1);
});

/** How many transactions a pass begins if another process's watch is in one during this one of them. */
async function slicesOfPassOvertakenAt(overtaken: number): Promise<number> {
  let slices = 0;
  const pacer = {
    slice: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      slices += 1;
      return slices === overtaken ? await besideAnotherWatch(work) : await work();
    },
  };
  await new AlertWatch({ sql: db.control, pacer, notifying }).run();
  return slices;
}

/** Does the work while another process's watch is in a transaction, which ends without a trace. */
async function besideAnotherWatch<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = Promise.withResolvers<void>();
  const worked = Promise.withResolvers<void>();
  const another: Sql = {
    query: (...given) => db.database.query(...given),
    transaction: (run, ...rest) =>
      db.database.transaction(
        async (tx) => {
          await run(tx);
          begun.resolve();
          await worked.promise;
          throw new Error('the process died');
        },
        ...rest,
      ),
  };
  const other = watchOn(controlOf(another)).run();
  await Promise.race([begun.promise, other]);
  try {
    return await work();
  } finally {
    worked.resolve();
    await expect(other).rejects.toThrow('the process died');
  }
}

test('a change of a rule that stays enabled leaves its alert open', async () => {
  const account = await workspaceWith([{}], { credit: USD });
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  await look();
  const change = { id: account.rules[0]?.id ?? '', given: { name: 'another name' }, version: null };
  granted(await updateAlertRule(db.control, scope, change));
  await look();
  expect(await alertsOf(account)).toMatchObject([{ resolvedAt: null }]);
});

test('notices about workspaces that are found together each name their own', async () => {
  const accounts = [];
  for (let count = 0; count < 3; count++) accounts.push(await workspaceWith([{}], { credit: 20n * USD }));
  for (const account of accounts) await spend(account, 16n * USD);
  await look();
  for (const account of accounts) {
    const { id, name } = account.workspace;
    const [webhook] = await noticesOf(account, 'webhook');
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ workspace: { id, name } });
  }
});

test('a rule that was deleted or disabled while the watch looks raises nothing', async () => {
  const account = await workspaceWith([{ kind: 'project_budget', threshold: 80n }], {
    credit: 100n * USD,
    project: { budget: USD },
  });
  await (await Spender.begin(db.database)).spend(account, { hold: USD, charge: USD });
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  let slices = 0;
  const deleting = {
    slice: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      slices += 1;
      if (slices === 3) {
        await updateAlertRule(db.control, scope, {
          id: account.rules[0]?.id ?? '',
          given: { enabled: false },
          version: null,
        });
      }
      return work();
    },
  };
  await new AlertWatch({ sql: db.control, pacer: deleting, notifying }).run();
  expect(await alertsOf(account)).toEqual([]);
});

test('a rule that is disabled and enabled again reports what is crossed then', async () => {
  const account = await workspaceWith([{}], { credit: USD });
  const scope = scopeOf(account.workspace.id, 'alerts:write');
  await look();
  const change = async (enabled: boolean): Promise<void> => {
    const id = account.rules[0]?.id ?? '';
    granted(await updateAlertRule(db.control, scope, { id, given: { enabled }, version: null }));
    await look();
  };
  await change(false);
  expect(await alertsOf(account)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  await change(true);
  expect(await alertsOf(account)).toHaveLength(2);
});

test('a mail goes once to everybody whom a rule names by role or address, and none where mail is not configured', async () => {
  const settings: Partial<RuleSettings> = {
    mailRoles: ['owner', 'billing'],
    mailTo: ['owner@example.com', 'ops@example.com'],
  };
  const account = await workspaceWith([settings], { credit: USD });
  await look();
  expect((await noticesOf(account, 'mail')).map(({ recipient }) => recipient).toSorted()).toEqual([
    'billing@example.com',
    'ops@example.com',
    'owner@example.com',
  ]);
  const silent = await workspaceWith([settings], { credit: 10n * USD });
  await spend(silent, 9n * USD);
  await new AlertWatch({ sql: db.control, pacer: UNPACED, notifying: { ...notifying, canMail: false } }).run();
  expect(await noticesOf(silent, 'mail')).toEqual([]);
  expect(await noticesOf(silent, 'webhook')).toHaveLength(1);
});

test('a name that looks like HTML or like a header is neither in a mail', async () => {
  const account = await workspaceWith([{ name: '<img src=x>' }], { credit: USD });
  await db.database.query(`update workspaces set name = $2 where id = $1`, [
    account.workspace.id,
    `<b>"&'\r\nBcc: eve@example.com`,
  ]);
  await look();
  const [mail] = await noticesOf(account, 'mail');
  expect(mail?.subject).not.toMatch(/[\r\n]/);
  expect(mail?.html).toContain('&lt;b&gt;&quot;&amp;&#39;');
  expect(mail?.html).toContain('&lt;img src=x&gt;');
  expect(mail?.html).not.toMatch(/<b>|<img/);
});

const summaryOf = (count: string): RegExp =>
  new RegExp(`^The ledger does not add up: ${count} at the proof of \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\.$`);

test('a difference in the ledger raises one alert for the operator, until a proof finds none', async () => {
  const scope = operatorScope();
  const proof = async (differences: number): Promise<void> => {
    await db.database.query(
      `insert into ledger_verifications (started_at, difference_count, differences) values (clock_timestamp(), $1, '[]')`,
      [differences],
    );
    await look();
    await look();
  };
  const alerts = async () =>
    (await listAlerts(db.control, scope, {})).items.filter(({ kind }) => kind === 'ledger_difference');
  await proof(0);
  expect(await alerts()).toEqual([]);
  await proof(3);
  await proof(2);
  const ledger = { subjectKind: 'ledger', subjectId: 'ledger', subjectName: 'ledger', value: null, limit: null };
  const said = (count: string) => expect.stringMatching(summaryOf(count));
  expect(await alerts()).toMatchObject([{ ...ledger, summary: said('3 differences'), resolvedAt: null }]);
  await proof(0);
  expect(await alerts()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  await proof(1);
  expect(await alerts()).toMatchObject([{ ...ledger, summary: said('1 difference') }, { ...ledger }]);
});

test('a provider that refuses its key raises one alert, however many processes report it how often', async () => {
  const scope = operatorScope();
  await look();
  const alerts = async () =>
    (await listAlerts(db.control, scope, {})).items.filter(({ kind }) => kind === 'provider_key_refused');
  const report = (...providers: string[]): Promise<void> => reportRefusedKeys(db.control, providers, notifying);
  await report();
  expect(await alerts()).toEqual([]);
  await Promise.all([report('openai'), report('openai', 'azure'), report('azure', 'openai')]);
  await look();
  await report('openai');
  expect((await alerts()).map(({ subjectName }) => subjectName).toSorted()).toEqual(['azure', 'openai']);
  const notices = await db.database.query<{ subject: string }>(
    `select subject from notices where subject like '%refuses its API key%' or subject like '%alerts: Provider%'`,
  );
  expect(notices.length).toBeGreaterThanOrEqual(3);
  expect(notices.length % 3).toBe(0);
  await db.database.query(
    `update alerts set seen_at = now() - interval '11 minutes' where kind = 'provider_key_refused'`,
  );
  await report('openai');
  await look();
  expect((await listAlerts(db.control, scope, { isOpen: true })).items.map(({ subjectId }) => subjectId)).toContain(
    'openai',
  );
  expect((await alerts()).filter(({ resolvedAt }) => resolvedAt !== null)).toMatchObject([{ subjectId: 'azure' }]);
  await report('azure');
  expect(await alerts()).toHaveLength(3);
});

/** A process that dies before its statement with this number, or right after its transaction with this number. */
function dyingAt(sql: Sql, death: { readonly statement: number } | { readonly commit: number }): ControlSql {
  let statements = 0;
  let commits = 0;
  const dying: Sql = {
    query: (text, values, options) => sql.query(text, values, options),
    transaction: async (work, options) => {
      const result = await sql.transaction(
        (tx) =>
          work({
            query: (text, values, limits) => {
              statements += 1;
              if ('statement' in death && statements === death.statement) throw new Error('the process died');
              return tx.query(text, values, limits);
            },
          }),
        options,
      );
      commits += 1;
      if ('commit' in death && commits === death.commit) throw new Error('the process died');
      return result;
    },
  };
  return controlOf(dying);
}

test('a budget that is crossed is reported although a process died after it had looked at the balances', async () => {
  const account = await workspaceWith([{ kind: 'project_budget', threshold: 80n }], {
    credit: 100n * USD,
    project: { budget: USD },
  });
  await look();
  await (await Spender.begin(db.database)).spend(account, { hold: USD, charge: USD });
  await expect(watchOn(dyingAt(db.database, { commit: 2 })).run()).rejects.toThrow('the process died');
  expect(await alertsOf(account)).toEqual([]);
  await look();
  expect(await alertsOf(account)).toHaveLength(1);
});

type Step = {
  readonly move: bigint;
  readonly way: 'once' | 'race' | 'die' | 'die beside another';
  readonly at: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  // In tenths of a USD; below zero it is spent.
  move: fc.oneof(fc.bigInt({ min: -60n, max: -1n }), fc.bigInt({ min: 1n, max: 80n })),
  way: fc.constantFrom('once', 'race', 'die', 'die beside another'),
  at: fc.integer({ min: 1, max: 30 }),
});

async function lookInThisWay({ way, at }: Step): Promise<void> {
  const death = at % 3 === 0 ? { commit: at / 3 } : { statement: at };
  const die = () =>
    watchOn(dyingAt(db.database, death))
      .run()
      .catch(() => undefined);
  if (way === 'race') await Promise.all([look(), look()]);
  if (way === 'die') await die();
  if (way === 'die beside another') await Promise.all([die(), look()]);
  await look();
}

test(
  'a rule raises one alert for each crossing on any path of a balance, though processes race and die in between',
  { timeout: 120_000 },
  async () => {
    const thresholds = [2n * USD, 5n * USD];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const account = await workspaceWith(
          thresholds.map((threshold) => ({ threshold })),
          { credit: 8n * USD },
        );
        await look();
        let balance = 8n * USD;
        const expected = thresholds.map((threshold) => ({ threshold, isArmed: true, count: 0 }));
        for (const each of steps) {
          const wanted = each.move * (USD / 10n);
          const move = wanted < -balance ? -balance : wanted;
          balance += move;
          if (move > 0n) await topUp(account, move);
          else await spend(account, -move);
          for (const state of expected) {
            if (state.isArmed && balance < state.threshold) {
              state.isArmed = false;
              state.count += 1;
            } else if (balance >= state.threshold + state.threshold / 10n) state.isArmed = true;
          }
          await lookInThisWay(each);
          const alerts = await alertsOf(account);
          const counts = thresholds.map((threshold) => alerts.filter((alert) => alert.threshold === threshold).length);
          expect(counts).toEqual(expected.map(({ count }) => count));
          const total = expected.reduce((sum, { count }) => sum + count, 0);
          expect(await noticesOf(account, 'webhook')).toHaveLength(total);
          expect(await noticesOf(account, 'mail')).toHaveLength(total);
        }
      }),
      { numRuns: 15 },
    );
  },
);

test('a slice of the first look at many workspaces makes few statements, however many there are', async () => {
  const accounts = await Promise.all(Array.from({ length: 60 }, () => openAccount(db.database, { credit: 10n * USD })));
  const spender = await Spender.begin(db.database);
  for (const account of accounts) await spender.spend(account, { hold: 950n * CENT, charge: 950n * CENT });
  const bySlice = await statementsBySlice();
  for (const account of accounts) expect(await alertsOf(account)).toHaveLength(2);
  // Five workspaces, with two alerts each.
  expect(Math.max(...bySlice)).toBeLessThan(120);
});

test('a pass goes over all workspaces two hundred at a time, and only reads those in which no money has moved', async () => {
  await db.database.query('update workspaces set archived_at = now() where archived_at is null');
  const quiet = await workspaceWith([], { credit: USD });
  const watched = await workspaceWith([{}], { credit: 20n * USD });
  // Before it in the order of ids.
  await db.database.query(
    `with w as (
       insert into workspaces (id, name)
       select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'early ' || n from generate_series(1, 199) n
       returning id
     )
     insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd)
     select id, 'credit', id, 'never', to_timestamp(0), 0 from w`,
  );
  onTestFinished(async () => {
    await db.database.query(`update workspaces set archived_at = now() where name like 'early %'`);
  });
  await look();
  const [instance, ...atRest] = await statementsBySlice();
  // Each takes the lock and reads.
  expect(atRest).toEqual([2, 2]);
  // It is in the first slice, and no rule is there to find anything.
  await spend(quiet, CENT);
  // A look that is not ended ends the pass.
  expect(await slicesOfPassOvertakenAt(3)).toBe(3);
  expect(await statementsBySlice()).toEqual([instance, 5, 2, 2]);
  await spend(watched, 16n * USD);
  await look();
  expect(await alertsOf(watched)).toHaveLength(1);
});

/** How many statements each transaction of a pass makes. */
async function statementsBySlice(): Promise<readonly number[]> {
  const bySlice: number[] = [];
  const pacer = {
    slice: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      bySlice.push(0);
      return work();
    },
  };
  const sql = countingStatements(db.control, () => bySlice.push((bySlice.pop() ?? 0) + 1));
  await new AlertWatch({ sql, pacer, notifying }).run();
  return bySlice;
}

/** The same SQL, which calls back for each statement of a transaction. */
function countingStatements(sql: ControlSql, onStatement: () => void): ControlSql {
  return new Proxy(sql, {
    get: (target, name) => {
      if (name !== 'transaction') return Reflect.get(target, name, target) as unknown;
      const transaction: ControlSql['transaction'] = (run, ...rest) =>
        target.transaction(
          (tx) => {
            const counted: SqlRunner = {
              query: (...given) => {
                onStatement();
                return tx.query(...given);
              },
            };
            return run(counted);
          },
          ...rest,
        );
      return transaction;
    },
  });
}
