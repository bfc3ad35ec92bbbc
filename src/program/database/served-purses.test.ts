import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Account,
  changeProject,
  drawAll,
  granted,
  onceFree,
  openAccount,
  openProject,
  Spender,
} from '../../../test/support/accounts.ts';
import { drawOf } from '../../../test/support/account-purses.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { pruneBriefPurses } from '../../control/ledger/brief-purses.ts';
import { correctReceipt } from '../../control/ledger/corrections.ts';
import type { ProjectSettings } from '../../control/resources/project-settings.ts';
import { windowAt } from '../../domain/window.ts';
import { servedSubject } from '../../gate/principals/served-subject.ts';
import { type BriefKind, NO_ROW, type PurseName } from '../../gate/purses/ports/database.ts';
import type { Sql } from '../../lib/sql.ts';
import { decodeReceiptLine, encodeReceiptLine } from '../process/receipt-line.ts';
import { PostgresPurseStore } from './purse-store.ts';

// The purses of end users and sessions, in the database that all processes share.

const DAY_MS = 86_400_000;

let db: TestDatabase;
let sql: Sql;
let store: PostgresPurseStore;
let account: Account;
let endUserId: string;
let sessionId: string;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: 8 });
  sql = db.database;
  store = new PostgresPurseStore(sql);
});
afterAll(() => db.stop());

beforeEach(async () => {
  account = await openAccount(sql, { credit: 100_000n });
  await limit({ endUserLimit: 1_000n, sessionLimit: 500n });
  endUserId = servedSubject(account.project.id, 'end_user', 'ada');
  sessionId = servedSubject(account.project.id, 'session', 'run 1');
});

const limit = (change: Partial<ProjectSettings>) => changeProject(sql, account.project, change);

function purseOf(kind: BriefKind, subjectId: string, atMs = Date.now()): PurseName {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('month', atMs);
  const { workspace, project } = account;
  const name = { workspaceId: workspace.id, kind, subjectId, period: 'month', windowStartMs, windowEndMs } as const;
  return { ...name, projectId: project.id };
}

const rows = () =>
  sql.query<{ id: bigint; kind: string; limit: bigint | null; spent: bigint; leased: bigint; used: bigint }>(
    `select id, kind, limit_nano_usd as limit, spent_nano_usd as spent, leased_nano_usd as leased,
       spent_nano_usd - corrected_nano_usd as used
     from purses where workspace_id = $1 and kind in ('end_user', 'session') order by kind`,
    [account.workspace.id],
  );

const leases = () =>
  sql.query('select from leases where purse_id in (select id from purses where workspace_id = $1)', [
    account.workspace.id,
  ]);

const differences = async () => (await verifyLedger(sql)).differences;
const beginEpoch = () => store.beginEpoch(randomUUID(), 'test', 30_000);

test('what a request is for has one limit in all processes, and a receipt names its purses', async () => {
  const [here, there] = [await Spender.begin(sql), await Spender.begin(sql)];
  const receipt = await here.spend(account, { hold: 400n, charge: 300n, endUserId, sessionId });
  await here.end();
  await expect(there.spend(account, { hold: 201n, charge: 1n, sessionId })).rejects.toThrow('session purse');
  await there.spend(account, { hold: 200n, charge: 200n, endUserId, sessionId });
  await expect(there.spend(account, { hold: 501n, charge: 1n, endUserId })).rejects.toThrow('end_user purse');
  await there.spend(account, { hold: 500n, charge: 500n, endUserId });
  await there.end();
  expect(await rows()).toMatchObject([
    { kind: 'end_user', limit: 1_000n, spent: 1_000n, leased: 0n },
    { kind: 'session', limit: 500n, spent: 500n, leased: 0n },
  ]);
  const [stored] = await sql.query(
    'select end_user_purse_id as "endUser", session_purse_id as session from receipts where request_id = $1',
    [receipt.requestId],
  );
  expect(stored).toEqual({ endUser: receipt.endUserPurse?.purseId, session: receipt.sessionPurse?.purseId });
  expect(await differences()).toEqual([]);
});

