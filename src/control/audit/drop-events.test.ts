import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import type { Sql } from '../../lib/sql.ts';
import { listAuditEvents, recordAudit } from './audit.ts';
import { dropAuditEvents } from './drop-events.ts';

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterEach(() => testDatabase.stop());

/** Records events of a workspace, or of the instance, that are this old. */
async function recordOld(workspaceId: string | null, days: readonly number[]): Promise<void> {
  for (const age of days) {
    await sql.query(
      `insert into audit_events (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_id)
       values (gen_random_uuid(), $1, now() - make_interval(days => $2::int), 'job', 'test', 'project.update', 'project', 'p')`,
      [workspaceId, age],
    );
  }
}

/** A workspace whose chain has these events, and the only chain. */
async function workspaceWith(days: readonly number[]): Promise<string> {
  const { id } = await openWorkspace(sql, `workspace ${days.join(' ')}`);
  await sql.query(`do $$ begin
    set local session_replication_role = replica;
    delete from audit_events;
    delete from audit_links;
    delete from audit_chains;
  end $$`);
  await recordOld(id, days);
  return id;
}

const drop = (daysKept: number) => dropAuditEvents({ sql, pacer: UNPACED }, new Date(Date.now() - daysKept * DAY_MS));

async function actionsOf(workspaceId: string): Promise<readonly string[]> {
  const { items } = await listAuditEvents(sql, scopeOf(workspaceId, 'audit:read'), {});
  return items.map(({ action }) => action).toSorted();
}

test('a chain loses its events that are too old, says so itself, and goes on from where it was', async () => {
  const id = await workspaceWith([100, 99, 50, 40, 2]);
  await recordOld(null, [100]);
  expect(await drop(45)).toBe(4);
  expect(await actionsOf(id)).toEqual(['audit.drop', 'project.update', 'project.update']);
  await recordAudit(sql, scopeOf(id), { action: 'project.update', target: { kind: 'project', id: 'p' } });
  const { items } = await listAuditEvents(sql, scopeOf(id, 'audit:read'), { action: 'audit.drop' });
  const [said] = await sql.query<{ hash: string }>(
    `select encode(chain_sha256, 'hex') as hash from audit_links where scope_id = $1 and position = 3`,
    [id],
  );
  expect(items).toMatchObject([
    { actorName: 'retention', position: 6n, after: { position: '3', chain_sha256: said?.hash, events: 3 } },
  ]);
  expect(await drop(45)).toBe(0);
});

test('events are dropped once the oldest is a week too old, so that a chain is not full of events about drops', async () => {
  const id = await workspaceWith([51, 46, 10]);
  expect(await drop(45)).toBe(0);
  expect(await drop(43)).toBe(2);
  expect(await actionsOf(id)).toEqual(['audit.drop', 'project.update']);
});

test('a recent event keeps those that were recorded after it, however old they say they are', async () => {
  const id = await workspaceWith([100, 1, 100]);
  expect(await drop(45)).toBe(1);
  expect(await actionsOf(id)).toEqual(['audit.drop', 'project.update', 'project.update']);
});

test('an event that is gone for no reason stops the drop, so that the proof still finds it', async () => {
  const id = await workspaceWith([100, 99, 98]);
  await sql.query(`do $$ begin
    set local session_replication_role = replica;
    delete from audit_events where id = (select event_id from audit_links where scope_id = '${id}' and position = 2);
  end $$`);
  expect(await drop(45)).toBe(1);
  expect(await drop(45)).toBe(0);
});

test('of two processes that drop at the same time each event is dropped by one', async () => {
  const id = await workspaceWith([100, 99, 98]);
  const dropped = await Promise.allSettled([drop(45), drop(45), drop(45)]);
  const counts = dropped.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(3);
  expect(await actionsOf(id)).toEqual(['audit.drop']);
});

test('the database refuses to delete an event that its chain does not say was dropped', async () => {
  await workspaceWith([100]);
  await recordAudit(sql, operatorScope(), { action: 'user.update', target: { kind: 'user', id: 'u' } });
  await expect(sql.query('delete from audit_events')).rejects.toThrow('append-only');
});
