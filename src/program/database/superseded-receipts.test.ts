import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, drawAll, openAccount, openKey } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import { commitOnceAwaited, startStandingStatement } from '../../../test/support/standing-statement.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { windowAt } from '../../domain/window.ts';
import type { ClaimResult } from '../../gate/gateway/claims/idempotency-store.ts';
import { SqlFault } from '../../lib/sql.ts';
import { ClaimGone, EpochFenced } from '../../gate/purses/ports/database.ts';
import { recover, retrace } from '../../gate/purses/settlement/recovery.ts';
import { PostgresIdempotencyStore, pruneIdempotentRequests } from './idempotency-store.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { lateReceiptsJson } from './receipt-columns.ts';

// Requests with the same Idempotency-Key, of processes that are declared dead: one of their whole answers is charged.

const BODY = Buffer.alloc(32, 1);
const CHARGE = 70n;
const ANSWER = Buffer.from('the answer');

let db: TestDatabase;
let store: PostgresPurseStore;
let claims: PostgresIdempotencyStore;
let account: Account;
let idempotencyKey: string;

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresPurseStore(db.database);
  claims = new PostgresIdempotencyStore(db.database);
  account = await openAccount(db.database, { credit: 1_000_000n });
});
afterAll(() => db.stop());
beforeEach(() => {
  idempotencyKey = randomUUID();
});

/** One request with the key, in an epoch of its own that has leased what it costs. */
class Attempt {
  readonly requestId = randomUUID();
  readonly epoch: bigint;
  readonly #purses: readonly bigint[];

  private constructor(epoch: bigint, purses: readonly bigint[]) {
    this.epoch = epoch;
    this.#purses = purses;
  }

