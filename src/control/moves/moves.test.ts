import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillDatabase } from '../../../test/database/fill-database.ts';
import {
  type Account,
  granted,
  grantCredit,
  openAccount,
  openKey,
  Spender,
  workspaceNow,
} from '../../../test/support/accounts.ts';
import { CrashingSql } from '../../../test/support/crashing-sql.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import {
  copyPrices,
  moverOf,
  moveTo,
  returnLeases,
  startTwoCells,
  type TwoCells,
} from '../../../test/support/two-cells.ts';
import { countUsageIn, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Sql } from '../../lib/sql.ts';
import { closeWorkspace, createWorkspace } from '../accounts/workspaces.ts';
import { makeChange } from '../audit/change.ts';
import type { LedgerReport } from '../ledger/verify.ts';
import { PostgresPurseStore } from '../../program/database/purse-store.ts';
import { MOVED_TABLES } from './moved-tables.ts';
import { cancelMove, pause, showMove, startMove } from './moves.ts';
import { readRows } from './read-rows.ts';
import { openSecrets } from './travelling-secrets.ts';

// Workspaces move between two databases, without the programs around them: test/cells/ has those.

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

type Sums = Pick<LedgerReport, 'credit' | 'charges' | 'writeOffs' | 'balance' | 'owed' | 'receipts' | 'postings'>;

/** The sums of all cells, each of which is proven. */
async function provenSums({ zero, one }: TwoCells): Promise<Sums> {
  const reports: LedgerReport[] = [];
  for (const cell of [zero, one]) {
    await countUsageIn(cell.control)();
    reports.push(await verifyLedger(cell.database));
  }
  expect(reports.map(({ differences }) => differences)).toEqual([[], []]);
  const names = ['credit', 'charges', 'writeOffs', 'balance', 'owed', 'receipts', 'postings'] as const;
  const sumOf = (name: keyof Sums): bigint => reports.reduce((sum, report) => sum + report[name], 0n);
  return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as unknown as Sums;
}

/** The cells in which the workspace's credit may be spent. */
async function liveIn({ zero, one }: TwoCells, workspaceId: string): Promise<string> {
  const live: string[] = [];
  for (const [name, cell] of Object.entries({ zero, one })) {
    const rows = await cell.database.query(
      `select from workspaces w join purses p on p.workspace_id = w.id and p.kind = 'credit'
       where w.id = $1 and w.moved_to is null and w.paused_at is null and not p.shut`,
      [workspaceId],
    );
    if (rows.length > 0) live.push(name);
  }
  return live.join(' and ');
}

async function spentAccount({ database }: TestDatabase, credit = 10_000n): Promise<Account> {
  const account = await openAccount(database, { credit, key: { spendLimit: 5_000n } });
  await spendIn(database, account);
  return account;
}

async function spendIn(sql: Sql, account: Account): Promise<void> {
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.spend(account, { hold: 300n, charge: 0n });
  await spender.end();
}

async function begun({ control }: TestDatabase, { workspace }: Account, waitMs = 2_000): Promise<void> {
  granted(await startMove(control, scopeOf(workspace.id), { shard: '01', waitMs }));
}

/** What a table has of the workspace, without what each cell has of its own. */
async function rowsOf({ control }: TestDatabase, table: string, workspaceId: string): Promise<readonly unknown[]> {
  const moved = MOVED_TABLES.find((each) => each.table === table);
  if (moved === undefined) throw new Error(`${table} does not move`);
  const { rows } = await readRows(control, moved, { workspaceId, after: null, rowsMax: 10_000 });
  const opened = await Promise.all(rows.map((row) => openSecrets(testKeyring(control), table, row)));
  return opened.map((line) => {
    const {
      price_version_id: _price,
      list_id: _list,
      version,
      retired_at: _retired,
      receipts_from: _from,
      ...row
    } = JSON.parse(line) as Record<string, unknown>;
    return table === 'price_versions' ? row : { ...row, version };
  });
}

