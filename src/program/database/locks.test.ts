import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { drawOf, drawReceipt, purseOf } from '../../../test/support/account-purses.ts';
import {
  changeProject,
  drawAll,
  granted,
  onceFree,
  openAccount,
  openKey,
  openProject,
} from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  commitOnceAwaited,
  type StandingStatement,
  startStandingStatement,
} from '../../../test/support/standing-statement.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { windowAt } from '../../domain/window.ts';
import { correctReceipt } from '../../control/ledger/corrections.ts';
import { postCredit } from '../../control/ledger/postings.ts';
import type { SqlValue } from '../../lib/sql.ts';
import { type DrawRequest, EpochFenced } from '../../gate/purses/ports/database.ts';
import { PostgresIdempotencyStore } from './idempotency-store.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { settleArguments } from './settle-arguments.ts';

// Each lock and each condition of the functions that move money: what would go wrong without it. One statement has run, and
// is held open before its transaction ends; another meets it.

let db: TestDatabase;
let store: PostgresPurseStore;
let standing: StandingStatement[] = [];

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresPurseStore(db.database);
});
afterEach(async () => {
  await Promise.all(standing.map((each) => each.close()));
  standing = [];
});
afterAll(() => db.stop());

async function stand(statement: string, values: readonly (SqlValue | string)[]): Promise<StandingStatement> {
  const started = await startStandingStatement(db, statement, values.map(String));
  standing.push(started);
  return started;
}

const beginEpoch = (): Promise<bigint> => store.beginEpoch(randomUUID(), 'test', 30_000);

/** A draw of one purse whose lease another epoch has not committed yet. */
async function standingDraw(epoch: bigint, purse: DrawRequest['purse'], need: bigint): Promise<StandingStatement> {
  const { workspaceId, kind, subjectId, period, windowStartMs, windowEndMs } = purse;
  const request = {
    ordinal: 0,
    workspace_id: workspaceId,
    kind,
    subject_id: subjectId,
    period,
    window_start: new Date(windowStartMs),
    window_end: windowEndMs === null ? null : new Date(windowEndMs),
    sequence: 1,
    keep: 0,
    slack: 0,
    needs: [Number(need)],
    ahead: 0,
  };
  return await stand('select * from draw_leases($1, $2::jsonb, false)', [epoch, JSON.stringify([request])]);
}

async function stored({ requestId }: Receipt) {
  const [row] = await db.database.query<{ charge: bigint; writeOff: bigint }>(
    'select charge_nano_usd as charge, write_off_nano_usd as "writeOff" from receipts where request_id = $1',
    [requestId],
  );
  return row;
}

const settleCall = (name: string): string =>
  `select ${name}(${Array.from({ length: 11 }, (_, index) => `$${index + 1}`).join(', ')})`;

test('the epoch that is fenced settles nothing, though its leases are still there', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  await db.database.query('update epochs set fenced_at = now() where id = $1', [epoch]);
  await expect(store.settle(epoch, [receipt], new Map())).rejects.toThrow(EpochFenced);
  for (const name of ['settle_receipts', 'settle_receipts_again']) {
    const values = [epoch, ...settleArguments([receipt])];
    await expect(db.database.query(settleCall(name), values)).rejects.toMatchObject({ sqlState: 'FG001' });
  }
  expect(await stored(receipt)).toBeUndefined();
});

const EMPTY = `'{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'`;
test.each([
  ['a draw', `select draw_leases($1, '[]', true)`],
  ['a draw of permits', `select draw_permits($1, '[]', null, true)`],
  ['a look-up', `select look_up_keys($1, '{}', '{}', '{}', '{}', 1, 1, 1, 1), require_live_epoch($1)`],
  ['a settlement', `select settle_receipts($1, ${EMPTY})`],
  ['a repeated settlement', `select settle_receipts_again($1, ${EMPTY})`],
  ['a release', `select release_leases($1, '{}', '{}', '{}', true)`],
  ['a claim', `select claim_idempotency_key($1, gen_random_uuid(), gen_random_uuid(), 'k', '', gen_random_uuid())`],
])('the epoch is fenced only when %s of it that has run is over', async (_, statement) => {
  const epoch = await beginEpoch();
  const running = await stand(statement, [epoch]);
  let isFenced = false;
  const fencing = db.database.query('select fence_epoch($1, null)', [epoch]).then(() => (isFenced = true));
  await expect
    .poll(() => db.database.query('select from pg_locks where not granted'), { interval: 2 })
    .not.toHaveLength(0);
  expect(isFenced).toBe(false);
  await running.commit();
  await fencing;
  await expect(db.database.query(statement, [epoch])).rejects.toMatchObject({ sqlState: 'FG001' });
});

