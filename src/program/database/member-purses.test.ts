import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Account,
  granted,
  limitMaker,
  onceFree,
  openAccount,
  openKey,
  openProject,
  Spender,
} from '../../../test/support/accounts.ts';
import { drawOf, drawsOf } from '../../../test/support/account-purses.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { correctReceipt } from '../../control/ledger/corrections.ts';
import { readMemberStandings } from '../../control/accounts/member-standings.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { PERIODS, windowAt } from '../../domain/window.ts';
import type { FirstDraw, PurseName } from '../../gate/purses/ports/database.ts';
import type { Sql } from '../../lib/sql.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresPurseStore } from './purse-store.ts';

// The purse of a member: over all keys that they have made, in the database that all processes share.

let db: TestDatabase;
let sql: Sql;
let keyStore: PostgresKeyStore;
let store: PostgresPurseStore;
let account: Account;
/** Another key of the same maker, in another project. */
let other: Account;
let userId: string;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: 8 });
  sql = db.database;
  keyStore = new PostgresKeyStore(sql);
  store = new PostgresPurseStore(sql);
});
afterAll(() => db.stop());

beforeEach(async () => {
  account = await openAccount(sql, { credit: 100_000n });
  const project = await openProject(sql, account.workspace, { name: 'another' });
  other = { ...account, project, key: await openKey(sql, project) };
  userId = randomUUID();
});

const limited = (limit: NanoUsd | null): Promise<string> => limitMaker(sql, [account.key, other.key], limit, userId);

/** What the member has used this month, or null without a limit. */
async function used(): Promise<bigint | null> {
  const standings = await readMemberStandings(sql, scopeOf(account.workspace.id), [userId]);
  return standings.get(userId)?.used ?? null;
}

function memberPurse(subjectId: string): PurseName {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('month', Date.now());
  return { workspaceId: account.workspace.id, kind: 'member', subjectId, period: 'month', windowStartMs, windowEndMs };
}

const purseRows = () =>
  sql.query<{ id: bigint; limit: bigint | null; spent: bigint; leased: bigint }>(
    `select id, limit_nano_usd as limit, spent_nano_usd as spent, leased_nano_usd as leased from purses
     where workspace_id = $1 and kind = 'member'`,
    [account.workspace.id],
  );

const differences = async () => (await verifyLedger(sql)).differences;

let sequence = 0n;
function firstDraw(): FirstDraw {
  sequence += 1n;
  const windows = PERIODS.map((period) => windowAt(period, Date.now()));
  return { windows, sequence, ahead: 100n, permitSequence: Number(sequence), tokens: 1 };
}

const secretsOf = (...accounts: readonly Account[]) => accounts.map(({ key }) => hash('sha256', key.key, 'buffer'));

test('keys of one maker share a limit, whichever process spends by which of them', async () => {
  const memberLimitId = await limited(1_000n);
  const [here, there] = [await Spender.begin(sql), await Spender.begin(sql)];
  const receipt = await here.spend(account, { hold: 700n, charge: 600n, memberLimitId });
  await here.end();
  await expect(there.spend(other, { hold: 401n, charge: 1n, memberLimitId })).rejects.toThrow('member purse');
  await there.spend(other, { hold: 400n, charge: 400n, memberLimitId });
  expect(await used()).toBe(1_000n);
  expect(
    await sql.query('select member_purse_id as id from receipts where request_id = $1', [receipt.requestId]),
  ).toEqual([{ id: receipt.memberPurseId }]);
  await there.end();
  expect(await differences()).toEqual([]);
});

