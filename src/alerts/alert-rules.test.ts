import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { operatorScope, scopeOf } from '../../test/support/scopes.ts';
import { listAuditEvents } from '../audit/audit.ts';
import type { WorkspaceScope } from '../domain/workspace-scope.ts';
import type { RuleSettings } from './alert-kinds.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, showAlertRule, updateAlertRule } from './alert-rules.ts';
import { queueMail } from './mail-queue.ts';
import { findOutboxProblems } from './outbox-problems.ts';
import { claimNotices, recordResult } from './outbox-store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

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

test('a workspace has fifty alert rules at most', async () => {
  const scope = await newScope();
  for (let count = 0; count < 50; count++) granted(await createAlertRule(db.control, scope, settings()));
  expect(await createAlertRule(db.control, scope, settings())).toMatchObject({ code: 'CONFLICT' });
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