test('an epoch stays fenced since when it was', async () => {
  const epoch = await beginEpoch();
  const fencedAt = (): Promise<readonly object[]> =>
    db.database.query('select fenced_at from epochs where id = $1', [epoch]);
  await store.fence(epoch);
  const first = await fencedAt();
  await store.fence(epoch);
  expect(await fencedAt()).toEqual(first);
});

test('a fenced epoch is reaped by one process at a time; the next one finds nothing left to wait for', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  await drawReceipt(store, epoch, account, 10n);
  await db.database.query('update epochs set fenced_at = now() where id = $1', [epoch]);
  const reap = 'select busy from reap_epoch($1, 0, 10, false)';
  const first = await stand(reap, [epoch]);
  const second = db.database.query(reap, [epoch]);
  await commitOnceAwaited(db, first);
  expect(await second).toEqual([{ busy: [] }]);
});

test('a change of a project waits for the one before, and keeps what that has changed', async () => {
  const { project } = await openAccount(db.database);
  const first = await stand(`select update_project($1, $2, '{"models": ["a"]}')`, [project.workspaceId, project.id]);
  const second = changeProject(db.database, project, { concurrency: 3 });
  await commitOnceAwaited(db, first);
  expect(await second).toMatchObject({ models: ['a'], concurrency: 3 });
});

test('a change of a project has longer than a statement of money, to count the receipts of a window', async () => {
  const { project } = await openAccount(db.database);
  const bound = `select current_setting('transaction_timeout') as bound from update_project($1, $2, '{}')`;
  expect(await db.database.query(bound, [project.workspaceId, project.id])).toEqual([{ bound: '30s' }]);
});

test('each statement that moves money has five seconds for its transaction, whatever it finds', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  await store.settle(epoch, [receipt], new Map());
  const fenced = await beginEpoch();
  await db.database.query('update epochs set fenced_at = now() where id = $1', [fenced]);
  const nobody = randomUUID();
  const calls: readonly (readonly [string, ...SqlValue[]])[] = [
    [`post_credit($1, $1, 'grant', 1, 'test', 'a test', null, null)`, nobody],
    [`correct_receipt($1, $2, $3, 10, 'test', 'a test', null)`, nobody, account.workspace.id, receipt.requestId],
    [`redeem_code('', $1, $1, 'test')`, nobody],
    ['begin_auto_top_up($1, $1, 1, 0)', nobody],
    [`refund_closed($1, 'test')`, nobody],
    [`refund_closing($1, 'test')`, nobody],
    [`apply_payment_fact('test', 'bound', 'expired', null, $1, $1, 'checkout', null, null, null, null, null)`, nobody],
    [`release_idempotency_key($1, $1, 'k', $1, true)`, nobody],
    ['require_live_epoch($1)', epoch],
    [`settle_receipts($1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`, epoch],
    [`settle_late_receipts($1, '[]')`, epoch],
    ['reap_epoch($1, 0, 1, false)', fenced],
  ];
  for (const [call, ...values] of calls) {
    const bound = `select current_setting('transaction_timeout') as bound from ${call}`;
    expect({ call, rows: await db.database.query(bound, values) }).toEqual({ call, rows: [{ bound: '5s' }] });
  }
});

test('the leases that another statement of their own epoch has locked are passed over by its draws', async () => {
  const [busy, other] = await Promise.all([1, 2].map(() => openAccount(db.database, { credit: 1_000n })));
  if (busy === undefined || other === undefined) throw new Error('two accounts');
  const epoch = await beginEpoch();
  const { creditPurseId } = await drawReceipt(store, epoch, busy, 10n);
  await stand('select from leases where epoch_id = $1 and purse_id = $2 for update', [epoch, creditPurseId]);
  const requests = [busy, other].map((account) => ({ ...drawOf(purseOf(account, 'credit'), 1n), sequence: 2n }));
  expect(await store.draw(epoch, requests, { waits: false })).toEqual([null, expect.anything()]);
});

test('the leases are locked before a repeated settlement looks which receipts are new', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  const values = [epoch, ...settleArguments([receipt])];
  const first = await stand(settleCall('settle_receipts_again'), values);
  const second = onceFree(() => db.database.query(settleCall('settle_receipts_again'), values));
  await commitOnceAwaited(db, first);
  await second;
  expect(await stored(receipt)).toMatchObject({ charge: 10n });
  expect((await verifyLedger(db.database)).differences).toEqual([]);
});

