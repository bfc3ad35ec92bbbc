import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, drawAll, granted, limitMaker, openAccount, Spender } from '../../../test/support/accounts.ts';
import { drawOf, purseOf } from '../../../test/support/account-purses.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { readCallingKey } from '../../control/accounts/calling-key.ts';
import { updateKey } from '../../control/accounts/key-changes.ts';
import { findNearLimits } from '../../control/accounts/near-limits.ts';
import { showProject, updateProject } from '../../control/accounts/projects.ts';
import { makeChange } from '../../control/audit/change.ts';
import type { Raise } from '../../control/resources/raise-settings.ts';
import { findPrincipals } from '../../gate/principals/principals.ts';
import type { Sql } from '../../lib/sql.ts';
import { PostgresPurseStore } from './purse-store.ts';

// Limits that are raised for a time, in the database that all processes share. Time passes by moving a raise's end.

let db: TestDatabase;
let sql: Sql;
let store: PostgresPurseStore;
let account: Account;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: 8 });
  sql = db.database;
  store = new PostgresPurseStore(sql);
});
afterAll(() => db.stop());

beforeEach(async () => {
  account = await openAccount(sql, { credit: 100_000n, project: { budget: 1_000n }, key: { spendLimit: 100n } });
});

const scope = () => scopeOf(account.workspace.id);

const changeKey = async (change: Partial<Raise> & { readonly spendLimit?: bigint | null }) =>
  granted(await makeChange(sql, (tx) => updateKey(tx, scope(), { keyId: account.key.id, version: null, change })));

const changeBudget = async (change: Partial<Raise> & { readonly budget?: bigint | null }) =>
  granted(
    await makeChange(sql, (tx) => updateProject(tx, scope(), { projectId: account.project.id, version: null, change })),
  );

/** The raise of this subject ended a moment ago. */
async function letEnd(id: string): Promise<void> {
  const over = "set raised_until = now() - interval '1 millisecond'";
  await sql.query(`update purses ${over} where subject_id = $1`, [id]);
  for (const table of ['keys', 'projects', 'member_limits'])
    await sql.query(`update ${table} ${over} where id = $1`, [id]);
}

const announced = async () => {
  const rows = await sql.query<{ kind: string }>(
    `select c.kind from changes c left join purses p on c.kind = 'purse' and p.id::text = c.subject_id
     where p.workspace_id = $1`,
    [account.workspace.id],
  );
  return rows.length;
};

test('a raised limit holds for all processes; after its end what was spent above stays spent, and no more is drawn', async () => {
  const [here, there] = [await Spender.begin(sql), await Spender.begin(sql)];
  await here.spend(account, { hold: 90n, charge: 90n });
  await expect(there.spend(account, { hold: 11n, charge: 0n })).rejects.toThrow('key purse');
  await changeKey({ raisedLimit: 300n });
  await there.spend(account, { hold: 150n, charge: 150n });
  await here.spend(account, { hold: 30n, charge: 20n });
  await expect(here.spend(account, { hold: 41n, charge: 0n })).rejects.toThrow('key purse');
  await letEnd(account.key.id);
  for (const spender of [here, there])
    await expect(spender.spend(account, { hold: 1n, charge: 0n })).rejects.toThrow('key purse');
  await here.spend(account, { hold: 0n, charge: 0n });
  await here.end();
  await there.end();
  const [purse] = await sql.query(
    'select spent_nano_usd as spent, leased_nano_usd as leased from purses where subject_id = $1',
    [account.key.id],
  );
  expect(purse).toEqual({ spent: 260n, leased: 0n });
  expect((await verifyLedger(sql)).differences).toEqual([]);
});

test('a draw says until when its limit is raised, and nothing of a raise that is over or raises nothing', async () => {
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const draw = async (sequence: bigint) =>
    (await drawAll(store, epoch, [drawOf(purseOf(account, 'key'), 10n, sequence)]))[0];
  const { raisedUntil } = await changeKey({ raisedLimit: 300n });
  expect(await draw(1n)).toMatchObject({ limit: 300n, raisedUntilMs: raisedUntil?.getTime() });
  await sql.query('update purses set limit_nano_usd = 400 where subject_id = $1', [account.key.id]);
  expect(await draw(2n)).toMatchObject({ limit: 400n, raisedUntilMs: null });
  await sql.query('update purses set limit_nano_usd = null where subject_id = $1', [account.key.id]);
  expect(await draw(3n)).toMatchObject({ limit: null, raisedUntilMs: null, open: true });
  await sql.query('update purses set limit_nano_usd = 100 where subject_id = $1', [account.key.id]);
  await letEnd(account.key.id);
  expect(await draw(4n)).toMatchObject({ limit: 100n, raisedUntilMs: null });
});