  static async begin(): Promise<Attempt> {
    const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
    const requests = (['credit', 'project', 'key'] as const).map((kind) => {
      const period = kind === 'credit' ? 'never' : 'month';
      const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, Date.now());
      const subjectId = { credit: account.workspace.id, project: account.project.id, key: account.key.id }[kind];
      const purse = { workspaceId: account.workspace.id, kind, subjectId, period, windowStartMs, windowEndMs } as const;
      return { purse, sequence: 1n, keep: 0n, slack: 0n, needs: [2n * CHARGE], ahead: 0n };
    });
    return new Attempt(
      epoch,
      (await drawAll(store, epoch, requests)).map(({ purseId }) => purseId),
    );
  }

  /** Begins a request that has the claim. */
  static async claimed(): Promise<Attempt> {
    const attempt = await Attempt.begin();
    const { state } = await attempt.claim();
    if (state !== 'claimed') throw new Error(`the claim is ${state}`);
    return attempt;
  }

  get #request() {
    return { workspaceId: account.workspace.id, keyId: account.key.id, idempotencyKey, requestId: this.requestId };
  }

  claim(body = BODY): Promise<ClaimResult> {
    return claims.claim(this.epoch, this.#request, body);
  }

  release(): Promise<void> {
    return claims.release(this.#request, false);
  }

  fence(): Promise<void> {
    return store.fence(this.epoch);
  }

  receipt(given: Partial<Receipt> = {}): Receipt {
    const [creditPurseId = 0n, projectPurseId = 0n, keyPurseId = 0n] = this.#purses;
    return receiptWith({
      ...this.#request,
      projectId: account.project.id,
      creditPurseId,
      projectPurseId,
      keyPurseId,
      projectWindow: windowAt('month', Date.now()),
      keyWindow: windowAt('month', Date.now()),
      charge: CHARGE,
      hold: CHARGE,
      admittedAtMs: Date.now(),
      ...given,
    });
  }

  settle(given: Partial<Receipt> = {}, answer: Buffer | null = ANSWER): Promise<void> {
    return store.settle(this.epoch, [this.receipt(given)], answersOf(this.requestId, answer));
  }

  settleLate(given: Partial<Receipt> = {}, answer: Buffer | null = null): Promise<void> {
    return store.settleLate(this.epoch, [this.receipt(given)], answersOf(this.requestId, answer));
  }

  async charged() {
    const [row] = await db.database.query<{ charge: bigint; writeOff: bigint; supersededBy: string | null }>(
      `select charge_nano_usd as charge, write_off_nano_usd as "writeOff", superseded_by as "supersededBy"
       from receipts where request_id = $1`,
      [this.requestId],
    );
    return row;
  }
}

const answersOf = (requestId: string, answer: Buffer | null): Map<string, Buffer> =>
  new Map(answer === null ? [] : [[requestId, answer]]);
const paid = { charge: CHARGE, writeOff: 0n, supersededBy: null };
const supersededBy = ({ requestId }: Attempt) => ({ charge: 0n, writeOff: CHARGE, supersededBy: requestId });

/** A first request whose process is declared dead, and a repeat that has taken its claim over. */
async function takenOver(): Promise<readonly [Attempt, Attempt]> {
  const first = await Attempt.claimed();
  await first.fence();
  return [first, await Attempt.claimed()];
}

async function ageClaim(interval: string): Promise<void> {
  await db.database.query(
    'update idempotent_requests set claimed_at = now() - $2::interval where idempotency_key = $1',
    [idempotencyKey, interval],
  );
}

async function expectLedgerTrue(): Promise<void> {
  expect((await verifyLedger(db.database)).differences).toEqual([]);
}

for (const isWhole of [true, false]) {
  test(`a late receipt whose key a repeat has taken over is free while that runs, if its answer is ${isWhole ? '' : 'not '}whole`, async () => {
    const [first, repeat] = await takenOver();
    await first.settleLate({ isWhole });
    expect(await first.charged()).toEqual(supersededBy(repeat));
    await repeat.settle();
    expect(await repeat.charged()).toEqual(paid);
    const third = await Attempt.begin();
    expect(await third.claim()).toEqual({
      state: 'done',
      requestId: repeat.requestId,
      answer: ANSWER,
      charge: CHARGE,
    });
    await expectLedgerTrue();
  });

  test(`a late receipt whose key a repeat has taken over is free once that is charged, if its answer is ${isWhole ? '' : 'not '}whole`, async () => {
    const [first, repeat] = await takenOver();
    await repeat.settle();
    await first.settleLate({ isWhole }, Buffer.from('another answer'));
    await first.settleLate({ isWhole });
    expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(repeat), paid]);
    const third = await Attempt.begin();
    expect(await third.claim()).toMatchObject({ state: 'done', answer: ANSWER });
    await expectLedgerTrue();
  });
}

test('a late receipt whose key a repeat has taken over is free out of a killed process’s journal, as is its trail', async () => {
  const [first, repeat] = await takenOver();
  await repeat.settle();
  const left = { receipts: [first.receipt()], epochId: first.epoch, remove: () => Promise.resolve() };
  const onPoison = (_receipt: Receipt, fault: unknown): void => expect.fail(String(fault));
  await recover(store, [first.epoch], [{ ...left, damaged: null }], { trailOf: () => null, onPoison });
  expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(repeat), paid]);
  const trail = { ...left, timeline: 'former', isOld: false, moveTo: () => Promise.resolve() };
  await retrace(store, [{ ...trail, receipts: () => Promise.resolve([first.receipt(), repeat.receipt()]) }], onPoison);
  expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(repeat), paid]);
  await expectLedgerTrue();
});