test('a repeated settlement charges each lease what its own receipts say, and waits for no other lease', async () => {
  const [one, other, idle] = await Promise.all([1, 2, 3].map(() => openAccount(db.database, { credit: 1_000n })));
  const epoch = await beginEpoch();
  const receipts = [await drawReceipt(store, epoch, one!, 10n), await drawReceipt(store, epoch, other!, 30n)];
  const { creditPurseId } = await drawReceipt(store, epoch, idle!, 10n);
  await stand('select from leases where epoch_id = $1 and purse_id = $2 for update', [epoch, creditPurseId]);
  await db.database.query(settleCall('settle_receipts_again'), [epoch, ...settleArguments(receipts)]);
  for (const { creditPurseId: credit, projectPurseId: project, keyPurseId: key, charge } of receipts) {
    const charged =
      'select charged_nano_usd as charge from leases where epoch_id = $1 and purse_id = any ($2::bigint[])';
    expect(await db.database.query(charged, [epoch, [credit, project, key]])).toEqual([
      { charge },
      { charge },
      { charge },
    ]);
  }
});

test('a repeated settlement waits but briefly for a lease of its own', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  await stand('select from leases where epoch_id = $1 and purse_id = $2 for update', [epoch, receipt.keyPurseId]);
  const settling = db.database.query(settleCall('settle_receipts_again'), [epoch, ...settleArguments([receipt])]);
  await expect(settling).rejects.toMatchObject({ reason: 'contended' });
});

test('the purses of a correction are locked in order: while it waits for the credit it holds none of the others', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  await store.settle(epoch, [receipt], new Map());
  const credit = await stand('select from purses where id = $1 for no key update', [receipt.creditPurseId]);
  const correction = { requestId: receipt.requestId, charge: 0n, reason: 'a test' };
  const corrected = onceFree(() => correctReceipt(db.database, scopeOf(account.workspace.id), correction));
  const waiting = () => db.database.query('select from pg_locks where not granted');
  await expect.poll(waiting, { interval: 2 }).not.toHaveLength(0);
  const others = 'select from purses where id = any ($1::bigint[]) for no key update skip locked';
  expect(await db.database.query(others, [[receipt.projectPurseId, receipt.keyPurseId]])).toHaveLength(2);
  await credit.commit();
  expect(granted(await corrected)).toMatchObject({ amount: 10n });
});

test('the purses of late charges are locked before it is reckoned what they have left', async () => {
  const account = await openAccount(db.database, { credit: 10_000n, project: { budget: 1_000n } });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 800n);
  await store.fence(epoch);
  const other = await standingDraw(await beginEpoch(), purseOf(account, 'project'), 900n);
  const late = onceFree(() => store.settleLate(epoch, [receipt], new Map()));
  await commitOnceAwaited(db, other);
  await late;
  expect(await stored(receipt)).toEqual({ charge: 100n, writeOff: 700n });
});

test('the purses of late charges give nothing that is owed', async () => {
  const account = await openAccount(db.database, { credit: 100n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 60n);
  const request = { kind: 'dispute', amount: -70n, reason: 'a test' } as const;
  granted(await postCredit(db.database, scopeOf(account.workspace.id), request));
  await store.fence(epoch);
  await store.settleLate(epoch, [receipt], new Map());
  // 40 were taken, 30 are owed of the 60 that came back.
  expect(await stored(receipt)).toEqual({ charge: 30n, writeOff: 30n });
  expect((await verifyLedger(db.database)).differences).toEqual([]);
});

test('the purses of late charges give what corrections have given back', async () => {
  const account = await openAccount(db.database, { credit: 1_000n, project: { budget: 100n } });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 60n);
  await store.settle(epoch, [receipt], new Map());
  await store.fence(epoch);
  const correction = { requestId: receipt.requestId, charge: 10n, reason: 'a test' };
  granted(await correctReceipt(db.database, scopeOf(account.workspace.id), correction));
  const late = { ...receipt, requestId: randomUUIDv7(), charge: 80n, hold: 80n };
  await store.settleLate(epoch, [late], new Map());
  expect(await stored(late)).toEqual({ charge: 80n, writeOff: 0n });
});

/** Runs a late settlement until it waits for what `first` has locked, and then `look`, and lets it end. */
async function whileLateWaits<Result>(
  epoch: bigint,
  receipts: readonly Receipt[],
  { first, look }: { readonly first: StandingStatement; readonly look: () => Promise<Result> },
): Promise<Result> {
  const late = onceFree(() => store.settleLate(epoch, receipts, new Map()));
  const waiting = () => db.database.query('select from pg_locks where not granted');
  await expect.poll(waiting, { interval: 2, timeout: 15_000 }).not.toHaveLength(0);
  const seen = await look();
  await first.commit();
  await late;
  return seen;
}