test('however many processes hold together, a member’s charges stay within the limit, and the proof holds', async () => {
  const memberLimitId = await limited(1_000n);
  const spenders = await Promise.all(Array.from({ length: 6 }, () => Spender.begin(sql)));
  let charged = 0n;
  const spend = async (spender: Spender, index: number): Promise<void> => {
    for (let count = 0; count < 8; count++) {
      const hold = 20n + BigInt((index * 37 + count * 13) % 90);
      const charge = hold - BigInt(count);
      const caller = (index + count) % 2 === 0 ? account : other;
      // A refusal leaves what was drawn of the other purses in its leases.
      const receipt = await onceFree(() => spender.spend(caller, { hold, charge, memberLimitId })).catch(() => null);
      charged += receipt?.charge ?? 0n;
    }
  };
  await Promise.all(spenders.map(spend));
  expect(charged).toBeGreaterThan(500n);
  expect(charged).toBeLessThanOrEqual(1_000n);
  expect(await used()).toBe(charged);
  for (const spender of spenders) await onceFree(() => spender.end());
  expect(await purseRows()).toMatchObject([{ limit: 1_000n, spent: charged, leased: 0n }]);
  expect(await differences()).toEqual([]);
});

test('a batch that is sent again charges the member once', async () => {
  const memberLimitId = await limited(1_000n);
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(account, { hold: 100n, charge: 60n, memberLimitId });
  await spender.repeat([receipt, { ...receipt, requestId: randomUUID(), charge: 7n }]);
  expect(await used()).toBe(67n);
});

test('a limit counts what all keys were charged this month, with a limit or without', async () => {
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 300n, charge: 250n });
  await spender.end();
  const present = await Spender.begin(sql);
  await present.spend(other, { hold: 100n, charge: 50n });
  const memberLimitId = await limited(1_000n);
  expect(await used()).toBe(300n);
  await expect(present.spend(account, { hold: 701n, charge: 0n, memberLimitId })).rejects.toThrow('member purse');
  await limited(null);
  expect(await used()).toBeNull();
  await present.spend(account, { hold: 100n, charge: 40n });
  await limited(500n);
  expect(await used()).toBe(340n);
  await present.spend(account, { hold: 100n, charge: 9n });
  await limited(500n);
  expect(await used()).toBe(349n);
  await present.end();
  expect(await differences()).toEqual([]);
});

test('a limit that is set or removed announces the maker’s keys, one that is changed the purse alone', async () => {
  const announced = async (limit: NanoUsd | null) => {
    await sql.query('delete from changes');
    await sql.query('select set_member_limit($1, $2, $3)', [account.workspace.id, userId, limit]);
    const rows = await sql.query<{ kind: string; id: string }>('select kind, subject_id as id from changes');
    const names = new Map([
      [account.key.id, 'key'],
      [other.key.id, 'other key'],
    ]);
    return rows.map(({ kind, id }) => names.get(id) ?? kind).toSorted();
  };
  await limited(null);
  expect(await announced(10n)).toEqual(['key', 'other key', 'purse']);
  expect(await announced(20n)).toEqual(['purse']);
  expect(await announced(null)).toEqual(['key', 'other key', 'purse']);
});

test('a key is looked up with its maker’s limit, and a first draw brings some of that purse', async () => {
  const memberLimitId = await limited(10_000n);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const { principals, leases } = await keyStore.findAndDraw(epoch, secretsOf(account, other), firstDraw());
  expect(principals.map((principal) => principal?.memberLimitId)).toEqual([memberLimitId, memberLimitId]);
  expect(leases.get(memberLimitId)).toMatchObject({ limit: 10_000n, granted: 100n, open: false });
  expect(leases.size).toBe(6);
});

test('a key whose maker has no limit passes three purses, and touches none of a member', async () => {
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const { principals, leases } = await keyStore.findAndDraw(epoch, secretsOf(account), firstDraw());
  expect([principals[0]?.memberLimitId, leases.size]).toEqual([null, 3]);
  expect(await purseRows()).toEqual([]);
});

test('a look-up as release 0.2.0 makes it draws nothing of a member’s purse', async () => {
  await limited(10_000n);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const { windows } = firstDraw();
  const [row] = await sql.query<{ leases: readonly unknown[] }>(
    'call commit_look_up_keys($1, $2, $3, $4, $5, $6, $7, $8, $9, null, null, null)',
    [
      epoch,
      secretsOf(account),
      windows.map(({ period }) => period),
      windows.map(({ startMs }) => new Date(startMs)),
      windows.map(({ endMs }) => (endMs === null ? null : new Date(endMs))),
      1n,
      100n,
      1n,
      1n,
    ],
  );
  expect(row?.leases).toHaveLength(3);
  expect(await purseRows()).toMatchObject([{ leased: 0n }]);
});

