import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { Act } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type AuditEvent, changedFields, listAuditEvents, recordAudit } from './audit.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
});
afterAll(() => testDatabase.stop());

const requestId = randomUUID();
const OPERATOR: Act = {
  actor: { kind: 'operator', tokenId: null, name: 'operator', access: 'all' },
  address: '192.0.2.7',
  requestId,
};

async function newScope(): Promise<WorkspaceScope> {
  const { workspace } = await openAccount(testDatabase.database);
  const scope = authorise(OPERATOR, 'audit:read', workspace.id);
  if (isRefusal(scope)) throw new Error(scope.message);
  return scope;
}

const renamed = (id: string) => ({
  action: 'project.update' as const,
  target: { kind: 'project', id, name: 'two' },
  ...changedFields({ name: 'one', models: null }, { name: 'two', models: null }),
});

test('an audit event says who changed what, when, from where and by which request', async () => {
  const sql = testDatabase.control;
  const scope = await newScope();
  const id = randomUUID();
  await sql.transaction((tx) => recordAudit(tx, scope, renamed(id)));
  const { items } = await listAuditEvents(sql, scope, { targetId: id });
  expect(items).toMatchObject([
    {
      workspaceId: scope.workspaceId,
      actorKind: 'operator',
      actorName: 'operator',
      userId: null,
      action: 'project.update',
      targetKind: 'project',
      targetId: id,
      targetName: 'two',
      before: { name: 'one' },
      after: { name: 'two' },
      address: '192.0.2.7',
      requestId,
    },
  ]);
});

/** An event's digest, as an auditor computes it who has only an export. */
function digestOf(event: AuditEvent): Buffer {
  const { id, workspaceId, at, actorKind, userId, actorName, action, targetKind, targetId, targetName } = event;
  const who = [id, workspaceId, at.toISOString(), actorKind, userId, actorName];
  const what = [action, targetKind, targetId, targetName, event.before, event.after, event.address, event.requestId];
  return hash('sha256', spaced([...who, ...what]), 'buffer');
}

/** JSON with a space after each comma and colon, as PostgreSQL and Python write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spaced(field)}`);
  return `{${fields.join(', ')}}`;
}

test('events of concurrent changes form one chain, whose hashes can be computed from an export alone', async () => {
  const sql = testDatabase.control;
  const scope = await newScope();
  const changes = Array.from({ length: 24 }, async (_, number) => {
    const fields = changedFields(
      { name: null, limit: number, models: null },
      { name: 'Ä"\n', limit: 'no', models: ['a', 'b'] },
    );
    await sql.transaction((tx) => recordAudit(tx, scope, { ...renamed(randomUUID()), ...fields }));
  });
  await Promise.all(changes);
  // A release from before the chains inserts no more than this.
  await sql.query(
    `insert into audit_events (id, workspace_id, actor_kind, actor_name, action, target_kind, target_id)
     values ($1, $2, 'job', 'j', 'project.update', 'project', 'p')`,
    [randomUUID(), scope.workspaceId],
  );
  const { items } = await listAuditEvents(sql, scope, {});
  const chain = items.toSorted((left, right) => Number(left.position - right.position));
  expect(chain.length).toBeGreaterThan(changes.length);
  expect(chain.map(({ position }) => position)).toEqual(chain.map((_, index) => BigInt(index + 1)));
  let former = Buffer.alloc(0);
  for (const event of chain) {
    former = hash('sha256', Buffer.concat([former, digestOf(event)]), 'buffer');
    expect(event.chainSha256).toBe(former.toString('hex'));
  }
});

test('a change that is rolled back leaves no audit event', async () => {
  const sql = testDatabase.control;
  const scope = await newScope();
  const id = randomUUID();
  const work = sql.transaction(async (tx) => {
    await recordAudit(tx, scope, renamed(id));
    throw new Error('the change failed');
  });
  await expect(work).rejects.toThrow('the change failed');
  expect((await listAuditEvents(sql, scope, { targetId: id })).items).toEqual([]);
});

test('no statement changes or deletes an audit event', async () => {
  const { database } = testDatabase;
  await recordAudit(database, await newScope(), renamed(randomUUID()));
  await expect(database.query("update audit_events set action = 'x'")).rejects.toThrow('append-only');
  await expect(database.query('delete from audit_events')).rejects.toThrow('append-only');
});

test('lists of audit events that adjoin in time have each event once: from an instant on, and before it', async () => {
  const sql = testDatabase.control;
  const scope = await newScope();
  const at = new Date('2026-11-01T00:00:00Z');
  await testDatabase.database.query(
    `insert into audit_events (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_id)
     values ($1, $2, $3, 'operator', 'operator', 'project.update', 'project', 'p')`,
    [randomUUID(), scope.workspaceId, at],
  );
  expect((await listAuditEvents(sql, scope, { targetId: 'p', since: at })).items).toMatchObject([{ at }]);
  expect((await listAuditEvents(sql, scope, { targetId: 'p', until: at })).items).toEqual([]);
});

test('audit events are listed newest first, page by page, and by what a filter lets through', async () => {
  const sql = testDatabase.control;
  const scope = await newScope();
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of ids) await recordAudit(testDatabase.database, scope, renamed(id));
  const filter = { action: 'project.update' };
  const first = await listAuditEvents(sql, scope, filter, { limit: 2 });
  const second = await listAuditEvents(sql, scope, filter, { limit: 2, after: first.next });
  expect([...first.items, ...second.items].map(({ targetId }) => targetId)).toEqual(ids.toReversed());
  expect(second.next).toBeNull();
  expect((await listAuditEvents(sql, scope, { targetId: ids[1] ?? '' })).items).toHaveLength(1);
  expect((await listAuditEvents(sql, scope, { action: 'key.rotate' })).items).toEqual([]);
  expect((await listAuditEvents(sql, scope, { userId: randomUUID() })).items).toEqual([]);
  expect((await listAuditEvents(sql, scope, { until: new Date(0) })).items).toEqual([]);
  expect((await listAuditEvents(sql, await newScope(), filter)).items).toEqual([]);
});