test('the purses of late charges are locked in order: while one waits for the credit it holds none of the others', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = await drawReceipt(store, epoch, account, 10n);
  await store.fence(epoch);
  const first = await stand('select from purses where id = $1 for no key update', [receipt.creditPurseId]);
  const others = [receipt.projectPurseId, receipt.keyPurseId];
  const free = 'select from purses where id = any ($1::bigint[]) for no key update skip locked';
  const look = () => db.database.query(free, [others]);
  expect(await whileLateWaits(epoch, [receipt], { first, look })).toHaveLength(2);
});

test('the purses of many late charges are locked in order, whichever the plan, and the order of their rows', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => openAccount(db.database, { credit: 1_000n })));
  const epoch = await beginEpoch();
  const opened: Receipt[] = [];
  for (const account of accounts) opened.push(await drawReceipt(store, epoch, account, 10n));
  await store.fence(epoch);
  const ids = opened
    .flatMap(({ creditPurseId, projectPurseId, keyPurseId }) => [creditPurseId, projectPurseId, keyPurseId])
    .toSorted((a, b) => Number(a - b));
  // A change moves a row behind all others.
  for (const id of ids.toReversed()) {
    await db.database.query('update purses set mode = mode where id = $1', [id]);
  }
  const first = await stand('select from purses where id = $1 for no key update', [ids[0] ?? 0n]);
  const free = 'select from purses where id = any ($1::bigint[]) for no key update skip locked';
  const look = () => db.database.query(free, [ids.slice(1)]);
  expect(await whileLateWaits(epoch, opened, { first, look })).toHaveLength(ids.length - 1);
});

test('the claims of late charges are locked in order: while one waits for the first it holds none of the others', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const drawn = await drawReceipt(store, epoch, account, 20n);
  // The oldest receipt has the claim that comes last.
  const [older = '', newer = ''] = [randomUUIDv7(), randomUUIDv7()].toSorted();
  const receipts = [
    { ...drawn, requestId: older, charge: 10n, idempotencyKey: 'b' },
    { ...drawn, requestId: newer, charge: 10n, idempotencyKey: 'a' },
  ];
  const claims = new PostgresIdempotencyStore(db.database);
  for (const receipt of receipts) await claims.claim(epoch, receipt, Buffer.alloc(32));
  await store.fence(epoch);
  const claim = 'select from idempotent_requests where key_id = $1 and idempotency_key = $2 for update';
  const first = await stand(claim, [account.key.id, 'a']);
  const look = () => db.database.query(`${claim} skip locked`, [account.key.id, 'b']);
  expect(await whileLateWaits(epoch, receipts, { first, look })).toHaveLength(1);
});

test.each(['project', 'key'] as const)(
  'the purses of late charges are opened in their order: while one of a %s waits none that follows is open',
  async (kind) => {
    const account = await openAccount(db.database, { credit: 1_000n });
    const epoch = await beginEpoch();
    const drawn = await drawReceipt(store, epoch, account, 10n);
    await store.fence(epoch);
    const others = ['second', 'third'].map((name) =>
      kind === 'project'
        ? openProject(db.database, account.workspace, { name })
        : openKey(db.database, account.project, { name }),
    );
    const ids = [account[kind], ...(await Promise.all(others))].map(({ id }) => id).toSorted();
    // Neither receipts nor rows come in the order of their subjects, from either end: a change moves a row behind all others.
    await db.database.query(`update ${kind}s set name = 'changed' where id = $1`, [ids[0] ?? '']);
    const window = windowAt('month', Date.now() + 40 * 86_400_000);
    const receipts = [ids[1] ?? '', ids[0] ?? '', ids[2] ?? ''].map((id) => ({
      ...drawn,
      requestId: randomUUIDv7(),
      ...(kind === 'project'
        ? { projectId: id, projectPurseId: 1n, projectWindow: window }
        : { keyId: id, keyPurseId: 1n, keyWindow: window }),
    }));
    const opening = `insert into purses (workspace_id, kind, subject_id, period, window_start, window_end)
      values ($1, $2, $3, 'month', $4, $5) on conflict do nothing`;
    const valuesOf = (id = '') =>
      [account.workspace.id, kind, id, ...[window.startMs, window.endMs ?? 0].map((ms) => new Date(ms))] as const;
    const first = await stand(
      opening,
      valuesOf(ids[0]).map((value) => (value instanceof Date ? value.toISOString() : value)),
    );
    const openFree = (id: string) =>
      db.database.transaction((tx) => tx.query(opening, valuesOf(id)), { settings: { lock_timeout: 100 } });
    const look = async () => {
      for (const id of ids.slice(1)) await openFree(id);
    };
    await expect(whileLateWaits(epoch, receipts, { first, look })).resolves.toBeUndefined();
  },
);