test('a purse that opens during a raise has it, and one of another transaction waits for the change', async () => {
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const project = drawOf(purseOf(account, 'project'), 2_000n);
  await sql.transaction(async (tx) => {
    await tx.query('select 1 from update_project($1, $2, $3::jsonb)', [
      account.workspace.id,
      account.project.id,
      JSON.stringify({ raised_limit_nano_usd: '3000', raised_until: new Date(Date.now() + 60_000).toISOString() }),
    ]);
    expect(await store.draw(epoch, [project], { waits: false })).toEqual([null]);
  });
  expect(await drawAll(store, epoch, [project])).toMatchObject([{ limit: 3_000n, granted: 2_000n }]);
  const other = await openAccount(sql, { credit: 100_000n, key: { spendLimit: 100n } });
  account = other;
  await changeKey({ raisedLimit: 300n });
  expect(await drawAll(store, epoch, [drawOf(purseOf(other, 'key'), 250n)])).toMatchObject([{ granted: 250n }]);
});

test('a raise is announced to all processes, and is part of the project, its audit event and the key’s own reading', async () => {
  const before = await announced();
  const until = new Date(Date.now() + 3_600_000);
  const project = await changeBudget({ raisedLimit: 5_000n, raisedUntil: until });
  expect(project).toMatchObject({ budget: 1_000n, raisedLimit: 5_000n, raisedUntil: until });
  expect(await announced()).toBeGreaterThan(before);
  const [event] = await sql.query(
    `select before, after from audit_events where action = 'project.update' and target_id = $1`,
    [account.project.id],
  );
  expect(event).toEqual({
    before: { raised_limit_nano_usd: null, raised_until: null },
    after: { raised_limit_nano_usd: '5000', raised_until: until.toISOString() },
  });
  const [principal] = await findPrincipals(sql, [hash('sha256', account.key.key, 'buffer')]);
  if (principal === undefined || principal === null) throw new Error('the key works');
  expect(await readCallingKey(sql, principal)).toMatchObject({
    raised_until: null,
    project: {
      budget_nano_usd: '1000',
      raised_limit_nano_usd: '5000',
      raised_until: until.toISOString(),
      left_nano_usd: '5000',
    },
  });
  await letEnd(account.project.id);
  expect(await readCallingKey(sql, principal)).toMatchObject({
    project: { raised_limit_nano_usd: null, raised_until: null, left_nano_usd: '1000' },
  });
  expect(await showProject(sql, scope(), account.project.id)).toMatchObject({ raisedLimit: null, raisedUntil: null });
});

test('a changed budget or limit ends its raise, and a change of anything else leaves it', async () => {
  await changeKey({ raisedLimit: 300n });
  expect(await changeKey({ spendLimit: 100n })).toMatchObject({ raisedLimit: 300n });
  expect(await changeKey({ spendLimit: 50n })).toMatchObject({ spendLimit: 50n, raisedLimit: null });
  await changeBudget({ raisedLimit: 5_000n });
  expect(await changeBudget({ budget: 900n })).toMatchObject({ budget: 900n, raisedLimit: null });
  const limits = await sql.query(
    'select raised_limit_nano_usd as raised from purses where workspace_id = $1 and raised_limit_nano_usd is not null',
    [account.workspace.id],
  );
  expect(limits).toEqual([]);
});

test('a late charge takes what a raised limit has left, and after its end only what the ordinary one has', async () => {
  const spender = await Spender.begin(sql);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const receipt = await spender.spend(account, { hold: 60n, charge: 60n });
  await spender.end();
  await store.fence(epoch);
  await changeKey({ raisedLimit: 150n });
  const late = async (charge: bigint) => {
    const requestId = randomUUID();
    await store.settleLate(epoch, [{ ...receipt, requestId, charge, hold: charge }], new Map());
    const [row] = await sql.query<{ charge: bigint }>(
      'select charge_nano_usd as charge from receipts where request_id = $1',
      [requestId],
    );
    return row?.charge;
  };
  expect(await late(80n)).toBe(80n);
  await letEnd(account.key.id);
  expect(await late(5n)).toBe(0n);
});

test('a member’s limit is raised over all their keys, and what is near its limit is judged by the raised one', async () => {
  const userId = randomUUID();
  const memberLimitId = await limitMaker(sql, [account.key], 50n, userId);
  await sql.query("select set_member_limit($1, $2, 50, 90, now() + interval '1 minute')", [
    account.workspace.id,
    userId,
  ]);
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 88n, charge: 88n, memberLimitId });
  await expect(spender.spend(account, { hold: 3n, charge: 0n, memberLimitId })).rejects.toThrow('member purse');
  await spender.end();
  expect(await findNearLimits(sql, scope(), 'key')).toMatchObject([{ kind: 'key', limit: 100n }]);
  await changeKey({ raisedLimit: 300n });
  expect(await findNearLimits(sql, scope(), 'key')).toEqual([]);
  await letEnd(memberLimitId);
  const later = await Spender.begin(sql);
  await expect(later.spend(account, { hold: 1n, charge: 0n, memberLimitId })).rejects.toThrow('member purse');
});