test('a late receipt has nothing to do with claims of another key or name, and waits for none', async () => {
  const elsewhere = await Attempt.claimed();
  idempotencyKey = randomUUID();
  const other = await openKey(db.database, account.project);
  const request = { workspaceId: account.workspace.id, keyId: other.id, idempotencyKey };
  const others = await Attempt.begin();
  await claims.claim(others.epoch, { ...request, requestId: others.requestId }, BODY);
  const unclaimed = await Attempt.claimed();
  await unclaimed.fence();
  await db.database.query('delete from idempotent_requests where request_id = $1', [unclaimed.requestId]);
  await unclaimed.settleLate({ isWhole: false });
  const [first, repeat] = await takenOver();
  await repeat.fence();
  const claimants = [others, elsewhere].map(({ requestId }) => requestId);
  await db.database.transaction(async (tx) => {
    await tx.query('select from idempotent_requests where request_id = any ($1) for update', [claimants]);
    await first.settleLate();
    await repeat.settleLate();
  });
  expect([await unclaimed.charged(), await first.charged()]).toEqual([paid, paid]);
  expect(await repeat.charged()).toEqual(supersededBy(first));
  const found = await db.database.query(
    'select request_id as id from idempotent_requests where request_id = any ($1)',
    [[...claimants, first.requestId]],
  );
  expect(found).toHaveLength(3);
});

test('a late receipt whose key a repeat has taken over keeps what was written off before', async () => {
  const [first] = await takenOver();
  await first.settleLate({ writeOff: 5n });
  expect(await first.charged()).toMatchObject({ charge: 0n, writeOff: CHARGE + 5n });
});

test('a late receipt whose key a repeat has taken over is charged, and answers for the key, if the repeat has failed', async () => {
  const [first, repeat] = await takenOver();
  await repeat.settle({ isWhole: false, charge: 0n, outcome: 'failed' });
  await repeat.release();
  await first.settleLate({}, ANSWER);
  expect(await first.charged()).toEqual(paid);
  expect(await (await Attempt.begin()).claim()).toEqual({
    state: 'done',
    requestId: first.requestId,
    answer: ANSWER,
    charge: CHARGE,
  });
  await expectLedgerTrue();
});

test('a late receipt whose key a dead repeat has taken over is charged; the repeat’s own late receipt is not then', async () => {
  const [first, repeat] = await takenOver();
  await repeat.fence();
  await first.settleLate();
  await repeat.settleLate({}, ANSWER);
  expect([await first.charged(), await repeat.charged()]).toEqual([paid, supersededBy(first)]);
  expect(await (await Attempt.begin()).claim()).toEqual({ state: 'done', requestId: first.requestId, answer: null });
  await expectLedgerTrue();
});

test('a late receipt whose key was taken over twice is free while the second repeat runs, as is the first repeat’s', async () => {
  const [first, repeat] = await takenOver();
  await repeat.fence();
  const third = await Attempt.claimed();
  const admittedAtMs = Date.now() - 60_000;
  await first.settleLate({ admittedAtMs });
  await repeat.settleLate({ admittedAtMs });
  await third.settle();
  expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(third), supersededBy(third)]);
  expect(await third.charged()).toEqual(paid);
  await expectLedgerTrue();
});

test('a late receipt whose key a repeat has taken over is not charged after the repeat’s own late receipt was', async () => {
  const [first, repeat] = await takenOver();
  await repeat.fence();
  await repeat.settleLate({}, ANSWER);
  await first.settleLate();
  expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(repeat), paid]);
  await expectLedgerTrue();
});

test('a late receipt whose key a dead repeat has taken over leaves that claim alone if its own answer is not whole', async () => {
  const [first, repeat] = await takenOver();
  await repeat.fence();
  await first.settleLate({ isWhole: false, charge: 10n, outcome: 'interrupted' });
  await repeat.settleLate({}, ANSWER);
  expect(await first.charged()).toMatchObject({ charge: 10n, supersededBy: null });
  expect(await repeat.charged()).toEqual(paid);
});

test('a late receipt whose key a repeat has taken over is free out of a journal of days ago, whatever the key is now', async () => {
  const daysAgo = { admittedAtMs: Date.now() - 50 * 3_600_000 };
  const [first, repeat] = await takenOver();
  await repeat.settle(daysAgo);
  await ageClaim('49 hours');
  await pruneIdempotentRequests(db.database);
  await first.settleLate(daysAgo);
  expect(await first.charged()).toEqual(supersededBy(repeat));

  idempotencyKey = randomUUID();
  const [lost] = await takenOver();
  await ageClaim('49 hours');
  const user = await Attempt.begin();
  expect(await user.claim(Buffer.alloc(32, 9))).toEqual({ state: 'claimed' });
  await lost.settleLate(daysAgo);
  expect(await lost.charged()).toEqual(supersededBy(user));
});

