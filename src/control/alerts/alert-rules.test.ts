import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { listAuditEvents } from '../audit/audit.ts';
import { refuse } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { AlertKind } from '../../domain/alert-kinds.ts';
import type { RuleSettings } from './alert-kinds.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, showAlertRule, updateAlertRule } from './alert-rules.ts';
import { listAlerts, pruneAlerts, raiseAlerts } from './alerts.ts';
import { type AutoTopUpStop, endAutoTopUpStops, raiseAutoTopUpStop } from './auto-top-up-stops.ts';
import { reportClosedPayments } from './closed-payment-alerts.ts';
import { type DeliveryFilter, listDeliveries, resendDelivery, sendTestWebhook, showDelivery } from './deliveries.ts';
import { queueMail } from './mail-queue.ts';
import { findOutboxProblems } from './outbox-problems.ts';
import { claimNotices, recordResult } from './outbox-store.ts';
import { readRuleSubjects } from './rule-subjects.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import { createWebhookEndpoint, deleteWebhookEndpoint, updateWebhookEndpoint } from './webhook-endpoints.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());
beforeEach(() => db.database.query('delete from notices'));

async function newScope(): Promise<WorkspaceScope> {
  const { workspace } = await openAccount(db.database);
  return scopeOf(workspace.id, 'alerts:write');
}

const settings = (more: Partial<RuleSettings> = {}): RuleSettings => ({
  name: 'low',
  kind: 'balance_below',
  threshold: 5_000_000_000n,
  subjectId: null,
  mailRoles: ['owner'],
  mailTo: ['ops@example.com'],
  enabled: true,
  ...more,
});

test('each change of an alert rule leaves an audit event with what changed', async () => {
  const scope = await newScope();
  const { id } = granted(await createAlertRule(db.control, scope, settings()));
  granted(await updateAlertRule(db.control, scope, { id, given: { threshold: 7n, name: 'lower' }, version: 1 }));
  granted(await deleteAlertRule(db.control, scope, { id, version: 2 }));
  const events = await listAuditEvents(db.control, scopeOf(scope.workspaceId, 'audit:read'), {});
  expect(events.items.filter(({ action }) => action.startsWith('alert_rule.'))).toMatchObject([
    { action: 'alert_rule.delete', targetId: id, before: { threshold: '7', mail_to: ['ops@example.com'] } },
    {
      action: 'alert_rule.update',
      before: { name: 'low', threshold: '5000000000' },
      after: { name: 'lower', threshold: '7' },
    },
    { action: 'alert_rule.create', after: { kind: 'balance_below' } },
  ]);
});