test('all that a workspace has moves, and the sums of both cells stay the same', async () => {
  const full = await startTwoCells();
  try {
    const { zero, one } = full;
    await zero.database.query('delete from cells');
    await fillDatabase(zero);
    await zero.database.query('delete from workspace_moves');
    await copyPrices(zero, one);
    await returnLeases(zero);
    await zero.database.query(`update top_ups set state = 'failed' where state in ('pending', 'processing')`);
    const [found] = await zero.database.query<{ id: string }>(
      `select workspace_id as id from top_ups where state = 'paid' limit 1`,
    );
    const id = found?.id ?? '';
    const before = await provenSums(full);
    expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended', problem: null });
    expect(await liveIn(full, id)).toBe('one');
    expect(await provenSums(full)).toEqual(before);
    for (const { table } of MOVED_TABLES) {
      if (['purses', 'price_versions', 'audit_events', 'audit_links', 'audit_chains'].includes(table)) continue;
      expect({ table, rows: await rowsOf(one, table, id) }).toEqual({ table, rows: await rowsOf(zero, table, id) });
    }
    expect(await moveTo(one, zero, id, '00')).toMatchObject({ state: 'ended', problem: null });
    expect(await liveIn(full, id)).toBe('zero');
    expect(await provenSums(full)).toEqual(before);
  } finally {
    await full.stop();
  }
});

test('a workspace moves on and back, and is spent in each cell that it lives in', async () => {
  const { zero, one } = cells;
  const before = await provenSums(cells);
  const account = await spentAccount(zero);
  const { id } = account.workspace;
  for (const [from, to, shard] of [
    [zero, one, '01'],
    [one, zero, '00'],
    [zero, one, '01'],
  ] as const) {
    expect(await moveTo(from, to, id, shard)).toMatchObject({ state: 'ended', problem: null });
    await expect(spendIn(from.database, account)).rejects.toThrow('');
    await spendIn(to.database, account);
    await grantCredit(to.database, id, 5n);
    await openKey(to.database, account.project, { name: `made after ${shard}` });
  }
  expect(await workspaceNow(one.database, id)).toMatchObject({ balance: 10_000n - 4n * 120n + 15n });
  const after = await provenSums(cells);
  expect({
    credit: after.credit - before.credit,
    charges: after.charges - before.charges,
    receipts: after.receipts - before.receipts,
  }).toEqual({
    credit: 10_015n,
    charges: 480n,
    receipts: 8n,
  });
});

test('a workspace does not land on purses that a process still leases from, and comes once it has given them back', async () => {
  const { zero, one } = cells;
  const account = await spentAccount(zero);
  const { id } = account.workspace;
  expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended' });
  await spendIn(one.database, account);
  const [lease] = await zero.database.query<{ epoch: bigint }>(
    `with epoch as (
       insert into epochs (instance_id, process_name, timeout_ms) values (gen_random_uuid(), 'late', 600000) returning id
     ), purse as (
       update purses set leased_nano_usd = 50 where workspace_id = $1 and kind = 'key' returning id
     ) insert into leases (epoch_id, purse_id, granted_nano_usd, charged_nano_usd, open, sequence)
       select epoch.id, purse.id, 50, 0, false, 1 from epoch, purse returning epoch_id as epoch`,
    [id],
  );
  expect(await moveTo(one, zero, id, '00')).toMatchObject({
    state: 'copying',
    problem: expect.stringContaining('still has a lease'),
  });
  expect(await liveIn(cells, id)).toBe('one');
  await provenSums(cells);
  await zero.database.query('select give_back_leases($1, array(select purse_id from leases where epoch_id = $1))', [
    lease?.epoch ?? 0n,
  ]);
  await one.database.query('update workspace_moves set held_until = now() where workspace_id = $1', [id]);
  expect(await moveTo(one, zero, id, '00')).toMatchObject({ state: 'ended', problem: null });
  await provenSums(cells);
});