test('a late receipt of a key that was used for something else a day later is charged', async () => {
  const first = await Attempt.claimed();
  await first.fence();
  await ageClaim('25 hours');
  const user = await Attempt.begin();
  expect(await user.claim(Buffer.alloc(32, 9))).toEqual({ state: 'claimed' });
  // A day later to the moment.
  const admittedAtMs = Math.floor(Date.now() / 1_000 - 24 * 3_600) * 1_000;
  await db.database.query(
    `update idempotent_requests set claimed_at = to_timestamp($2::bigint / 1000) + interval '24 hours' where idempotency_key = $1`,
    [idempotencyKey, admittedAtMs],
  );
  await first.settleLate({ admittedAtMs });
  await user.settle();
  expect([await first.charged(), await user.charged()]).toEqual([paid, paid]);
});

test('a late receipt whose claim a failover lost is charged, and answers every repeat', async () => {
  const first = await Attempt.claimed();
  await first.fence();
  await first.release();
  await first.settleLate();
  expect(await first.charged()).toEqual(paid);
  const repeat = await Attempt.begin();
  expect(await repeat.claim()).toEqual({ state: 'done', requestId: first.requestId, answer: null });
  expect(await repeat.claim(Buffer.alloc(32, 9))).toMatchObject({ state: 'done' });
});

test('a late receipt whose claim a failover lost charges nothing if a repeat has claimed the key since', async () => {
  const first = await Attempt.claimed();
  await first.fence();
  await first.release();
  const repeat = await Attempt.claimed();
  await first.settleLate();
  await repeat.settle();
  expect([await first.charged(), await repeat.charged()]).toEqual([supersededBy(repeat), paid]);
});

test('a late receipt that is not whole leaves the key to the next request', async () => {
  const first = await Attempt.claimed();
  await first.fence();
  await first.settleLate({ isWhole: false, charge: 10n, outcome: 'interrupted' });
  expect(await first.charged()).toMatchObject({ charge: 10n });
  const repeat = await Attempt.claimed();
  await repeat.settle();
  expect(await repeat.charged()).toEqual(paid);
});

test.each([true, false])(
  'a late receipt waits for a repeat that is taking its claim over (whole: %s)',
  async (isWhole) => {
    const first = await Attempt.claimed();
    await first.fence();
    const repeat = await Attempt.begin();
    const takingOver = await startStandingStatement(db, 'select claim_idempotency_key($1, $2, $3, $4, $5::bytea, $6)', [
      String(repeat.epoch),
      account.workspace.id,
      account.key.id,
      idempotencyKey,
      `\\x${BODY.toString('hex')}`,
      repeat.requestId,
    ]);
    const winner = db.database.query(
      'select claim_for_late_receipt($1, late) as winner from late_receipts($2::jsonb) as late',
      [first.epoch, lateReceiptsJson([first.receipt({ isWhole })])],
    );
    await commitOnceAwaited(db, takingOver);
    expect(await winner).toEqual([{ winner: repeat.requestId }]);
  },
);

test('a receipt that is refused for good leaves its key to the next request', async () => {
  const first = await Attempt.claimed();
  const receipt = first.receipt({ clientRequestId: 'nul \0' });
  await expect(store.settle(first.epoch, [receipt], answersOf(first.requestId, ANSWER))).rejects.toThrow(SqlFault);
  await store.quarantine(receipt, 'it was refused');
  const repeat = await Attempt.claimed();
  await store.quarantine(receipt, 'it was refused again');
  await repeat.settle();
  expect(await repeat.charged()).toEqual(paid);
});