test('however many processes hold together for one end user, charges stay within the limit', async () => {
  const spenders = await Promise.all(Array.from({ length: 6 }, () => Spender.begin(sql)));
  let charged = 0n;
  const spend = async (spender: Spender, index: number): Promise<void> => {
    for (let count = 0; count < 6; count++) {
      const hold = 30n + BigInt((index * 37 + count * 13) % 90);
      const amounts = { hold, charge: hold - BigInt(count), endUserId };
      const receipt = await onceFree(() => spender.spend(account, amounts)).catch(() => null);
      charged += receipt?.charge ?? 0n;
    }
  };
  await Promise.all(spenders.map(spend));
  expect(charged).toBeGreaterThan(500n);
  expect(charged).toBeLessThanOrEqual(1_000n);
  for (const spender of spenders) await onceFree(() => spender.end());
  expect(await rows()).toMatchObject([{ spent: charged, leased: 0n }]);
  expect(await differences()).toEqual([]);
});

test('a draw from which nothing is granted says what there is, and leaves neither purse nor lease', async () => {
  const epoch = await beginEpoch();
  const [asked, short] = await drawAll(store, epoch, [
    { ...drawOf(purseOf('end_user', endUserId), 0n), needs: [] },
    drawOf(purseOf('session', sessionId), 501n),
  ]);
  expect(asked).toMatchObject({ purseId: NO_ROW, limit: 1_000n, available: 1_000n, granted: 0n, sequence: 1n });
  expect(short).toMatchObject({ purseId: NO_ROW, limit: 500n, available: 500n, granted: 0n, sequence: 1n });
  expect([await rows(), await leases()]).toEqual([[], []]);
  const [drawn] = await drawAll(store, epoch, [drawOf(purseOf('session', sessionId), 500n, 2n)]);
  expect(drawn).toMatchObject({ granted: 500n, available: 0n, sequence: 2n });
  const other = await beginEpoch();
  const [taken] = await drawAll(store, other, [drawOf(purseOf('session', sessionId), 1n)]);
  expect(taken).toMatchObject({ purseId: drawn?.purseId, granted: 0n, available: 0n, sequence: 1n });
  expect(await leases()).toHaveLength(1);
});

test('a changed limit holds from the next draw, for purses that are there and for new ones', async () => {
  const epoch = await beginEpoch();
  const purse = purseOf('session', sessionId);
  const needing = async (need: bigint, sequence: bigint) =>
    (await drawAll(store, epoch, [{ ...drawOf(purse, need, sequence), keep: 400n, slack: 0n }]))[0];
  await drawAll(store, epoch, [drawOf(purse, 400n)]);
  expect(await needing(101n, 2n)).toMatchObject({ limit: 500n, granted: 400n });
  await limit({ sessionLimit: 600n });
  expect(await needing(101n, 3n)).toMatchObject({ limit: 600n, granted: 501n });
  await limit({ sessionLimit: 300n });
  expect(await needing(1n, 4n)).toMatchObject({ limit: 300n, granted: 400n, available: -100n });
  await limit({ sessionLimit: null });
  expect(await needing(1n, 5n)).toMatchObject({ limit: null, open: true });
});

test('a purse is opened for no project that is not there, or another workspace’s', async () => {
  const stranger = await openAccount(sql);
  const epoch = await beginEpoch();
  for (const purse of [
    { ...purseOf('end_user', endUserId), projectId: randomUUID() },
    { ...purseOf('end_user', endUserId), workspaceId: stranger.workspace.id },
  ])
    await expect(store.draw(epoch, [drawOf(purse, 1n)])).rejects.toThrow('no project');
  expect(await rows()).toEqual([]);
});

test('an end user of one project is another one in the next', async () => {
  const project = await openProject(sql, account.workspace, { name: 'next', endUserLimit: 10n });
  expect(servedSubject(project.id, 'end_user', 'ada')).not.toBe(endUserId);
  expect(servedSubject(account.project.id, 'session', 'ada')).not.toBe(endUserId);
});

test('a batch that is sent again charges an end user once', async () => {
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 100n, charge: 60n, endUserId, sessionId });
  await spender.repeat([receipt, { ...receipt, requestId: randomUUID(), charge: 7n }]);
  await spender.end();
  expect(await rows()).toMatchObject([{ spent: 67n }, { spent: 67n }]);
});