describe('a process that dies', () => {
  /** Moves an account while one side dies at a place, and has others go on. Returns whether it died. */
  async function moveDyingAt(place: number, side: 'source' | 'target'): Promise<boolean> {
    const { zero, one } = cells;
    const account = await spentAccount(zero);
    await begun(zero, account, 200);
    const { id } = account.workspace;
    const dying = new CrashingSql(side === 'source' ? zero.control : one.control, place);
    const [from, to] = side === 'source' ? [dying, one.control] : [zero.control, dying];
    await moverOf(from, to)
      .run()
      .catch((fault: unknown) => {
        if (!dying.hasCrashed) throw fault;
      });
    expect(['zero', 'one', '']).toContain(await liveIn(cells, id));
    for (let round = 0; round < 5; round += 1) {
      await zero.database.query('update workspace_moves set held_until = now() where workspace_id = $1', [id]);
      await moverOf(zero.control, one.control).run();
    }
    const move = granted(await showMove(zero.control, scopeOf(id)));
    const home = move.state === 'ended' ? 'one' : 'zero';
    expect({ place, state: move.state, problem: move.problem, live: await liveIn(cells, id) }).toEqual({
      place,
      problem: move.state === 'ended' ? null : expect.any(String),
      // A cell that stays away in the pause has the workspace go back.
      state: expect.stringMatching(side === 'source' ? /^ended$/ : /^(ended|returned)$/),
      live: home,
    });
    expect(await workspaceNow(cells[home].database, id)).toMatchObject({ balance: 9_880n });
    return dying.hasCrashed;
  }

  /** Places that are spread over a move, others in each run. Returns what is charged too much, or too little. */
  async function dyingOften(side: 'source' | 'target', step: number): Promise<bigint> {
    const before = await provenSums(cells);
    let moves = 1;
    for (let place = 1 + Math.floor(Math.random() * step); await moveDyingAt(place, side); place += step) moves += 1;
    const after = await provenSums(cells);
    expect(moves).toBeGreaterThan(3);
    expect(after.credit - before.credit).toBe(BigInt(moves) * 10_000n);
    return after.charges - before.charges - BigInt(moves) * 120n;
  }

  test('in the cell that a workspace leaves, at any place, is followed by another one', async () => {
    expect(await dyingOften('source', 47)).toBe(0n);
  });

  test('in the cell that a workspace comes to, at any place, is followed by another one', async () => {
    expect(await dyingOften('target', 41)).toBe(0n);
  });
});

test('a move that is cancelled leaves the workspace as it was, before and in the pause', async () => {
  const { zero, one } = cells;
  for (const isPaused of [false, true]) {
    const account = await spentAccount(zero);
    const { id } = account.workspace;
    await begun(zero, account);
    const move = granted(await showMove(zero.control, scopeOf(id)));
    if (isPaused) {
      expect(await pause(zero.control, move)).toBe(true);
      await expect(spendIn(zero.database, account)).rejects.toThrow('');
    }
    expect(granted(await cancelMove(zero.control, scopeOf(id)))).toMatchObject({ state: 'returning' });
    await spendIn(zero.database, account);
    await moverOf(zero.control, one.control).run();
    expect(granted(await showMove(zero.control, scopeOf(id)))).toMatchObject({
      state: 'returned',
      problem: 'it was cancelled',
    });
    expect(await liveIn(cells, id)).toBe('zero');
    expect(await one.database.query('select from arrivals where workspace_id = $1', [id])).toEqual([]);
    expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended' });
    const late = await cancelMove(zero.control, scopeOf(id));
    expect(isRefusal(late) && late.code).toBe('CONFLICT');
  }
  await provenSums(cells);
});

test('charges of a process that ended in the pause have the workspace go back, and are taken there', async () => {
  const { zero, one } = cells;
  const account = await openAccount(zero.database, { credit: 10_000n });
  const { id } = account.workspace;
  const spender = await Spender.begin(zero.database);
  const receipt = await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.end();
  await begun(zero, account);
  await pause(zero.control, granted(await showMove(zero.control, scopeOf(id))));
  const store = new PostgresPurseStore(zero.database);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  await store.fence(epoch);
  await store.settleLate(epoch, [{ ...receipt, requestId: randomUUIDv7(), charge: 70n }], new Map());
  await moverOf(zero.control, one.control).run();
  expect(granted(await showMove(zero.control, scopeOf(id)))).toMatchObject({
    state: 'returned',
    problem: expect.stringContaining('a process that had ended'),
  });
  expect(await workspaceNow(zero.database, id)).toMatchObject({ balance: 9_810n });
  await provenSums(cells);
  expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended', problem: null });
  await provenSums(cells);
});

test('a move that is cancelled sends no further rows', async () => {
  const { zero, one } = cells;
  const account = await spentAccount(zero);
  const { id } = account.workspace;
  await begun(zero, account);
  const calls: string[] = [];
  await moverOf(zero.control, one.control, '00', async (operation) => {
    calls.push(operation);
    if (operation !== 'receiveRows') return;
    granted(await cancelMove(zero.control, scopeOf(id)));
    // There is more to send.
    await spendIn(zero.database, account);
  }).run();
  // Moves of other tests may still be at going back.
  expect(calls.slice(calls.indexOf('beginArrival'))).toEqual(['beginArrival', 'receiveRows', 'dropArrival']);
  expect(granted(await showMove(zero.control, scopeOf(id)))).toMatchObject({
    state: 'returned',
    problem: 'it was cancelled',
  });
});

