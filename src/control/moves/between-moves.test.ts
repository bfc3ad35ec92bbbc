import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, endKey, granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { moverOf, moveTo, startTwoCells, type TwoCells } from '../../../test/support/two-cells.ts';
import { UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { dropAuditEvents } from '../audit/drop-events.ts';
import { storeCell } from '../cells/cell-store.ts';
import { cancelMove, type Move, showMove, startMove } from './moves.ts';

// What happens to a workspace, to the cells and to the processes that move it, between the steps of a move and between two moves.

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
  const third = { shard: '02', url: 'https://02.gateway.example', token: 'fg_op_1234', version: null };
  granted(
    await storeCell({ sql: cells.zero.control, keyring: testKeyring(cells.zero.control) }, operatorScope(), third),
  );
});
afterAll(() => cells.stop());

const DAY_MS = 86_400_000;
const ENDED = { state: 'ended', problem: null };

async function spentAccount(): Promise<Account> {
  const { database } = cells.zero;
  const account = await openAccount(database, { credit: 10_000n });
  const spender = await Spender.begin(database);
  await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.end();
  return account;
}

async function begun({ workspace }: Account, shard = '01'): Promise<Move> {
  return granted(await startMove(cells.zero.control, scopeOf(workspace.id), { shard, waitMs: 2_000 }));
}

async function moveOf({ workspace }: Account): Promise<Move> {
  return granted(await showMove(cells.zero.control, scopeOf(workspace.id)));
}

async function isRevokedThere({ key }: Account): Promise<boolean | undefined> {
  const [row] = await cells.one.database.query<{ isRevoked: boolean }>(
    'select revoked_at is not null as "isRevoked" from keys where id = $1',
    [key.id],
  );
  return row?.isRevoked;
}

async function proven(): Promise<void> {
  for (const { database } of [cells.zero, cells.one]) expect((await verifyLedger(database)).differences).toEqual([]);
}

test('lines that a crash of the database has emptied are copied once more, so that no change is left out', async () => {
  const { zero, one } = cells;
  const account = await spentAccount();
  await begun(account);
  const done = new Set<string>();
  const mover = moverOf(zero.control, one.control, '00', async (operation) => {
    const { state } = await moveOf(account);
    if (operation === 'landRows' && !done.has('revoked')) {
      done.add('revoked');
      await endKey(zero.database, account.key);
    }
    if (operation === 'beginArrival' && state === 'paused' && !done.has('lost')) {
      done.add('lost');
      // As PostgreSQL does with tables that are not logged.
      await zero.database.query('truncate departing_rows');
    }
  });
  await mover.run();
  expect([...done]).toEqual(['revoked', 'lost']);
  expect(await moveOf(account)).toMatchObject(ENDED);
  expect(await isRevokedThere(account)).toBe(true);
});

test('a workspace whose audit events were dropped in one cell moves to the other one that has them, which drops them', async () => {
  const { zero, one } = cells;
  const account = await spentAccount();
  const { id } = account.workspace;
  expect(await moveTo(zero, one, id, '01')).toMatchObject(ENDED);
  for (const [from, to, shard] of [
    [one, zero, '00'],
    [zero, one, '01'],
  ] as const) {
    const later = new Date(Date.now() + 9 * DAY_MS);
    expect(await dropAuditEvents({ sql: from.control, pacer: UNPACED }, later)).toBeGreaterThan(0);
    expect(await moveTo(from, to, id, shard)).toMatchObject(ENDED);
    await proven();
  }
});

test('a cell that stays silent keeps no workspace from moving to another cell', async () => {
  const { zero, one } = cells;
  const stuck = await Promise.all(Array.from({ length: 6 }, spentAccount));
  for (const account of stuck) await begun(account, '02');
  const silence = Promise.withResolvers<never>();
  const mover = moverOf(zero.control, one.control, '00', (_, shard) => (shard === '02' ? silence.promise : undefined));
  const waiting = mover.run();
  const account = await spentAccount();
  await begun(account);
  await mover.run();
  expect(await moveOf(account)).toMatchObject(ENDED);
  for (const each of stuck) expect(await moveOf(each)).toMatchObject({ state: 'copying' });
  silence.reject(new Error('the process ends'));
  await expect(waiting).rejects.toThrow('the process ends');
  for (const { workspace } of stuck) granted(await cancelMove(zero.control, scopeOf(workspace.id)));
});

test('a move to a silent cell that was cancelled is followed by one to the same cell, or to another one', async () => {
  const { zero, one } = cells;
  const account = await spentAccount();
  const scope = scopeOf(account.workspace.id);
  const first = await begun(account);
  expect(granted(await cancelMove(zero.control, scope))).toMatchObject({ state: 'returning' });
  const again = await begun(account);
  expect(again).toMatchObject({ state: 'copying', problem: null });
  expect(again.id).not.toBe(first.id);
  expect(granted(await cancelMove(zero.control, scope))).toMatchObject({ state: 'returning' });
  expect(await startMove(zero.control, scope, { shard: '02', waitMs: 2_000 })).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('cancel the move once more'),
  });
  expect(granted(await cancelMove(zero.control, scope))).toMatchObject({ state: 'returned' });
  await begun(account, '02');
  granted(await cancelMove(zero.control, scope));
  granted(await cancelMove(zero.control, scope));
  expect(await moveTo(zero, one, account.workspace.id, '01')).toMatchObject(ENDED);
  await proven();
});

test('a process that was stopped for a while sends nothing that another one has overtaken', async () => {
  const { zero, one } = cells;
  const account = await spentAccount();
  await begun(account);
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const calls: string[] = [];
  let isStopped = false;
  const stopped = moverOf(zero.control, one.control, '00', async (operation) => {
    calls.push(operation);
    if (operation !== 'beginArrival' || isStopped) return;
    isStopped = true;
    await zero.database.query(
      `update workspace_moves set holder = gen_random_uuid(), held_until = now() + interval '1 hour' where workspace_id = $1`,
      [account.workspace.id],
    );
    goOn();
  });
  await Promise.all([stopped.run(), goesOn]);
  expect(calls).toEqual(['beginArrival']);
  await zero.database.query('update workspace_moves set held_until = now() where workspace_id = $1', [
    account.workspace.id,
  ]);
  await moverOf(zero.control, one.control).run();
  expect(await moveOf(account)).toMatchObject(ENDED);
});