test('a charge that comes late, from a line in a file, takes what its end user has left, and opens a lost purse', async () => {
  const epoch = await beginEpoch();
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 450n, charge: 450n, endUserId, sessionId });
  await spender.end();
  await store.fence(epoch);
  const late = async (charge: bigint) => {
    const line = encodeReceiptLine({ ...receipt, requestId: randomUUID(), charge, hold: charge });
    const read = decodeReceiptLine(Buffer.from(line.trimEnd()));
    if (read.kind !== 'receipt') throw new Error(read.kind);
    await onceFree(() => store.settleLate(epoch, [read.receipt], new Map()));
    return await sql.query(
      'select charge_nano_usd as charge, write_off_nano_usd as "writeOff" from receipts where request_id = $1',
      [read.receipt.requestId],
    );
  };
  expect(await late(70n)).toEqual([{ charge: 50n, writeOff: 20n }]);
  expect(await differences()).toEqual([]);
  await sql.query(`delete from purses where workspace_id = $1 and kind = 'session'`, [account.workspace.id]);
  await sql.query('update receipts set session_purse_id = null where workspace_id = $1', [account.workspace.id]);
  expect(await late(70n)).toEqual([{ charge: 70n, writeOff: 0n }]);
  expect(await rows()).toMatchObject([{ spent: 570n }, { spent: 70n, limit: 500n }]);
  expect(await differences()).toEqual([]);
});

test('a correction gives back to end user and session, as long as their purses are there', async () => {
  const spender = await Spender.begin(sql);
  const { workspaceId, requestId } = await spender.spend(account, { hold: 100n, charge: 80n, endUserId, sessionId });
  await spender.end();
  const correct = async (charge: bigint) =>
    granted(await correctReceipt(sql, scopeOf(workspaceId), { requestId, charge, reason: 'outage' }));
  await correct(30n);
  expect(await rows()).toMatchObject([
    { spent: 80n, used: 30n },
    { spent: 80n, used: 30n },
  ]);
  await sql.query(`delete from purses where workspace_id = $1 and kind = 'session'`, [workspaceId]);
  await correct(20n);
  expect(await rows()).toMatchObject([{ spent: 80n, used: 20n }]);
  await sql.query('update receipts set session_purse_id = null where workspace_id = $1', [workspaceId]);
  expect(await differences()).toEqual([]);
});

test('purses are pruned two days after their windows, unless they are leased; the proof holds before and after', async () => {
  const before = windowAt('month', Date.now() - 40 * DAY_MS);
  const epoch = await beginEpoch();
  await drawAll(store, epoch, [drawOf(purseOf('session', sessionId, before.startMs), 5n)]);
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 100n, charge: 80n, endUserId, sessionId });
  await spender.end();
  const move = (by: string) =>
    sql.query(
      `update purses set window_start = window_start - interval '${by}', window_end = now() - interval '${by}'
       where workspace_id = $1 and kind = 'end_user'`,
      [account.workspace.id],
    );
  await move('47 hours');
  await pruneBriefPurses(sql);
  expect(await rows()).toHaveLength(3);
  await move('49 hours');
  await pruneBriefPurses(sql);
  expect((await rows()).map(({ kind }) => kind)).toEqual(['session', 'session']);
  await store.fence(epoch);
  await pruneBriefPurses(sql);
  expect(await rows()).toHaveLength(1);
  // A window that is over by so much has no receipt of now.
  await sql.query('update receipts set end_user_purse_id = null where workspace_id = $1', [account.workspace.id]);
  expect(await differences()).toEqual([]);
});

test('the proof names a receipt that charges another workspace’s end user, and a recent one whose purse is gone', async () => {
  const spender = await Spender.begin(sql);
  const { requestId, endUserPurse } = await spender.spend(account, { hold: 100n, charge: 80n, endUserId });
  const session = await spender.spend(account, { hold: 100n, charge: 80n, sessionId });
  await spender.end();
  expect(await differences()).toEqual([]);
  const named = async (id: bigint | null) => {
    await sql.query('update receipts set end_user_purse_id = $2 where request_id = $1', [requestId, id]);
    return new Set((await differences()).map(({ check }) => check));
  };
  expect(await named(session.sessionPurse?.purseId ?? null)).toEqual(new Set(['receipt_purses', 'purse_spent']));
  expect(await named(null)).toEqual(new Set(['purse_spent']));
  expect(await named(1n)).toEqual(new Set(['receipt_purses', 'purse_spent']));
  expect(await named(endUserPurse?.purseId ?? null)).toEqual(new Set());
});