test.each(['project', 'key'] as const)(
  'the purses of a %s are not opened while its limit is being changed, which a draw by itself waits for',
  async (kind) => {
    const account = await openAccount(db.database, {
      credit: 1_000n,
      project: { budget: 500n },
      key: { spendLimit: 500n },
    });
    const change =
      kind === 'project'
        ? await stand(`select update_project($1, $2, '{"budget_nano_usd": "77"}')`, [
            account.workspace.id,
            account.project.id,
          ])
        : await stand('update keys set spend_limit_nano_usd = 77 where id = $1', [account.key.id]);
    // The window that follows, as a process sees it whose clock is ahead: nobody has opened it with the change.
    const ahead = purseOf(account, kind, Date.now() + 40 * 86_400_000);
    const epoch = await beginEpoch();
    expect(await store.draw(epoch, [drawOf(ahead, 1n)], { waits: false })).toEqual([null]);
    const waiting = drawAll(store, epoch, [drawOf(ahead, 1n)]);
    await commitOnceAwaited(db, change);
    expect(await waiting).toMatchObject([{ limit: 77n }]);
  },
);

test.each(['project', 'key'] as const)(
  'the purses of late charges are opened with the limit that the %s has by then',
  async (kind) => {
    const account = await openAccount(db.database, { credit: 1_000n });
    const epoch = await beginEpoch();
    const drawn = await drawReceipt(store, epoch, account, 100n);
    await store.fence(epoch);
    const unopened = windowAt('month', Date.now() + 40 * 86_400_000);
    const receipt =
      kind === 'project'
        ? { ...drawn, projectPurseId: 1n, projectWindow: unopened }
        : { ...drawn, keyPurseId: 1n, keyWindow: unopened };
    const change =
      kind === 'project'
        ? await stand('update projects set budget_nano_usd = 77 where id = $1', [account.project.id])
        : await stand('update keys set spend_limit_nano_usd = 77 where id = $1', [account.key.id]);
    const late = onceFree(() => store.settleLate(epoch, [receipt], new Map()));
    await commitOnceAwaited(db, change);
    await late;
    expect(await stored(receipt)).toEqual({ charge: 77n, writeOff: 23n });
  },
);

test('the purses are locked before a closing looks whether any of its credit is leased', async () => {
  const account = await openAccount(db.database, { credit: 1_000n });
  await db.database.query('update workspaces set closing_at = now() where id = $1', [account.workspace.id]);
  const draw = await standingDraw(await beginEpoch(), purseOf(account, 'credit'), 80n);
  const closing = db.database.query('select refund_closing($1, $2) as ended', [account.workspace.id, 'a test']);
  await commitOnceAwaited(db, draw);
  expect(await closing).toEqual([{ ended: false }]);
});

test('the purses are locked before a posting reads how its workspace stands', async () => {
  const account = await openAccount(db.database, { credit: 100n });
  const other = await standingDraw(await beginEpoch(), purseOf(account, 'credit'), 80n);
  const request = { kind: 'adjustment', amount: -50n, reason: 'a test' } as const;
  const posting = postCredit(db.database, scopeOf(account.workspace.id), request);
  await commitOnceAwaited(db, other);
  expect(granted(await posting)).toMatchObject({ balance: 50n });
  expect(
    await db.database.query(
      `select limit_nano_usd as limit, owed_nano_usd as owed from purses where kind = 'credit' and workspace_id = $1`,
      [account.workspace.id],
    ),
  ).toEqual([{ limit: 80n, owed: 30n }]);
});

test.each([
  ['more than its hold', { charge: 11n, hold: 10n }],
  ['less than nothing', { charge: -1n, hold: 10n }],
  ['a write-off below nothing', { charge: 1n, hold: 10n, writeOff: -1n }],
])('the table of receipts takes no receipt that charges %s', async (_, amounts) => {
  const account = await openAccount(db.database, { credit: 1_000n });
  const epoch = await beginEpoch();
  const receipt = { ...(await drawReceipt(store, epoch, account, 20n)), ...amounts };
  // A charge below nothing breaks the lease first.
  const constraint = amounts.charge < 0n ? 'leases_charged_within_grant' : 'receipts_are_sound';
  const settling = db.database.query(settleCall('settle_receipts'), [epoch, ...settleArguments([receipt])]);
  await expect(settling).rejects.toMatchObject({ constraint });
  expect(await stored(receipt)).toBeUndefined();
});
