import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, openAccount, Spender, granted } from '../../../test/support/accounts.ts';
import { CrashingSql } from '../../../test/support/crashing-sql.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import { changeWorkspace } from '../accounts/workspaces.ts';
import { makeChange } from '../audit/change.ts';
import type { SinkRecord } from '../../domain/sinks.ts';
import type { Sql } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';
import { deliverRecords } from './record-delivery.ts';
import { changeWorkspaceSink } from './workspace-sinks.ts';

const SINK = { name: 'archive', kind: 'file' } as const;

let testDatabase: TestDatabase;
let sql: Sql;
let spender: Spender;
let one: Account;
let other: Account;

beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  one = await openAccount(sql, { credit: 10n ** 15n });
  other = await openAccount(sql, { credit: 10n ** 15n });
  spender = await Spender.begin(sql);
});
afterEach(() => testDatabase.stop());

async function use({ workspace }: Account, ...records: SinkRecord[]): Promise<void> {
  const change = { change: { records }, version: null };
  granted(await makeChange(sql, (tx) => changeWorkspaceSink(tx, scopeOf(workspace.id), SINK, change)));
}

async function settle(account: Account, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const requestId = newId();
    await spender.spend(account, { hold: 100n, charge: 20n }, { requestId, admittedAtMs: Date.now() });
    ids.push(requestId);
  }
  return ids;
}

/** A sink that keeps what it is given, but of workspaces for which it fails. */
class Kept {
  readonly ids: string[] = [];
  readonly failsFor = new Set<string>();

  deliver = (workspaceId: string, records: readonly object[]): Promise<string | null> => {
    if (this.failsFor.has(workspaceId)) return Promise.resolve('no space left');
    for (const record of records as { request_id: string; action?: string }[]) {
      this.ids.push(record.action ?? record.request_id);
    }
    return Promise.resolve(null);
  };

  round(on: Sql = sql, holder: string = newId()): Promise<string | null> {
    return deliverRecords({ sql: on, pacer: UNPACED, sink: SINK.name, holder, deliver: this.deliver });
  }
}

test('each receipt that is settled after it was asked for is delivered once, also by transactions that commit late', async () => {
  const kept = new Kept();
  await settle(one, 2);
  await use(one, 'receipts');
  const first = await settle(one, 3);
  const pending = Promise.withResolvers<void>();
  const late = sql.transaction(async (tx) => {
    await tx.query('create table late as select pg_current_xact_id()');
    await pending.promise;
  });
  expect(await kept.round()).toBeNull();
  expect(kept.ids.toSorted()).toEqual(first.toSorted());
  pending.resolve();
  await late;
  const second = await settle(one, 2);
  await settle(other, 2);
  await kept.round();
  await kept.round();
  expect(kept.ids.toSorted()).toEqual([...first, ...second].toSorted());
});

test('a process that dies at any place loses no receipt and no audit event', async () => {
  await use(one, 'receipts', 'audit');
  for (let place = 1; ; place++) {
    const kept = new Kept();
    const ids = await settle(one, 2);
    granted(
      await makeChange(sql, (tx) =>
        changeWorkspace(tx, scopeOf(one.workspace.id), { version: null, change: { name: `w${place}` } }),
      ),
    );
    const dying = new CrashingSql(sql, place);
    await kept.round(dying).catch(() => undefined);
    // Another process waits until the hold of the dead one has run out.
    await sql.query("update sink_progress set held_until = now() - interval '1 second'");
    await kept.round();
    expect(kept.ids).toEqual(expect.arrayContaining([...ids, 'workspace.rename']));
    if (!dying.hasCrashed) break;
  }
});

test('while one process delivers to a sink, no other does', async () => {
  await use(one, 'receipts');
  await settle(one, 1);
  const [kept, second] = [new Kept(), new Kept()];
  const { deliver } = kept;
  kept.deliver = async (...given) => {
    await second.round();
    return await deliver(...given);
  };
  await kept.round();
  expect([kept.ids.length, second.ids.length]).toEqual([1, 0]);
});

test('a workspace whose delivery fails catches up alone, and nothing is repeated to others', async () => {
  await use(one, 'receipts');
  await use(other, 'receipts');
  const kept = new Kept();
  kept.failsFor.add(one.workspace.id);
  const [failed, fine] = [await settle(one, 2), await settle(other, 2)];
  expect(await kept.round()).toBe('no space left');
  expect(await kept.round()).toBe('no space left');
  expect(kept.ids.toSorted()).toEqual(fine.toSorted());
  const later = await settle(other, 1);
  await kept.round();
  kept.failsFor.clear();
  expect(await kept.round()).toBeNull();
  expect(await kept.round()).toBeNull();
  expect(kept.ids.toSorted()).toEqual([...fine, ...later, ...failed].toSorted());
});

test('a sink that takes nothing is given the same again, and is named with its fault once it has failed for long', async () => {
  await use(one, 'receipts');
  const kept = new Kept();
  kept.failsFor.add(one.workspace.id);
  const ids = await settle(one, 2);
  await kept.round();
  const [row] = await sql.query('select fault, failing_since is not null as failing from sink_progress');
  expect(row).toEqual({ fault: 'no space left', failing: true });
  kept.failsFor.clear();
  await kept.round();
  expect(kept.ids.toSorted()).toEqual(ids.toSorted());
  expect(await sql.query('select fault from sink_progress')).toEqual([{ fault: null }]);
});

test('what a workspace does not want any more is not delivered, and what came between is not delivered later', async () => {
  const kept = new Kept();
  await use(one, 'receipts', 'audit');
  await kept.round();
  expect(kept.ids).toEqual(['sink.update']);
  await use(one);
  await settle(one, 2);
  await kept.round();
  await use(one, 'receipts');
  const ids = await settle(one, 1);
  await kept.round();
  expect(kept.ids).toEqual(['sink.update', ...ids]);
});