test('an alert rule is made once under a name, and the name stands for no other', async () => {
  const scope = await newScope();
  const create = (name: string) => createAlertRule(db.control, scope, settings({ name }), 'mine');
  const [first, second] = (await Promise.all([create('low'), create('low')])).map(granted);
  expect(first?.id).toBe(second?.id);
  expect(await create('other')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect((await listAlertRules(db.control, scope)).items).toHaveLength(1);
});

test('an alert rule of another workspace is found by no operation', async () => {
  const { id } = granted(await createAlertRule(db.control, await newScope(), settings()));
  for (const other of [await newScope(), operatorScope()]) {
    expect(await showAlertRule(db.control, other, id)).toBeNull();
    expect((await listAlertRules(db.control, other)).items).toEqual([]);
    expect(await updateAlertRule(db.control, other, { id, given: {}, version: null })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await deleteAlertRule(db.control, other, { id, version: null })).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('an alert rule that somebody else has changed since is neither changed nor deleted', async () => {
  const scope = await newScope();
  const { id } = granted(await createAlertRule(db.control, scope, settings()));
  const change = (name: string) => updateAlertRule(db.control, scope, { id, given: { name }, version: 1 });
  const outcomes = await Promise.all([change('one'), change('two')]);
  expect(outcomes.filter((outcome) => 'code' in outcome && outcome.code === 'PRECONDITION_FAILED')).toHaveLength(1);
  expect(await deleteAlertRule(db.control, scope, { id, version: 1 })).toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await showAlertRule(db.control, scope, id)).toMatchObject({ version: 2 });
});

test.each<[Partial<RuleSettings>, string]>([
  [{ threshold: 0n }, 'threshold'],
  [{ threshold: null }, 'threshold'],
  [{ kind: 'balance_share', threshold: 101n }, 'threshold'],
  [{ kind: 'runway', threshold: 366n }, 'threshold'],
  [{ kind: 'key_limit', threshold: 101n }, 'threshold'],
  [{ kind: 'ledger_difference', threshold: null }, 'kind'],
  [{ subjectId: crypto.randomUUID() }, 'subject_id'],
  [{ mailTo: ['not an address'] }, 'mail_to'],
  [{ mailTo: ['a@example.com\r\nBcc: b@example.com'] }, 'mail_to'],
  [{ mailTo: Array.from({ length: 21 }, (_, number) => `a${number}@example.com`) }, 'mail_to'],
])('an alert rule of a workspace with %o is refused for its %s', async (wrong, param) => {
  expect(await createAlertRule(db.control, await newScope(), settings(wrong))).toMatchObject({
    code: 'INVALID_REQUEST',
    param,
  });
});

test('the operator has alert rules about the instance, and none about balances', async () => {
  const scope = operatorScope();
  expect(await createAlertRule(db.control, scope, settings())).toMatchObject({ param: 'kind' });
  const about = settings({ kind: 'provider_key_refused', threshold: null });
  const rule = granted(await createAlertRule(db.control, scope, about));
  granted(await deleteAlertRule(db.control, scope, { id: rule.id, version: null }));
});

test('notices that were given up are a problem for the operator, in a sentence for each channel', async () => {
  expect(await findOutboxProblems(db.control)).toEqual([]);
  for (const once of ['one', 'two']) {
    await queueMail(db.control, { to: 'a@example.com', subject: 's', text: 't', once });
    const [claimed] = await claimNotices(db.control, { channel: 'mail', most: 1 });
    if (claimed === undefined) throw new Error('it is due');
    await recordResult(db.control, claimed.notice, { kind: 'rejected', reason: `refused ${once}`, status: 550 }, 0);
  }
  expect(await findOutboxProblems(db.control)).toEqual([
    '2 mails were given up within a week, the last one because: refused two.',
  ]);
});

const wrong = (message: string, param: string) => refuse('INVALID_REQUEST', message, { param });
const BILLION_USD = 1_000_000_000n * 1_000_000_000n;

test.each<[AlertKind, bigint]>([
  ['balance_below', BILLION_USD],
  ['balance_share', 100n],
  ['runway', 365n],
  ['project_budget', 100n],
  ['key_limit', 100n],
])('the threshold of %s is from one to %d', async (kind, most) => {
  const scope = await newScope();
  const create = (threshold: bigint) => createAlertRule(db.control, scope, settings({ kind, threshold }));
  const refused = wrong(`The threshold of ${kind} is above zero and at most ${most}.`, 'threshold');
  for (const threshold of [-1n, 0n, most + 1n]) expect(await create(threshold)).toEqual(refused);
  for (const threshold of [1n, most]) expect(await create(threshold)).toMatchObject({ threshold });
});

test('a rule that can not be what it says is refused with the reason, also where one is changed to it', async () => {
  const scope = await newScope();
  const own = (more: Partial<RuleSettings>) => createAlertRule(db.control, scope, settings(more));
  expect(await own({ kind: 'ledger_difference', threshold: null })).toEqual(
    wrong("Rules of the kind ledger_difference are the operator's.", 'kind'),
  );
  expect(await createAlertRule(db.control, operatorScope(), settings())).toEqual(
    wrong("Rules of the kind balance_below are a workspace's.", 'kind'),
  );
  expect(await own({ kind: 'auto_top_up_stopped' })).toEqual(
    wrong('Rules of the kind auto_top_up_stopped have no threshold.', 'threshold'),
  );
  expect(await own({ subjectId: crypto.randomUUID() })).toEqual(
    wrong('Rules of the kind balance_below are about no one project or key.', 'subject_id'),
  );
  expect(await own({ mailTo: ['fine@example.com', 'not fine'] })).toEqual(
    wrong('"not fine" is not a mail address.', 'mail_to'),
  );
  const addresses = Array.from({ length: 21 }, (_, number) => `a${number}@example.com`);
  expect(await own({ mailTo: addresses })).toEqual(wrong('Name 20 addresses at most.', 'mail_to'));
  const { id } = granted(await own({ mailTo: addresses.slice(1) }));
  const change = { id, given: { threshold: 0n }, version: null };
  expect(await updateAlertRule(db.control, scope, change)).toMatchObject({ param: 'threshold' });
  expect(await showAlertRule(db.control, scope, id)).toMatchObject({ version: 1, threshold: 5_000_000_000n });
});

test('a rule is about a project or key of its own workspace, of the kind that it compares', async () => {
  const { workspace, project, key } = await openAccount(db.database);
  const other = await openAccount(db.database);
  const scope = scopeOf(workspace.id, 'alerts:write');
  const about = (kind: AlertKind, subjectId: string) =>
    createAlertRule(db.control, scope, settings({ kind, subjectId, threshold: 80n }));
  expect(await about('project_budget', project.id)).toMatchObject({ subjectId: project.id });
  expect(await about('key_limit', key.id)).toMatchObject({ subjectId: key.id });
  const none = (what: string) => wrong(`There is no such ${what} in this workspace.`, 'subject_id');
  for (const id of [key.id, other.project.id]) expect(await about('project_budget', id)).toEqual(none('project'));
  for (const id of [project.id, other.key.id]) expect(await about('key_limit', id)).toEqual(none('key'));
  expect(await readRuleSubjects(db.control, scope, [project.id, key.id, other.key.id])).toEqual(
    new Map([
      [project.id, { kind: 'project', id: project.id, name: project.name }],
      [key.id, { kind: 'key', id: key.id, name: key.name }],
    ]),
  );
  expect(await readRuleSubjects(db.control, scope, [])).toEqual(new Map());
});

test('alert rules are listed page by page as they were made, and recorded whole', async () => {
  const scope = await newScope();
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push(granted(await createAlertRule(db.control, scope, settings({ name }))));
  const first = await listAlertRules(db.control, scope, { limit: 2 });
  const second = await listAlertRules(db.control, scope, { limit: 2, after: first.next });
  expect([first.items, second.items]).toEqual([made.slice(0, 2), made.slice(2)]);
  expect(second.next).toBeNull();
  const [one] = made;
  const id = one?.id ?? '';
  expect(one).toEqual({ ...settings({ name: 'a' }), id, version: 1, createdAt: expect.any(Date) });
  expect(await showAlertRule(db.control, scope, id)).toEqual(one);
  const given = { threshold: 7n, mailRoles: [], mailTo: [], enabled: false } as const;
  const changed = granted(await updateAlertRule(db.control, scope, { id, given, version: null }));
  expect(changed).toEqual({ ...one, ...given, version: 2 });
  expect(granted(await deleteAlertRule(db.control, scope, { id, version: null }))).toEqual(changed);
  const noRule = refuse('NOT_FOUND', 'There is no such alert rule.');
  expect(await deleteAlertRule(db.control, scope, { id, version: null })).toEqual(noRule);
  expect(await updateAlertRule(db.control, scope, { id, given, version: null })).toEqual(noRule);
  const whole = { name: 'a', kind: 'balance_below', subject_id: null };
  const former = { threshold: '5000000000', mail_roles: ['owner'], mail_to: ['ops@example.com'], enabled: true };
  const later = { threshold: '7', mail_roles: [], mail_to: [], enabled: false };
  const events = await listAuditEvents(db.control, scopeOf(scope.workspaceId, 'audit:read'), { targetId: id });
  const event = { targetKind: 'alert_rule', targetId: id, targetName: 'a' };
  expect(events.items).toMatchObject([
    { ...event, action: 'alert_rule.delete', before: { ...whole, ...later }, after: null },
    { ...event, action: 'alert_rule.update', before: former, after: later },
    { ...event, action: 'alert_rule.create', before: null, after: { ...whole, ...former } },
  ]);
});

test('a rule that was made under a name and deleted is not made again under it, and fifty are the most', async () => {
  const scope = await newScope();
  const create = (once: string | null) => createAlertRule(db.control, scope, settings(), once);
  const { id } = granted(await create('mine'));
  granted(await deleteAlertRule(db.control, scope, { id, version: 1 }));
  expect(await create('mine')).toEqual(refuse('NOT_FOUND', 'There is no such alert rule.'));
  await db.database.query(
    `insert into alert_rules (workspace_id, id, name, kind, threshold, mail_roles, mail_to)
     select $1, gen_random_uuid(), 'low', 'balance_below', 1, '{}', '{}' from generate_series(1, 49)`,
    [scope.workspaceId],
  );
  granted(await create(null));
  expect(await create(null)).toEqual(refuse('CONFLICT', 'There are 50 alert rules already: delete one first.'));
});

test('what one notice or webhook says when it was given up is a sentence with its count', async () => {
  await db.database.query(
    `insert into notices (workspace_id, id, channel, endpoint_id, recipient, subject, body, state, finished_at, last_error)
     select gen_random_uuid(), gen_random_uuid(), channel, case channel when 'webhook' then gen_random_uuid() end,
       'somewhere', case channel when 'mail' then '' end, '', 'given_up', now() - age, reason
     from (values ('webhook', interval '1 day', 'it answered 500'), ('webhook', interval '2 days', 'older'),
       ('mail', interval '6 days', 'no such mailbox'), ('mail', interval '8 days', 'long ago')) n (channel, age, reason)`,
  );
  expect(await findOutboxProblems(db.control)).toEqual([
    '1 mail was given up within a week, the last one because: no such mailbox.',
    '2 webhook deliveries were given up within a week, the last one because: it answered 500.',
  ]);
  await db.database.query(`delete from notices where channel = 'mail' or last_error = 'older'`);
  expect(await findOutboxProblems(db.control)).toEqual([
    '1 webhook delivery was given up within a week, the last one because: it answered 500.',
  ]);
});

// Deliveries ------------------------------------------------------------------------------------------------------------

async function withEndpoint(url = 'https://hooks.example/a') {
  const scope = await newScope();
  const network = new TargetNetwork([]);
  const parts = { network, keyring: testKeyring(db.control) };
  const made = granted(await createWebhookEndpoint(db.control, scope, { url, description: '' }, parts));
  const set = (enabled: boolean) =>
    updateWebhookEndpoint(db.control, scope, { id: made.endpoint.id, given: { enabled }, version: null }, network);
  return { scope, id: made.endpoint.id, set };
}

const noDelivery = refuse('NOT_FOUND', 'There is no such delivery.');

test('deliveries are listed newest first, by endpoint and state, page by page, to their own workspace alone', async () => {
  const { scope, id } = await withEndpoint();
  const sent = granted(await sendTestWebhook(db.control, scope, id));
  expect(sent).toEqual({
    id: sent.id,
    channel: 'webhook',
    recipient: 'https://hooks.example/a',
    subject: null,
    endpointId: id,
    state: 'waiting',
    attempts: 0,
    createdAt: expect.any(Date),
    nextAttemptAt: expect.any(Date),
    finishedAt: null,
    lastError: null,
    lastStatus: null,
  });
  const { workspaceId } = scope;
  for (const once of ['a', 'b']) {
    await queueMail(db.control, { workspaceId, to: 'a@example.com', subject: once, text: 't', once });
  }
  await db.database.query(
    `update notices set state = 'sent', finished_at = now() where workspace_id = $1 and subject = 'a'`,
    [workspaceId],
  );
  const list = async (filter: DeliveryFilter, page = {}) =>
    (await listDeliveries(db.control, scope, filter, page)).items.map(({ channel, subject }) => subject ?? channel);
  expect(await list({})).toEqual(['b', 'a', 'webhook']);
  expect(await list({ endpointId: id })).toEqual(['webhook']);
  expect(await list({ state: 'sent' })).toEqual(['a']);
  const { next } = await listDeliveries(db.control, scope, {}, { limit: 2 });
  expect(await list({}, { after: next })).toEqual(['webhook']);
  expect(await showDelivery(db.control, scope, sent.id)).toEqual(sent);
  for (const other of [await newScope(), operatorScope()]) {
    expect((await listDeliveries(db.control, other, {})).items).toEqual([]);
    expect(await showDelivery(db.control, other, sent.id)).toBeNull();
    expect(await resendDelivery(db.control, other, sent.id)).toEqual(noDelivery);
  }
});

test('a delivery is sent again once it has ended, if its receiver and content are still there', async () => {
  const { scope, id, set } = await withEndpoint();
  const { workspaceId } = scope;
  const sent = granted(await sendTestWebhook(db.control, scope, id));
  const resend = () => resendDelivery(db.control, scope, sent.id);
  const end = () =>
    db.database.query(
      `update notices set state = 'given_up', finished_at = now(), next_attempt_at = '2020-01-01', give_up_at = '2020-01-01'
       where workspace_id = $1`,
      [workspaceId],
    );
  expect(await resend()).toEqual(refuse('CONFLICT', 'This delivery is being sent already.'));
  await end();
  const again = granted(await resend());
  expect(again).toMatchObject({ id: sent.id, state: 'waiting', finishedAt: null });
  expect(Date.now() - (again.nextAttemptAt?.getTime() ?? 0)).toBeLessThan(60_000);
  const [{ life } = { life: 0 }] = await db.database.query<{ life: number }>(
    'select extract(epoch from give_up_at - next_attempt_at)::float8 as life from notices where id = $1',
    [sent.id],
  );
  expect(life).toBe(86_400);
  granted(await set(false));
  const away = refuse('CONFLICT', 'Its webhook endpoint is disabled or was deleted.');
  expect(await resend()).toEqual(away);
  expect(await sendTestWebhook(db.control, scope, id)).toEqual(
    refuse('NOT_FOUND', 'There is no such webhook endpoint, or it is disabled.'),
  );
  granted(await set(true));
  await end();
  await db.database.query('update notices set body = null where id = $1', [sent.id]);
  expect(await resend()).toEqual(refuse('CONFLICT', 'This mail held a link for its recipient and was erased.'));
  await queueMail(db.control, { workspaceId, to: 'a@example.com', subject: 's', text: 't', once: 'mail' });
  const [mail] = (await listDeliveries(db.control, scope, {})).items;
  await end();
  granted(await resendDelivery(db.control, scope, mail?.id ?? ''));
  const { items } = await listAuditEvents(db.control, scopeOf(workspaceId, 'audit:read'), {});
  expect(items.filter(({ action }) => /^(delivery|webhook\.test)/.test(action))).toMatchObject([
    { action: 'delivery.resend', targetKind: 'delivery', targetId: mail?.id, targetName: 'a@example.com' },
    { action: 'delivery.resend', targetKind: 'delivery', targetId: sent.id, targetName: 'https://hooks.example/a' },
    { action: 'webhook.test', targetKind: 'webhook', targetId: id, targetName: null },
  ]);
});

// Top-ups and payments --------------------------------------------------------------------------------------------------

const notifying = { canMail: true, addressesOf: () => Promise.resolve([]) };

async function openAlertsOf(workspaceId: string) {
  return await db.database.query<{ summary: string; url: string | null; isOpen: boolean }>(
    `select summary, url, resolved_at is null as "isOpen" from alerts where workspace_id = $1 order by raised_at, id`,
    [workspaceId],
  );
}

test('a stop of automatic top-ups is said once, and is over when they go on, or with its month', async () => {
  const { workspace } = await openAccount(db.database);
  const { id: workspaceId, name } = workspace;
  const scope = scopeOf(workspaceId, 'alerts:write');
  const since = new Date('2026-01-02T03:04:05.678Z');
  const stop: AutoTopUpStop = {
    workspaceId,
    workspaceName: name,
    stop: 'failures',
    failure: 'card declined',
    recoveryUrl: 'https://pay.example/1',
    since,
    until: null,
  };
  const raise = (more: Partial<AutoTopUpStop> = {}) =>
    db.control.transaction((tx) => raiseAutoTopUpStop(tx, { ...stop, ...more }, notifying));
  expect(await raise()).toBe(false);
  await db.database.query(
    `insert into alert_watches (workspace_id, credited_nano_usd, spent_nano_usd, looked_at, marks)
     values ($1, 0, 0, now(), '[]')`,
    [workspaceId],
  );
  expect(await raise()).toBe(true);
  expect(await openAlertsOf(workspaceId)).toEqual([]);
  granted(await createAlertRule(db.control, scope, settings({ kind: 'auto_top_up_stopped', threshold: null })));
  expect([await raise(), await raise()]).toEqual([true, true]);
  const alert = (summary: string, isOpen = true) => ({ summary, url: 'https://pay.example/1', isOpen });
  const first = `Automatic top-ups of "${name}" are off after three failures, the last: card declined.`;
  expect(await openAlertsOf(workspaceId)).toEqual([alert(first)]);
  await db.database.query(
    `insert into payment_settings (workspace_id, auto_stop, auto_stopped_at) values ($1, 'failures', $2)`,
    [workspaceId, since],
  );
  const isOpen = async () => {
    await endAutoTopUpStops(db.control);
    return (await openAlertsOf(workspaceId)).map((each) => each.isOpen);
  };
  expect(await isOpen()).toEqual([true]);
  await db.database.query('update payment_settings set auto_stop = null where workspace_id = $1', [workspaceId]);
  expect(await isOpen()).toEqual([false]);
  const until = new Date(Date.now() + 3_600_000);
  await raise({ stop: 'month_max', failure: null, until });
  expect(await isOpen()).toEqual([false, false]);
  await raise({ stop: 'failures', failure: null, since: new Date('2026-01-03T00:00:00Z') });
  await raise({ stop: 'authentication_required', since: new Date('2026-01-04T00:00:00Z') });
  expect((await openAlertsOf(workspaceId)).map(({ summary }) => summary)).toEqual([
    first,
    `Automatic top-ups of "${name}" have reached the maximum of this month.`,
    `Automatic top-ups of "${name}" are off after three failures.`,
    `Automatic top-ups of "${name}" wait: the bank requires authentication by the payer.`,
  ]);
});

test('a payment for a closed workspace is said to the operator until it has gone back', async () => {
  const { workspace } = await openAccount(db.database);
  const payment = {
    workspaceId: workspace.id,
    workspaceName: 'Gone',
    topUpId: 'a top-up',
    amount: 5_000_000_000n,
    paidAt: new Date('2026-01-02T03:04:05.678Z'),
  };
  const scope = operatorScope();
  const rule = settings({ name: 'closed', kind: 'payment_after_closing', threshold: null });
  const { id: ruleId } = granted(await createAlertRule(db.control, scope, rule));
  const alerts = async () => (await listAlerts(db.control, scope, { ruleId })).items;
  for (let look = 0; look < 2; look++) await reportClosedPayments(db.control, [payment], notifying);
  expect(await alerts()).toMatchObject([
    {
      subjectKind: 'workspace',
      subjectId: workspace.id,
      subjectName: 'Gone',
      summary: 'A payment of 5.00 USD came for "Gone" after it was closed: top-up a top-up.',
      value: 5_000_000_000n,
      limit: null,
      resolvedAt: null,
    },
  ]);
  const later = { ...payment, paidAt: new Date('2026-01-03T00:00:00Z') };
  await reportClosedPayments(db.control, [later], notifying);
  expect((await alerts()).map(({ resolvedAt }) => resolvedAt === null)).toEqual([true, false]);
  expect((await listAlerts(db.control, scope, { ruleId, isOpen: false })).items).toHaveLength(1);
  const { items, next } = await listAlerts(db.control, scope, { ruleId }, { limit: 1 });
  const rest = await listAlerts(db.control, scope, { ruleId }, { after: next });
  expect([...items, ...rest.items]).toEqual(await alerts());
  // Two at the same time, of which one goes back.
  const another = { ...later, workspaceId: (await openAccount(db.database)).workspace.id };
  const openSubjects = async () =>
    (await listAlerts(db.control, scope, { ruleId, isOpen: true })).items.map(({ subjectId }) => subjectId);
  await reportClosedPayments(db.control, [later, another], notifying);
  expect(new Set(await openSubjects())).toEqual(new Set([workspace.id, another.workspaceId]));
  await reportClosedPayments(db.control, [another], notifying);
  expect(await openSubjects()).toEqual([another.workspaceId]);
  await reportClosedPayments(db.control, [], notifying);
  expect((await alerts()).every(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
  expect((await listAlerts(db.control, scopeOf(workspace.id, 'alerts:read'), {})).items).toEqual([]);
  granted(await deleteAlertRule(db.control, scope, { id: ruleId, version: null }));
});

test("the operator's alerts are about no workspace, and are mailed to operators where a rule names a role", async () => {
  const scope = operatorScope();
  const { workspace } = await openAccount(db.database);
  const own = { network: new TargetNetwork([]), keyring: testKeyring(db.control) };
  const { endpoint } = granted(
    await createWebhookEndpoint(db.control, scope, { url: 'https://hooks.example/', description: '' }, own),
  );
  const kind = { kind: 'payment_after_closing', threshold: null } as const;
  const rules = [
    await createAlertRule(db.control, scope, settings({ ...kind, name: 'operators', mailTo: [] })),
    await createAlertRule(db.control, scope, settings({ ...kind, name: 'one address', mailRoles: [] })),
  ].map(granted);
  const payment = {
    workspaceId: workspace.id,
    workspaceName: 'Gone',
    topUpId: 'a top-up',
    amount: 1n,
    paidAt: new Date(0),
  };
  await reportClosedPayments(db.control, [payment], {
    canMail: true,
    addressesOf: () => Promise.resolve(['operator@example.com']),
  });
  const notices = await db.database.query<{ recipient: string; body: string }>(
    'select recipient, body from notices order by channel, id',
  );
  const saying = (name: string): unknown =>
    expect.stringContaining(`because of the alert rule "${name}" of the operator.`);
  expect(notices.slice(0, 2)).toEqual([
    { recipient: 'operator@example.com', body: saying('operators') },
    { recipient: 'ops@example.com', body: saying('one address') },
  ]);
  expect(notices.slice(2).map(({ body }) => JSON.parse(body))).toMatchObject([
    { workspace: null, rule: { name: 'operators', threshold: null } },
    { workspace: null, rule: { name: 'one address', threshold: null } },
  ]);
  await reportClosedPayments(db.control, [], notifying);
  for (const { id } of rules) granted(await deleteAlertRule(db.control, scope, { id, version: null }));
  granted(await deleteWebhookEndpoint(db.control, scope, { id: endpoint.id, version: null }));
});

test('an alert is mailed to fifty people at most, and to no member whose address is none', async () => {
  const { workspaceId } = await newScope();
  const rule = granted(await createAlertRule(db.control, scopeOf(workspaceId, 'alerts:write'), settings()));
  const members = Array.from({ length: 60 }, (_, index) => `member${index}@example.com`);
  const crossing = {
    subjectKind: 'workspace',
    subjectId: workspaceId,
    subjectName: 'Ours',
    window: null,
    summary: 'It is low.',
    value: 1n,
    limit: 2n,
  } as const;
  await raiseAlerts(
    db.control,
    { workspaceId, workspaceName: 'Ours' },
    { rule, crossings: [crossing] },
    {
      canMail: true,
      addressesOf: () => Promise.resolve(['no address', ...members]),
    },
  );
  const mails = await db.database.query<{ recipient: string }>('select recipient from notices');
  expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(
    new Set(['ops@example.com', ...members.slice(0, 49)]),
  );
});

test('more crossings of one moment than a webhook lists are counted, and those that ended long ago are deleted', async () => {
  const { scope } = await withEndpoint();
  const { workspaceId } = scope;
  const rule = granted(await createAlertRule(db.control, scope, settings({ kind: 'key_limit', threshold: 80n })));
  const crossings = Array.from({ length: 102 }, (_, index) => ({
    subjectKind: 'key' as const,
    subjectId: `key ${index}`,
    subjectName: `Key ${index}`,
    window: null,
    summary: `Key ${index} is used up.`,
    value: 9n,
    limit: 10n,
  }));
  const owner = { workspaceId, workspaceName: 'Ours' };
  const raise = (given = crossings) => raiseAlerts(db.control, owner, { rule, crossings: given }, notifying);
  expect(await raise([])).toBe(0);
  expect([await raise(), await raise()]).toEqual([102, 0]);
  const rows = await db.database.query<{ body: string }>(
    `select body from notices where workspace_id = $1 and channel = 'webhook'`,
    [workspaceId],
  );
  const [message, ...others] = rows.map(({ body }) => JSON.parse(body));
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    type: 'alerts.raised',
    workspace: { id: workspaceId, name: 'Ours' },
    rule: { id: rule.id, name: 'low', kind: 'key_limit', threshold: '80' },
    unlisted: 2,
  });
  expect(message.alerts).toHaveLength(100);
  expect(message.alerts[0]).toEqual({
    id: expect.any(String),
    subject: { kind: 'key', id: expect.stringMatching(/^key /), name: expect.stringMatching(/^Key /) },
    summary: expect.stringMatching(/is used up\.$/),
    value_nano_usd: '9',
    limit_nano_usd: '10',
    url: null,
    raised_at: expect.stringMatching(/Z$/),
  });
  const count = async () =>
    (await db.database.query('select from alerts where workspace_id = $1', [workspaceId])).length;
  await db.database.query(`update alerts set resolved_at = now() - interval '399 days' where workspace_id = $1`, [
    workspaceId,
  ]);
  await pruneAlerts(db.control);
  expect(await count()).toBe(102);
  await db.database.query(
    `update alerts set resolved_at = now() - interval '401 days' where workspace_id = $1 and subject_id <> 'key 1'`,
    [workspaceId],
  );
  await pruneAlerts(db.control);
  expect(await count()).toBe(1);
});