test('a charge that comes late takes what the member has left, though its line in a file names no member', async () => {
  const memberLimitId = await limited(100n);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const spender = await Spender.begin(sql);
  const { memberPurseId: _left, ...receipt } = await spender.spend(account, { hold: 60n, charge: 60n, memberLimitId });
  await spender.end();
  await store.fence(epoch);
  const late = { ...receipt, requestId: randomUUID(), charge: 70n, hold: 70n };
  await onceFree(() => store.settleLate(epoch, [late], new Map()));
  expect(
    await sql.query(
      'select charge_nano_usd as charge, write_off_nano_usd as "writeOff", member_purse_id as member from receipts where request_id = $1',
      [late.requestId],
    ),
  ).toEqual([{ charge: 40n, writeOff: 30n, member: (await purseRows())[0]?.id }]);
  expect(await used()).toBe(100n);
  expect(await differences()).toEqual([]);
});

test('a late charge opens the purse of a member that an unclean failover has lost', async () => {
  await limited(100n);
  await sql.query(`delete from purses where kind = 'member' and workspace_id = $1`, [account.workspace.id]);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const spender = await Spender.begin(sql);
  const receipt = await spender.spend(other, { hold: 1n, charge: 1n });
  await spender.end();
  await store.fence(epoch);
  await onceFree(() =>
    store.settleLate(epoch, [{ ...receipt, requestId: randomUUID(), charge: 70n, hold: 70n }], new Map()),
  );
  expect(await purseRows()).toMatchObject([{ limit: 100n, spent: 70n }]);
  expect(await differences()).toEqual([]);
});

test('a correction gives back to the member, too', async () => {
  const memberLimitId = await limited(1_000n);
  const spender = await Spender.begin(sql);
  const { workspaceId, requestId } = await spender.spend(account, { hold: 100n, charge: 80n, memberLimitId });
  await spender.spend(other, { hold: 100n, charge: 1n, memberLimitId });
  granted(await correctReceipt(sql, scopeOf(workspaceId), { requestId, charge: 30n, reason: 'outage' }));
  expect(await used()).toBe(31n);
  await spender.end();
  expect(await differences()).toEqual([]);
});

test('the proof names a receipt that charges another member’s purse, or none', async () => {
  const memberLimitId = await limited(1_000n);
  const theirs = await openKey(sql, account.project);
  await limitMaker(sql, theirs, 1_000n);
  const spender = await Spender.begin(sql);
  const { requestId, memberPurseId } = await spender.spend(account, { hold: 100n, charge: 80n, memberLimitId });
  await spender.end();
  const strange = (await purseRows()).find(({ id }) => id !== memberPurseId)?.id ?? null;
  const named = async () => new Set((await differences()).map(({ check }) => check));
  await sql.query('update receipts set member_purse_id = $2 where request_id = $1', [requestId, strange]);
  expect(await named()).toEqual(new Set(['receipt_purses', 'purse_spent']));
  await sql.query('update receipts set member_purse_id = null where request_id = $1', [requestId]);
  expect(await named()).toEqual(new Set(['purse_spent']));
  await sql.query('update receipts set member_purse_id = $2 where request_id = $1', [requestId, memberPurseId ?? null]);
});

test('a purse is opened for nobody without a limit in this workspace', async () => {
  const memberLimitId = await limited(1_000n);
  const stranger = await openAccount(sql);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  for (const purse of [
    memberPurse(randomUUID()),
    { ...memberPurse(memberLimitId), workspaceId: stranger.workspace.id },
  ])
    await expect(store.draw(epoch, [drawOf(purse, 1n)])).rejects.toThrow('no member');
  expect(await store.draw(epoch, [...drawsOf(account), drawOf(memberPurse(memberLimitId), 10n)])).toHaveLength(4);
});