test('a timely batch with a claim that another request has takes no effect; that receipt alone is late, and free', async () => {
  const [first, repeat] = await takenOver();
  // The first request's process has begun its next epoch, and its hold was placed there.
  const next = await Attempt.begin();
  const [receipt, other] = [next.receipt({ requestId: first.requestId }), next.receipt({ idempotencyKey: null })];
  await expect(store.settle(next.epoch, [receipt, other], answersOf(first.requestId, ANSWER))).rejects.toThrow(
    ClaimGone,
  );
  expect(await first.charged()).toBeUndefined();
  await store.settle(next.epoch, [{ ...other, requestId: next.requestId }], new Map());
  await store.settleLate(next.epoch, [receipt], new Map());
  expect([await first.charged(), await next.charged()]).toEqual([supersededBy(repeat), paid]);
  await expectLedgerTrue();
});

test('a timely batch with an answer that is not whole needs no claim, and completes none', async () => {
  const first = await Attempt.begin();
  await first.settle({ isWhole: false });
  expect(await (await Attempt.begin()).claim()).toEqual({ state: 'claimed' });
});

test('a timely batch that was sent before is settled once, and its answer stays', async () => {
  const first = await Attempt.claimed();
  await first.settle();
  await first.settle({}, Buffer.from('another answer'));
  expect(await (await Attempt.begin()).claim()).toMatchObject({ state: 'done', answer: ANSWER });
  await expectLedgerTrue();
});

test('a timely batch of which a part was settled before completes the claims of the rest', async () => {
  const first = await Attempt.claimed();
  const [before, own] = [first.receipt({ requestId: randomUUID(), idempotencyKey: null }), first.receipt()];
  await store.settle(first.epoch, [before], new Map());
  await store.settle(first.epoch, [before, own], answersOf(first.requestId, ANSWER));
  expect(await (await Attempt.begin()).claim()).toMatchObject({ state: 'done', answer: ANSWER });
  await expectLedgerTrue();
});

test('whatever order claims, fences, settlements and repeats come in, one whole answer of a key is charged at most', async () => {
  const act = fc.record({
    at: fc.nat({ max: 3 }),
    kind: fc.constantFrom('claim', 'claim', 'fence', 'whole', 'whole', 'broken', 'release'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 24 }), async (acts) => {
      idempotencyKey = randomUUID();
      const attempts = await Promise.all(Array.from({ length: 4 }, () => Attempt.begin()));
      const holders = new Set<Attempt>();
      for (const { at, kind } of acts) {
        const attempt = attempts[at]!;
        if (kind === 'claim') {
          const result = await attempt.claim().catch(() => null);
          if (result?.state === 'claimed') holders.add(attempt);
        } else if (kind === 'fence') {
          await attempt.fence();
        } else if (holders.has(attempt)) {
          if (kind === 'release') await attempt.release();
          else await settleAsProcessesDo(attempt, kind === 'whole');
          if (kind !== 'whole') await attempt.release();
          holders.delete(attempt);
        }
      }
      const charged = await Promise.all(attempts.map((attempt) => attempt.charged()));
      const whole = charged.filter((each) => each !== undefined && each.charge + each.writeOff === CHARGE);
      expect(whole.filter((each) => each?.charge === CHARGE).length).toBeLessThanOrEqual(1);
      for (const each of whole) expect(each?.charge === 0n).toBe(each?.supersededBy !== null);
    }),
    { numRuns: 60 },
  );
  await expectLedgerTrue();
});

/** Settles by the leases, and late if the epoch or the claim is gone. */
async function settleAsProcessesDo(attempt: Attempt, isWhole: boolean): Promise<void> {
  const given = isWhole ? {} : { isWhole, charge: 10n, outcome: 'interrupted' as const };
  try {
    await attempt.settle(given);
  } catch (fault) {
    if (!(fault instanceof EpochFenced || fault instanceof ClaimGone)) throw fault;
    await attempt.settleLate(given, ANSWER);
  }
}