test('nothing of a workspace changes while it is paused, or where it has been', async () => {
  const { zero, one } = cells;
  const account = await spentAccount(zero);
  const { id } = account.workspace;
  await begun(zero, account);
  const changes: readonly (() => Promise<unknown>)[] = [
    () => openKey(zero.database, account.project, { name: 'late' }),
    () => grantCredit(zero.database, id, 5n),
    () => makeChange(zero.control, (tx) => closeWorkspace(tx, scopeOf(id), { version: null })),
  ];
  await pause(zero.control, granted(await showMove(zero.control, scopeOf(id))));
  for (const change of changes) await expect(change()).rejects.toMatchObject({ reason: 'contended' });
  await moverOf(zero.control, one.control).run();
  expect(await liveIn(cells, id)).toBe('one');
  for (const change of changes) await expect(change()).rejects.toMatchObject({ sqlState: 'FG004' });
});

test('the rest lands once all leases are back, and the other cell opens the workspace once this one has let go', async () => {
  const { zero, one } = cells;
  const account = await openAccount(zero.database, { credit: 1_000n });
  const { id } = account.workspace;
  const spender = await Spender.begin(zero.database);
  await spender.spend(account, { hold: 300n, charge: 120n });
  await begun(zero, account, 20_000);
  const seen: string[] = [];
  const ending: Promise<unknown>[] = [];
  const mover = moverOf(zero.control, one.control, '00', async (operation) => {
    if (operation === 'landRows' && ending.length === 0) ending.push(delay(300).then(() => spender.end()));
    if (operation !== 'landArrival' && operation !== 'openArrival') return;
    const [row] = await zero.database.query<{ state: string; leases: bigint; home: string | null }>(
      `select state, moved_to as home, (select count(*) from leases join purses on purses.id = purse_id where purses.workspace_id = $1) as leases
       from workspaces join workspace_moves on workspace_moves.workspace_id = workspaces.id where workspaces.id = $1`,
      [id],
    );
    seen.push(`${operation}: ${row?.state}, ${row?.leases} leases, lives in ${row?.home ?? 'this cell'}`);
  });
  await mover.run();
  await Promise.all(ending);
  expect(seen.filter((call) => !call.includes('copying'))).toEqual([
    'landArrival: paused, 0 leases, lives in this cell',
    'landArrival: paused, 0 leases, lives in this cell',
    'openArrival: moved, 0 leases, lives in 01',
  ]);
  expect(await workspaceNow(one.database, id)).toMatchObject({ balance: 880n });
});

test('requests that run for longer than the wait have the workspace go back', async () => {
  const { zero, one } = cells;
  const account = await openAccount(zero.database, { credit: 1_000n });
  const spender = await Spender.begin(zero.database);
  await spender.spend(account, { hold: 300n, charge: 120n });
  await begun(zero, account, 200);
  await moverOf(zero.control, one.control).run();
  await moverOf(zero.control, one.control).run();
  const move = granted(await showMove(zero.control, scopeOf(account.workspace.id)));
  expect(move).toMatchObject({ state: 'returning', problem: expect.stringContaining('ran for longer than 0.2 s') });
  await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.end();
});

test('what is in the way of a move is named, and the workspace goes on', async () => {
  const { zero, one } = cells;
  const account = await spentAccount(zero);
  const { id, name } = account.workspace;
  const start = (shard: string) => startMove(zero.control, scopeOf(id), { shard, waitMs: 2_000 });
  expect(await start('00')).toMatchObject({ message: '00 is this cell, where the workspace lives.' });
  expect(await start('zz')).toMatchObject({ message: 'This cell knows no cell zz: add it with "faregate cell add".' });
  granted(await makeChange(one.control, (tx) => createWorkspace(tx, operatorScope(), { name })));
  await zero.database.query(`update keys set models = '{sold-nowhere}' where id = $1`, [account.key.id]);
  await zero.database.query(
    `with price as (insert into price_versions (model, version, terms) values ('old', 7, '{}') returning id)
     update receipts set price_version_id = (select id from price) where workspace_id = $1`,
    [id],
  );
  const move = await moveTo(zero, one, id, '01');
  for (const reason of [
    'version 7 of the price of "old" there, which receipts name, has no equal here',
    `another workspace there has the name "${name}"`,
    'the model "sold-nowhere", which its keys or projects name, is not sold there',
  ]) {
    expect(move.problem).toContain(reason);
  }
  expect(await liveIn(cells, id)).toBe('zero');
});
