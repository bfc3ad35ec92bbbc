import { expect, test } from 'vitest';
import { Bench } from '../../../../test/simulation/bench.ts';
import { Random } from '../../../../test/simulation/random.ts';
import { receiptDraft } from '../../../../test/simulation/receipt-draft.ts';
import { Hold } from './hold.ts';
import { ClaimGone } from '../ports/database.ts';
import type { HoldFailure } from './purses.ts';

// Interleavings of draws, limits, waits and ends, each spelled out. test/simulation searches random ones.

const UNAVAILABLE = { kind: 'unavailable' };

interface Asking {
  readonly bench: Bench;
  answer: Hold | HoldFailure | null;
}

interface Waiting {
  readonly bench: Bench;
  readonly waiting: Asking;
  /** The key gets more money, and another one takes of the credit at the same moment. */
  readonly freeKey: () => void;
}

/** Requests a hold in the background. */
function asking(bench: Bench, amount: bigint, by = bench.key): Asking {
  const asked: Asking = { bench, answer: null };
  bench.purses.hold(by, amount).then(
    (said) => {
      asked.answer = said;
    },
    (fault: unknown) => bench.faults.push(fault),
  );
  return asked;
}

/** A hold that waits for its key. Once the key has money, other holds have taken the slack of its ample credit. */
async function waitingForKeyWhileCreditIsTaken(): Promise<Waiting> {
  const bench = await new Bench({ credit: 10n ** 9n, key: 150n }).start();
  await bench.acquaint(50n);
  await bench.hold(140n);
  await bench.hold(0n, bench.otherKey);
  await bench.pass(100);
  const waiting = asking(bench, 100n);
  const freeKey = (): void => {
    expect(bench.purses.tryHold(bench.otherKey, 200n)).toBeInstanceOf(Hold);
    bench.setLimit('key', 1_000n);
    bench.tellChanges();
  };
  return { bench, waiting, freeKey };
}

/**
 * Two processes that wait for 60 of a key and of its credit, which are freed one after the other and suffice for one
 * of them. In each process a hold that is too large for now keeps both purses drawn.
 */
async function twoThatTakeOneEach(apartMs: number): Promise<readonly [Asking, Asking]> {
  const here = await new Bench({ credit: 300n, key: 200n }).start();
  const there = await new Bench({}, { beside: here }).start();
  const elsewhere = await new Bench({}, { beside: here }).start();
  const [keyed, other] = [await elsewhere.hold(100n), await elsewhere.hold(100n, here.otherKey)];
  await elsewhere.hold(100n);
  const first = asking(here, 60n);
  asking(here, 150n);
  await here.pass(apartMs);
  const second = asking(there, 60n);
  asking(there, 150n);
  await here.pass(100);
  keyed.close(receiptDraft(here.key, 100n)).catch((fault: unknown) => here.faults.push(fault));
  here.setLimit('key', 300n);
  await here.pass(30);
  other.close(receiptDraft(here.otherKey, 0n)).catch((fault: unknown) => here.faults.push(fault));
  return [first, second];
}

test('holds are placed without a statement in the steady state, and few draws a second keep it steady', async () => {
  const bench = await new Bench({ credit: 10n ** 12n, project: 10n ** 12n, key: 10n ** 12n }).start();
  await bench.acquaint(3_000n);
  const open: Hold[] = [];
  let waited = 0;
  // 1,000 holds a second, each open for 100 ms, each charging a third of what it holds.
  const second = async (): Promise<void> => {
    for (let ms = 0; ms < 1_000; ms++) {
      const placed = bench.purses.tryHold(bench.key, 3_000n);
      if (placed === null) waited += 1;
      const hold = placed ?? (await bench.hold(3_000n));
      open.push(hold);
      if (open.length > 100)
        open
          .shift()
          ?.close(receiptDraft(bench.key, 1_000n))
          .catch((fault: unknown) => bench.faults.push(fault));
      await bench.pass(1);
    }
  };
  for (let count = 0; count < 2; count++) await second();
  const before = { waited, draws: bench.link.sent.leasesDrawn };
  const SECONDS = 4;
  for (let count = 0; count < SECONDS; count++) await second();

  expect(waited).toBe(before.waited);
  expect((bench.link.sent.leasesDrawn - before.draws) / (3 * SECONDS)).toBeLessThanOrEqual(2.5);
  expect(bench.faults).toEqual([]);
});

test('an amount is lacking only if no hold that closes can bring it, and nothing is held to find out', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, key: 100n }).start();
  await bench.acquaint(1n);
  const lacks = async (amount: bigint): Promise<HoldFailure | null> => {
    const answer = bench.purses.lacks(bench.key, amount);
    await bench.pass(100);
    return await answer;
  };
  expect(await lacks(100n)).toBeNull();
  const held = await bench.hold(100n);
  expect(await lacks(100n)).toBeNull();
  await bench.close(held, 99n);
  expect(await lacks(1n)).toBeNull();
  const level = { level: 'key', limit: 100n, used: 99n };
  expect(await lacks(2n)).toMatchObject({ kind: 'short', transient: false, levels: [level], available: 1n });
  bench.setLimit('key', 101n);
  bench.tellChanges();
  expect(await lacks(2n)).toBeNull();
  await bench.hold(2n);
  expect(bench.faults).toEqual([]);
});

test('a hold that waits for a locked purse keeps nothing of its others, which holds elsewhere can have', async () => {
  const here = await new Bench({ credit: 300n, key: 1_000n }).start();
  const there = await new Bench({}, { beside: here }).start();
  for (const bench of [here, there]) await bench.acquaint(1n);
  const draw = here.link.draw.bind(here.link);
  here.link.draw = async (epochId, requests) => {
    const free = requests.filter(({ purse }) => purse.subjectId !== here.key.keyId);
    const replies = await draw(epochId, free);
    return requests.map((request) => replies[free.indexOf(request)] ?? null);
  };
  const waiting = asking(here, 200n);
  await here.pass(100);
  const other = asking(there, 200n);
  await here.pass(100);
  here.tellChanges();
  await here.pass(300);
  expect(other.answer).toBeInstanceOf(Hold);
  expect(waiting.answer).toBeNull();
  expect(here.faults).toEqual([]);
});

/** Advances time, delivering changes to the processes. */
async function passTelling(benches: readonly [Bench, Bench], durationMs: number): Promise<void> {
  for (let ms = 0; ms < durationMs; ms += 50) {
    for (const bench of benches) bench.tellChanges();
    await benches[0].pass(50);
  }
}

interface Kept {
  readonly here: Bench;
  readonly waiting: Asking;
  readonly other: Asking;
  /** Answers the statement that waits for the lock. */
  readonly giveUp: () => void;
}

/**
 * Credit of 300, all of it slack here. A hold of 40 can use it once its key is drawn, whose row another transaction
 * has locked; another hold waits elsewhere, for 280.
 */
async function keptForOneBehindALock(): Promise<Kept> {
  const here = await new Bench({ credit: 10_000n }).start();
  const there = await new Bench({}, { beside: here }).start();
  for (const bench of [here, there]) await bench.acquaint(1n);
  const hold = await here.hold(210n);
  await here.close(await here.hold(60n), 0n);
  const { promise: lock, resolve: giveUp } = Promise.withResolvers<void>();
  const draw = here.link.draw.bind(here.link);
  here.link.draw = async (epochId, requests) => {
    const free = requests.filter(({ purse }) => purse.subjectId !== here.otherKey.keyId);
    if (free.length < requests.length) await lock;
    const replies = await draw(epochId, free);
    return requests.map((request) => replies[free.indexOf(request)] ?? null);
  };
  const waiting = asking(here, 40n, here.otherKey);
  await here.pass(20);
  here.setLimit('credit', 300n);
  await passTelling([here, there], 50);
  const other = asking(there, 280n);
  await passTelling([here, there], 300);
  await here.close(hold, 0n);
  return { here, waiting, other, giveUp };
}

test('what is kept for a hold whose purse turns out to be locked goes back, and holds elsewhere can have it', async () => {
  const { here, waiting, other, giveUp } = await keptForOneBehindALock();
  await passTelling([here, other.bench], 300);
  expect(other.answer).toBeNull();
  giveUp();
  await passTelling([here, other.bench], 300);
  expect(other.answer).toBeInstanceOf(Hold);
  expect(waiting.answer).toBeNull();
});

test('holds go on for twenty seconds without the database, as often as before, where their purses are ample', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, project: 10n ** 8n, key: 10n ** 8n }).start();
  await bench.acquaint(3_000n);
  let refused = 0;
  // Ten holds a second.
  const seconds = async (count: number): Promise<void> => {
    for (let tenths = 0; tenths < 10 * count; tenths++) {
      const answer = await bench.ask(3_000n);
      if (answer instanceof Hold) answer.close(receiptDraft(bench.key, 1_000n)).catch(() => undefined);
      else refused += 1;
      await bench.pass(90);
    }
  };
  await seconds(3);
  bench.link.state = 'down';
  await seconds(20);
  expect(refused).toBe(0);
});

test('holds leave what a short purse has to everybody, rather than keep it for bad times', async () => {
  const bench = await new Bench({ credit: 100_000n }).start();
  await bench.acquaint(3_000n);
  for (let count = 0; count < 20; count++) {
    await bench.close(await bench.hold(3_000n), 1_000n);
    await bench.pass(100);
  }
  const { spent, leased } = bench.purse('credit');
  expect(spent + leased - 20_000n).toBeLessThan(20_000n);
});

test('holds take their amount from all three purses, or from none', async () => {
  const bench = await new Bench({ credit: 1_000n, project: 500n, key: 100n }).start();
  await bench.hold(60n);
  expect(await bench.ask(50n, { passMs: 100 })).toBeNull();
  expect((await bench.hold(440n, bench.otherKey)).amount).toBe(440n);
});

test('keys of one maker hold their limit together, and a refusal names it between project and key', async () => {
  const bench = await new Bench({ credit: 1_000n, project: 500n, member: 100n, key: 100n }).start();
  await bench.close(await bench.hold(60n, bench.otherKey), 60n, bench.otherKey);
  expect(await bench.ask(50n, { passMs: 2_100 })).toMatchObject({
    kind: 'short',
    transient: false,
    levels: [{ level: 'member', code: 'MEMBER_SPEND_LIMIT_EXCEEDED', limit: 100n, used: 60n }],
    available: 40n,
  });
  const levels = (await bench.ask(501n, { passMs: 2_100 })) as { levels: readonly { level: string }[] };
  expect(levels.levels.map(({ level }) => level)).toEqual(['project', 'member', 'key']);
  await bench.close(await bench.hold(40n), 40n);
  expect([bench.purse('member').limit, bench.model.receipts.size]).toEqual([100n, 2]);
});

/** A key whose limit of 100 is raised for a time. */
async function raisedFor(durationMs: number, limit = 300n): Promise<Bench> {
  const bench = await new Bench({ credit: 10n ** 9n, key: 100n }).start();
  bench.setLimit('key', 100n, { limit, untilMs: bench.clock.nowMs() + durationMs });
  bench.tellChanges();
  return bench;
}

test('a raised limit holds until its end; then what was spent above the ordinary one stays spent, and no more passes', async () => {
  const bench = await raisedFor(10_000);
  await bench.close(await bench.hold(250n), 150n);
  const open = await bench.hold(20n);
  await bench.pass(10_000);
  expect(await bench.ask(1n, { passMs: 2_100 })).toMatchObject({
    kind: 'short',
    transient: false,
    levels: [{ level: 'key', limit: 100n, used: 150n }],
    available: 0n,
  });
  await bench.close(open, 20n);
  expect(bench.purse('key')).toMatchObject({ leased: 170n, limit: 100n });
  bench.setLimit('key', 200n);
  bench.tellChanges();
  expect((await bench.hold(30n)).amount).toBe(30n);
});

test('slack that was drawn by a raised limit is not held once the raise has ended, even if the database is away', async () => {
  const bench = await raisedFor(10_000, 10n ** 6n);
  const endMs = bench.clock.nowMs() + 10_000;
  for (let count = 0; count < 5; count++) await bench.close(await bench.hold(30n), 30n);
  bench.link.state = 'down';
  await bench.pass(endMs - bench.clock.nowMs() - 1);
  expect(bench.purses.tryHold(bench.key, 1n)).toBeInstanceOf(Hold);
  await bench.pass(1);
  expect(bench.purses.tryHold(bench.key, 1n)).toBeNull();
  expect(bench.purses.tryHold(bench.key, 0n)).toBeInstanceOf(Hold);
});

test('a hold that waits for slack which comes free after the end of a raise is not placed above the ordinary limit', async () => {
  const bench = await raisedFor(10_000);
  const open = await bench.hold(290n);
  await bench.pass(9_500);
  const waiting = asking(bench, 60n);
  await bench.pass(501);
  const closed = open.close(receiptDraft(bench.key, 90n));
  await bench.pass(2_500);
  await closed;
  expect(waiting.answer).toMatchObject({ kind: 'short', levels: [{ level: 'key', limit: 100n }] });
});

test('the reply to a draw from before the end of a raise brings no slack that may be held after it', async () => {
  const bench = await raisedFor(10_000);
  await bench.close(await bench.hold(120n), 120n);
  await bench.pass(9_800);
  bench.link.roundTripMs = 500;
  const waiting = asking(bench, 100n);
  await bench.pass(3_500);
  expect(waiting.answer).toMatchObject({ kind: 'short', levels: [{ level: 'key', limit: 100n, used: 120n }] });
});

test('a raise that is extended or withdrawn holds as long as was said last', async () => {
  const bench = await raisedFor(10_000);
  bench.setLimit('key', 100n, { limit: 300n, untilMs: bench.clock.nowMs() + 20_000 });
  bench.tellChanges();
  await bench.pass(12_000);
  const hold = await bench.hold(250n);
  await bench.close(hold, 10n);
  bench.setLimit('key', 100n);
  bench.tellChanges();
  await bench.pass(100);
  expect(await bench.ask(91n, { passMs: 2_100 })).toMatchObject({ kind: 'short' });
  expect((await bench.hold(90n)).amount).toBe(90n);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'however two processes hold and wait, none places a hold above the ordinary limit once a raise has ended (%i)',
  async (seed) => {
    const random = new Random(seed);
    const here = await raisedFor(3_000);
    const endMs = here.clock.nowMs() + 3_000;
    const there = await new Bench({}, { beside: here }).start();
    const open: { bench: Bench; hold: Hold }[] = [];
    const askings = new Set<{ bench: Bench; asked: Asking }>();
    let [charged, late] = [0n, 0];
    const look = (): void => {
      for (const each of askings) {
        const { bench, asked } = each;
        if (asked.answer === null) continue;
        askings.delete(each);
        if (!(asked.answer instanceof Hold)) continue;
        open.push({ bench, hold: asked.answer });
        const all = charged + open.reduce((sum, { hold }) => sum + hold.amount, 0n);
        const isOver = here.clock.nowMs() > endMs;
        if (isOver) late += 1;
        expect(all).toBeLessThanOrEqual(isOver ? 100n : 300n);
      }
    };
    for (let step = 0; step < 220; step++) {
      const bench = random.pick([here, there]);
      const closing = random.chance(0.5) ? open.splice(random.between(0, open.length), 1)[0] : undefined;
      if (closing !== undefined) {
        const charge = random.amount(closing.hold.amount / 40n);
        closing.hold.close(receiptDraft(closing.bench.key, charge)).catch(() => undefined);
        charged += charge;
      } else if (askings.size < 6) askings.add({ bench, asked: asking(bench, random.amount(80n)) });
      for (const each of [here, there]) each.tellChanges();
      // Answers are looked at each millisecond, so that each hold is judged by what was open when it was placed.
      for (let passed = random.pick([0, 1, 5, 20, 60, 150]); passed >= 0; passed--) {
        await here.pass(1);
        look();
      }
    }
    expect([here.faults, there.faults]).toEqual([[], []]);
    expect(late).toBeGreaterThan(0);
  },
);

test('holds close once, with a charge that is within them', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  const hold = await bench.hold(60n);
  expect(() => hold.close(receiptDraft(bench.key, 61n))).toThrow('a charge is within its hold');
  expect(() => hold.close(receiptDraft(bench.key, -1n))).toThrow('a charge is within its hold');
  expect(hold.isClosed).toBe(false);
  await bench.close(hold, 60n);
  expect(() => hold.close(receiptDraft(bench.key, 0n))).toThrow('a hold closes once');
  expect(bench.model.receipts.size).toBe(1);
});

test('holds that wait for their key keep no credit from those of other keys', async () => {
  const bench = await new Bench({ credit: 100n, key: 50n }).start();
  const first = await bench.hold(40n);
  expect(await bench.ask(45n, { passMs: 60 })).toBeNull();
  expect((await bench.hold(60n, bench.otherKey)).amount).toBe(60n);
  await bench.close(first, 0n);
});

test('holds that wait for credit keep nothing of their key’s month from other processes', async () => {
  const here = await new Bench({ credit: 200n, key: 100n }).start();
  const there = await new Bench({}, { beside: here }).start();
  const first = await here.hold(150n, here.otherKey);
  expect(await here.ask(70n, { passMs: 60 })).toBeNull();
  expect(await there.ask(40n, { passMs: 60 })).toBeInstanceOf(Hold);
  await here.close(first, 0n, here.otherKey);
});

test('holds that have waited for a window which is over are placed where the next one has slack', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, key: 10_000n }, { startMs: Date.UTC(2027, 1, 1) - 1_000 }).start();
  await bench.hold(9_990n);
  const asked = bench.ask(50n, { passMs: 2_010 });
  await bench.pass(1_000);
  await bench.acquaint(1_000n);
  expect(await asked).toBeInstanceOf(Hold);
});

test('holds wait for others to close, and go as soon as one does, the oldest that fits first', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  const first = await bench.hold(90n);
  const order: string[] = [];
  const wait = (name: string, amount: bigint): void => {
    bench.purses.hold(bench.key, amount).then(
      (said) => order.push(said instanceof Hold ? name : said.kind),
      (fault: unknown) => bench.faults.push(fault),
    );
  };
  for (const [name, amount] of [
    ['older', 60n],
    ['large', 95n],
    ['younger', 20n],
  ] as const)
    wait(name, amount);
  await bench.pass(500);
  expect(order).toEqual([]);
  await bench.close(first, 10n);
  expect(order).toEqual(['older', 'younger']);
  await bench.pass(1_600);
  expect(order).toEqual(['older', 'younger', 'short']);
});

test('holds that wait with too little slack at hand ask the database at their pace, not without pause', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  const [one, other] = [await bench.hold(50n), await bench.hold(50n)];
  await bench.close(one, 10n);
  const before = bench.link.sent.draws;
  expect(await bench.ask(60n, { passMs: 1_900 })).toBeNull();
  expect(bench.link.sent.draws - before).toBeLessThanOrEqual(2 * (1_900 / 50));
  await bench.close(other, 0n);
});

test('holds that have what they need of one purse and wait for another ask at their pace as well', async () => {
  const bench = await new Bench({ credit: 100n, key: 60n }).start();
  const first = await bench.hold(60n, bench.otherKey);
  const before = bench.link.sent.draws;
  expect(await bench.ask(50n, { passMs: 1_900 })).toBeNull();
  expect(bench.link.sent.draws - before).toBeLessThanOrEqual(2 * (1_900 / 50));
  await bench.close(first, 0n, bench.otherKey);
});

test('holds draw again, without a pause, what others have taken of one purse while they waited for another', async () => {
  const { bench, waiting, freeKey } = await waitingForKeyWhileCreditIsTaken();
  await bench.pass(60);
  freeKey();
  await bench.pass(3 * bench.link.roundTripMs);
  expect(waiting.answer).toBeInstanceOf(Hold);
});

test.each([1_945, 1_960])(
  'holds whose time is up while the draw is under way that brings the last they need get its answer (%i)',
  async (freeAtMs) => {
    const { bench, waiting, freeKey } = await waitingForKeyWhileCreditIsTaken();
    await bench.pass(freeAtMs);
    bench.link.roundTripMs = 30;
    freeKey();
    await bench.pass(2_000 - freeAtMs);
    expect(waiting.answer).toBeNull();
    await bench.pass(30);
    expect(waiting.answer).toBeInstanceOf(Hold);
  },
);

test('holds whose time is up while the last that they need is drawn wait for no answer that does not come', async () => {
  const { bench, waiting, freeKey } = await waitingForKeyWhileCreditIsTaken();
  await bench.pass(1_960);
  bench.link.roundTripMs = 30;
  freeKey();
  // The answer on the key comes, that on the credit does not.
  await bench.pass(22);
  bench.link.state = 'silent';
  await bench.pass(600);
  expect(waiting.answer).toEqual(UNAVAILABLE);
});

test.each([0, 1, 2, 3, 25])(
  'holds that wait at two processes, %i ms apart, for the same scarce purses do not block each other',
  async (apartMs) => {
    const [here, there] = await twoThatTakeOneEach(apartMs);
    await here.bench.pass(1_500);
    expect([here.answer, there.answer].filter((answer) => answer instanceof Hold)).toHaveLength(1);
  },
);

test('holds that still wait when their window ends go on in the next', async () => {
  const bench = await new Bench({ credit: 1_000n, key: 100n }, { startMs: Date.UTC(2027, 1, 1) - 1_000 }).start();
  const january = await bench.hold(90n);
  const waiting = bench.purses.hold(bench.key, 50n);
  await bench.pass(2_200);
  expect(await waiting).toBeInstanceOf(Hold);
  await bench.close(january, 90n);
  expect(bench.purse('key')).toMatchObject({ leased: 90n });
});

test('holds beyond a thousand that wait are refused immediately, as for now', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.hold(90n);
  for (let count = 0; count < 1_000; count++) await bench.ask(50n, { passMs: 0 });
  expect(await bench.ask(50n, { passMs: 0 })).toMatchObject({ kind: 'short', transient: true });
});

test('holds beyond a thousand that wait are refused by what is known: the level without slack, or nothing', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.hold(90n);
  for (let count = 0; count < 1_000; count++) await bench.ask(50n, { passMs: 0 });
  await bench.pass(10);
  const refusal = await bench.ask(5n, { passMs: 0 });
  expect(refusal).toMatchObject({ kind: 'short', transient: true, available: 10n, levels: [{ level: 'workspace' }] });
  // Its purse has never been seen, and those that have been have the money.
  expect(await bench.ask(5n, { passMs: 0, by: bench.otherKey })).toEqual(UNAVAILABLE);
  expect(await bench.ask(50n, { passMs: 0, by: bench.otherKey })).toMatchObject({ kind: 'short', available: 10n });
});

/** The answer within this many milliseconds, without waiting for other holds. */
async function drawing<Answer>(bench: Bench, asked: Promise<Answer>): Promise<Answer | 'nothing yet'> {
  let answer: Answer | 'nothing yet' = 'nothing yet';
  asked.then(
    (said) => {
      answer = said;
    },
    (fault: unknown) => bench.faults.push(fault),
  );
  await bench.pass(20);
  return answer;
}

test('a hold that waits for no others is drawn from what its purses have, and is not placed where they lack it now', async () => {
  const bench = await new Bench({ credit: 10_000n }).start();
  await bench.acquaint(10n);
  const { draws } = bench.link.sent;
  const first = await bench.purses.drawHold(bench.key, 10n);
  expect(first?.amount).toBe(10n);
  const second = await drawing(bench, bench.purses.drawHold(bench.key, 9_000n));
  expect(second).toMatchObject({ amount: 9_000n });
  expect(bench.link.sent.draws).toBeGreaterThan(draws);
  expect(await drawing(bench, bench.purses.drawHold(bench.key, 1_000n))).toBeNull();
  // Nothing is kept of what was drawn to find that out.
  await bench.pass(100);
  expect(bench.purse('credit').leased).toBe(9_010n);
});

test('a hold that waits for no others is only found to fit where none is to be placed', async () => {
  const bench = await new Bench({ credit: 10_000n }).start();
  await bench.acquaint(10n);
  const { draws } = bench.link.sent;
  expect(await bench.purses.drawProbe(bench.key, 10n)).toBe(true);
  expect(bench.link.sent.draws).toBe(draws);
  expect(await drawing(bench, bench.purses.drawProbe(bench.key, 9_000n))).toBe(true);
  expect(bench.link.sent.draws).toBeGreaterThan(draws);
  expect(bench.life.isOver).toBe(true);
  await bench.hold(9_000n);
  expect(bench.life.isOver).toBe(false);
  expect(await drawing(bench, bench.purses.drawProbe(bench.key, 1_001n))).toBe(false);
});

test('a hold that waits for no others waits for no database either that has not answered', async () => {
  const bench = await new Bench({ credit: 10_000n }).start({ epochMs: 60_000 });
  await bench.acquaint(10n);
  bench.link.state = 'down';
  asking(bench, 9_000n);
  await bench.pass(100);
  expect(await bench.purses.drawHold(bench.key, 9_000n)).toBeNull();
  expect(await bench.purses.drawProbe(bench.key, 9_000n)).toBe(false);
  expect((await bench.purses.drawHold(bench.key, 10n))?.amount).toBe(10n);
});

test('a probe waits as a hold does and says the same, but holds nothing', async () => {
  const bench = await new Bench({ credit: 10_000n }).start();
  await bench.acquaint(10n);
  const { draws } = bench.link.sent;
  expect(await bench.purses.probe(bench.key, 10n)).toBeNull();
  expect(bench.link.sent.draws).toBe(draws);
  expect(await drawing(bench, bench.purses.probe(bench.key, 9_000n))).toBeNull();
  expect(bench.life.isOver).toBe(true);
  const held = await bench.hold(9_000n);
  const probe = bench.purses.probe(bench.key, 5_000n);
  expect(await drawing(bench, probe)).toBe('nothing yet');
  await bench.close(held, 4_000n);
  expect(await probe).toBeNull();
  expect(bench.life.isOver).toBe(true);
  expect(await drawing(bench, bench.purses.probe(bench.key, 6_001n))).toMatchObject({
    kind: 'short',
    transient: false,
  });
  await bench.pass(4_000);
  expect(bench.purse('credit').leased - 4_000n).toBeLessThan(1_000n);
});

test('a process is over once each hold has closed, however many it had', async () => {
  const bench = await new Bench({ credit: 10_000n }).start();
  expect(bench.life.isOver).toBe(true);
  const [one, other] = [await bench.hold(10n), await bench.hold(10n)];
  await bench.close(one, 0n);
  expect(bench.life.isOver).toBe(false);
  await bench.close(other, 0n);
  expect(bench.life.isOver).toBe(true);
});

test('a lease that runs low by a hold is drawn then, so that the next one need not wait', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, project: 10n ** 9n, key: 10n ** 9n }).start();
  await bench.acquaint(10n);
  const { draws } = bench.link.sent;
  await bench.close(await bench.hold(40n), 40n);
  expect(bench.link.sent.draws).toBe(draws);
  // 40 are left of 80, and as much was charged a moment ago.
  expect(bench.purses.tryHold(bench.key, 20n)).toBeInstanceOf(Hold);
  expect(bench.purses.tryHold(bench.key, 100n)).toBeNull();
  await bench.pass(10);
  expect(bench.link.sent.draws).toBe(draws + 1);
  expect(bench.purses.tryHold(bench.key, 100n)).toBeInstanceOf(Hold);
});

test('a refusal is for good as soon as no other hold could make room, and names what lacks', async () => {
  const bench = await new Bench({ credit: 1_000n, project: 100n }).start();
  await bench.close(await bench.hold(50n), 40n);
  expect(await bench.ask(61n, { passMs: 100 })).toEqual({
    kind: 'short',
    transient: false,
    available: 60n,
    levels: [{ level: 'project', code: 'PROJECT_BUDGET_EXCEEDED', limit: 100n, used: 40n, held: 0n, resetsAtMs: null }],
  });
});

test('a refusal is for now where holds are in the way, after the time that one waits', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.hold(50n);
  expect(await bench.ask(60n, { passMs: 1_999 })).toBeNull();
  await bench.pass(10);
  expect(await bench.ask(60n, { passMs: 2_010 })).toMatchObject({
    kind: 'short',
    transient: true,
    available: 50n,
    levels: [{ level: 'workspace', limit: 100n, used: 0n, held: 50n }],
  });
});

test('a refusal is for good where one purse is spent, though another of the caller’s has never been heard of', async () => {
  const bench = await new Bench({ credit: 100n, key: 1_000n }).start();
  await bench.close(await bench.hold(60n), 60n);
  // A draw that the database refuses goes in parts: the credit's part is answered before that of the new key.
  bench.link.refused.add(bench.key.keyId);
  const asked = asking(bench, 50n, bench.otherKey);
  asking(bench, 900n);
  await bench.pass(10);
  expect(asked.answer).toMatchObject({ kind: 'short', transient: false, levels: [{ level: 'workspace' }] });
});

test.each(['hold', 'drawHold'] as const)(
  'what was drawn for a hold that ends without it goes back immediately if its purse is dry: %s',
  async (way) => {
    const bench = await new Bench({ credit: 100n, key: 1_000n }).start();
    bench.link.refused.add(bench.key.keyId);
    const asked = bench.purses[way](bench.key, 60n);
    await bench.pass(20);
    expect(await asked).not.toBeInstanceOf(Hold);
    expect(bench.purse('credit')).toMatchObject({ leased: 0n });
  },
);

test('a question whether a hold would fit keeps nothing of a dry purse', async () => {
  for (const way of ['probe', 'drawProbe', 'lacks'] as const) {
    const bench = await new Bench({ credit: 100n, key: 1_000n }).start();
    await bench.acquaint(1n);
    const asked = bench.purses[way](bench.key, 90n);
    await bench.pass(20);
    expect([way, await asked]).toEqual([way, way === 'drawProbe' ? true : null]);
    expect(bench.purse('credit')).toMatchObject({ leased: 0n });
  }
});

test('a refusal does not rest on what the database said before the request came', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.close(await bench.hold(90n), 90n);
  bench.link.roundTripMs = 100;
  // The draw in progress sees the old limit, but the money is there before the request.
  bench.tellChanges();
  bench.purses.everyPurseChanged();
  await bench.pass(60);
  bench.setLimit('credit', 200n);
  expect(await bench.ask(50n, { passMs: 200 })).toBeInstanceOf(Hold);
});

test('a refusal counts no charge twice that the database takes late while a draw is under way', async () => {
  const bench = await new Bench({ credit: 200n }).start();
  const [charged, held] = [await bench.hold(60n), await bench.hold(80n)];
  bench.model.settle = () => {
    throw new ClaimGone('another request has its claim');
  };
  // What a late charge takes of its purse counts as spent by others.
  bench.link.settlesLate = ([receipt]) => {
    bench.model.purseOf(receipt!.creditPurseId).spent += receipt!.charge;
  };
  const durable = charged.close(receiptDraft(bench.key, 60n));
  const waiting = asking(bench, 120n);
  await bench.pass(100);
  await durable;
  expect(waiting.answer).toBeNull();
  held.close(receiptDraft(bench.key, 0n)).catch((fault: unknown) => bench.faults.push(fault));
  await bench.pass(100);
  expect(waiting.answer).toBeInstanceOf(Hold);
});

test('a refusal is no verdict on money while the database says nothing', async () => {
  for (const state of ['silent', 'down'] as const) {
    const bench = await new Bench({ credit: 100n }).start();
    await bench.hold(90n);
    bench.link.state = state;
    expect(await bench.ask(50n, { passMs: 2_100 })).toEqual(UNAVAILABLE);
    expect(await bench.ask(5n, { passMs: 2_100, by: bench.otherKey })).toEqual(UNAVAILABLE);
  }
});

test('a limit that comes while an open lease is drawn finds what is held and charged by then, and no more', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  const [one, other] = [await bench.hold(30n), await bench.hold(40n)];
  bench.link.roundTripMs = 100;
  bench.setLimit('key', 100n);
  bench.tellChanges();
  await bench.pass(10);
  // The reply is on its way: it must count what is held in that time.
  expect(await bench.ask(20n, { passMs: 20 })).toBeNull();
  await bench.pass(200);
  expect(await bench.ask(20n, { passMs: 2_000 })).toMatchObject({ kind: 'short', transient: true });
  await bench.close(one, 30n);
  await bench.close(other, 40n);
  expect(bench.purse('key')).toMatchObject({ limit: 100n, leased: 100n - 10n });
  expect(bench.faults).toEqual([]);
});

test('a limit that comes between a draw and its repeat leaves open what the database has open', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  const first = await bench.hold(30n);
  bench.link.lost = 1;
  bench.purses.everyPurseChanged();
  await bench.pass(2);
  bench.setLimit('key', 100n);
  await bench.pass(100);
  const second = await bench.hold(50n);
  await bench.close(first, 30n);
  await bench.close(second, 50n);
  expect(await bench.ask(21n, { passMs: 100 })).toMatchObject({ kind: 'short', transient: false });
  expect(bench.faults).toEqual([]);
});

test('a limit that comes while the first draw of its purse is answered takes back what was drawn ahead', async () => {
  const bench = await new Bench({ credit: 1_000n, key: 500n }).start();
  bench.link.roundTripMs = 40;
  const acquainted = bench.purses.acquaint(bench.key, 20n);
  // The draw has taken effect, and its reply is on the way.
  await bench.pass(25);
  expect(bench.purse('key').leased).toBeGreaterThan(0n);
  bench.setLimit('key', 400n);
  bench.tellChanges();
  await bench.pass(200);
  await acquainted;
  expect(bench.purse('key')).toMatchObject({ limit: 400n, leased: 0n });
});

test('a limit that goes between a draw and its repeat does not let the lease spend what it was not given', async () => {
  const bench = await new Bench({ credit: 1_000n, key: 100n }).start();
  const first = await bench.hold(30n);
  bench.link.lost = 1;
  bench.purses.everyPurseChanged();
  await bench.pass(2);
  bench.setLimit('key', null);
  await bench.pass(100);
  const second = await bench.hold(500n);
  await bench.close(second, 500n);
  await bench.close(first, 30n);
  expect(bench.faults).toEqual([]);
});

test('a limit that is raised lets those go on who wait for it', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.hold(90n);
  const waiting = bench.purses.hold(bench.key, 50n);
  await bench.pass(100);
  bench.setLimit('credit', 200n);
  await bench.pass(100);
  expect(await waiting).toBeInstanceOf(Hold);
});

test('slack goes back when idle, though a long hold is open beside it', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  await bench.acquaint(10n);
  const long = await bench.hold(10n);
  expect(bench.purse('credit').leased).toBeGreaterThan(10n);
  await bench.pass(4_000);
  expect(bench.purse('credit').leased).toBe(10n);
  await bench.close(long, 5n);
});

test('slack goes back when idle, though it comes free long after the last draw', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  const long = await bench.hold(100n);
  await bench.pass(4_000);
  expect(bench.purse('credit').leased).toBe(100n);
  await bench.close(long, 5n);
  expect(bench.purse('credit').leased).toBe(100n);
  await bench.pass(4_000);
  expect(bench.purse('credit').leased).toBe(5n);
});

test('slack of a dry purse goes back immediately', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  await bench.close(await bench.hold(80n), 30n);
  expect(bench.purse('credit')).toMatchObject({ leased: 30n });
});

test('slack of a dry purse that is too little for those who wait here is there for those who wait elsewhere', async () => {
  const here = await new Bench({ credit: 100n }).start();
  const elsewhere = await new Bench({}, { beside: here }).start();
  const first = await here.hold(50n);
  await elsewhere.hold(50n);
  const [here60, elsewhere40] = [here.purses.hold(here.key, 60n), elsewhere.purses.hold(here.key, 40n)];
  await here.pass(100);
  await here.close(first, 0n);
  await here.pass(200);
  expect(await elsewhere40).toBeInstanceOf(Hold);
  await here.pass(2_000);
  expect(await here60).toMatchObject({ kind: 'short', transient: true });
});

test('slack that a refused receipt leaves is there for those who wait', async () => {
  const bench = await new Bench({ credit: 100n }).start();
  const first = await bench.hold(90n);
  bench.model.settle = () => {
    throw new TypeError('not a receipt');
  };
  const waiting = bench.purses.hold(bench.key, 50n);
  await bench.pass(10);
  const refused = first.close(receiptDraft(bench.key, 50n)).catch((fault: unknown) => fault);
  await bench.pass(10);
  expect(await refused).toBeInstanceOf(TypeError);
  expect(await waiting).toBeInstanceOf(Hold);
});

test('a purse that the database refuses to draw from is an immediate 503 for its users, and holds up nobody else', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, key: 1_000n }).start();
  bench.link.refused.add(bench.key.keyId);
  expect(await bench.ask(60n, { passMs: 30 })).toEqual(UNAVAILABLE);
  expect(await bench.ask(60n, { passMs: 1 })).toEqual(UNAVAILABLE);
  expect((await bench.hold(60n, bench.otherKey)).amount).toBe(60n);
  expect(bench.refusedPurses).toEqual([bench.key.keyId]);
  expect(bench.faults).toEqual([]);
});

test('a purse that the database refuses to draw from is asked for again after a while, not all the time', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, key: 1_000n }).start();
  bench.link.refused.add(bench.key.keyId);
  await bench.ask(60n, { passMs: 30 });
  const { draws } = bench.link.sent;
  for (let count = 0; count < 40; count++) await bench.ask(60n, { passMs: 100 });
  expect(bench.link.sent.draws).toBe(draws);
  bench.link.refused.clear();
  await bench.pass(1_100);
  expect((await bench.hold(60n)).amount).toBe(60n);
});

test('a purse that the database refuses to draw from gets back what was due then, though a timer comes early', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  await bench.acquaint(10n);
  expect(bench.purse('credit').leased).toBeGreaterThan(0n);
  const after = bench.clock.after.bind(bench.clock);
  bench.clock.after = (delayMs, task) => after(delayMs * 0.9999, task);
  bench.link.refused.add(bench.workspaceId);
  await bench.pass(3_000);
  bench.link.refused.clear();
  await bench.pass(6_000);
  expect(bench.purse('credit').leased).toBe(0n);
});

test('a purse that the database refuses to draw from keeps what was drawn from it before', async () => {
  const bench = await new Bench({ credit: 10n ** 9n, project: 10n ** 9n, key: 10n ** 9n }).start();
  await bench.acquaint(60n);
  bench.link.refused.add(bench.key.keyId);
  for (let count = 0; count < 8; count++) {
    const hold = await bench.hold(60n);
    if (count === 0) await bench.close(hold, 10n);
  }
  expect(bench.model.receipts.size).toBe(1);
});

test('a lease that nobody needs any more is closed, and the next of its purse is a new one', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  await bench.close(await bench.hold(100n), 40n);
  await bench.pass(11 * 60_000);
  expect(bench.purse('credit')).toMatchObject({ spent: 40n, leased: 0n });
  await bench.close(await bench.hold(100n), 50n);
  await bench.pass(11 * 60_000);
  expect(bench.purse('credit')).toMatchObject({ spent: 90n, leased: 0n });
  expect(bench.faults).toEqual([]);
});

test('a lease is closed before the next one of its purse is drawn, though the draw would overtake that', async () => {
  const bench = await new Bench({ credit: 1_000n, key: 500n }).start({ holdWaitMs: 20_000 });
  await bench.close(await bench.hold(100n), 40n);
  // Its slack goes back after some two seconds; it is closed ten minutes after that.
  await bench.pass(10 * 60_000 + 2_450);
  const { releases } = bench.link.sent;
  bench.link.roundTripMs = 3_000;
  while (bench.link.sent.releases === releases) await bench.pass(100);
  bench.link.roundTripMs = 2;
  const next = asking(bench, 100n);
  await bench.pass(1_000);
  expect(next.answer).toBeNull();
  await bench.pass(3_000);
  if (!(next.answer instanceof Hold)) throw new Error('the hold was not placed');
  await bench.close(next.answer, 50n);
  await bench.pass(11 * 60_000);
  expect(bench.purse('key')).toMatchObject({ spent: 90n, leased: 0n });
  expect(bench.faults).toEqual([]);
});

test('a lease is not closed while a draw of it has no answer', async () => {
  const bench = await new Bench({ credit: 1_000n }).start({ epochMs: 24 * 3_600_000 });
  await bench.close(await bench.hold(100n), 40n);
  bench.purses.everyPurseChanged();
  bench.link.state = 'down';
  await bench.pass(11 * 60_000);
  bench.link.state = 'up';
  await bench.pass(100);
  await bench.close(await bench.hold(100n), 50n);
  expect(bench.purse('credit')).toMatchObject({ spent: 0n });
  await bench.pass(11 * 60_000);
  expect(bench.purse('credit')).toMatchObject({ spent: 90n, leased: 0n });
  expect(bench.faults).toEqual([]);
});

test('a draw that takes effect once more, late finds its lease, so that nothing is leased which nobody knows of', async () => {
  const bench = await new Bench({ credit: 1_000n }).start();
  await bench.close(await bench.hold(100n), 40n);
  await bench.pass(10 * 60_000 - 500);
  bench.purses.everyPurseChanged();
  await bench.pass(3_000);
  bench.link.drawLate();
  await bench.pass(11 * 60_000);
  expect(bench.purse('credit')).toMatchObject({ spent: 40n, leased: 0n });
  expect(bench.faults).toEqual([]);
});

test('a process holds nothing once its last answered heartbeat is as old as the time-out, though somebody waits', async () => {
  const bench = await new Bench({ credit: 100n }).start({ epochMs: 1_000 });
  const first = await bench.hold(90n);
  bench.link.state = 'down';
  const waiting = bench.purses.hold(bench.key, 50n);
  while (bench.purses.fits(bench.key, 0n)) await bench.pass(1);
  first.close(receiptDraft(bench.key, 0n)).catch((fault: unknown) => bench.faults.push(fault));
  await bench.pass(0);
  expect(await waiting).toEqual(UNAVAILABLE);
  expect(bench.purses.tryHold(bench.key, 1n)).toBeNull();
  expect(await bench.ask(1n, { passMs: 0 })).toEqual(UNAVAILABLE);
  bench.link.state = 'up';
  await bench.pass(1_000);
  expect(await bench.ask(50n)).toBeInstanceOf(Hold);
});

test('a process holds nothing more while fifty thousand charges wait in its memory, and goes on once they are taken', async () => {
  const bench = await new Bench({ credit: 10n ** 12n }).start();
  await bench.acquaint(10n ** 6n);
  bench.link.state = 'silent';
  const closeOne = (): void => {
    const hold = bench.purses.tryHold(bench.key, 1n);
    expect(hold).not.toBeNull();
    hold?.close(receiptDraft(bench.key, 0n)).catch((fault: unknown) => bench.faults.push(fault));
  };
  for (let count = 0; count < 49_999; count++) closeOne();
  expect(bench.purses.fits(bench.key, 1n)).toBe(true);
  closeOne();
  expect(bench.purses.fits(bench.key, 1n)).toBe(false);
  expect(bench.purses.tryHold(bench.key, 1n)).toBeNull();
  expect(await bench.ask(1n, { passMs: 0 })).toEqual(UNAVAILABLE);
});

test('a process outlives a heartbeat that hangs, because the next one is sent all the same', async () => {
  const bench = await new Bench({ credit: 100n }).start({ epochMs: 6_000 });
  bench.link.isDeaf = true;
  await bench.pass(1_500);
  bench.link.isDeaf = false;
  await bench.pass(6_000);
  expect(await bench.ask(50n)).toBeInstanceOf(Hold);
});

test('a process that is fenced holds nothing from the moment it hears of it', async () => {
  const bench = await new Bench({ credit: 10_000n }).start();
  await bench.hold(10n);
  bench.model.fence(1n);
  bench.purses.everyPurseChanged();
  await bench.pass(10);
  expect(bench.purses.tryHold(bench.key, 1n)).toBeNull();
  expect(await bench.ask(1n, { passMs: 0 })).toEqual(UNAVAILABLE);
});

test('a process that stops ends those who wait, settles what is left, and is done though the database is away', async () => {
  for (const state of ['up', 'down'] as const) {
    const bench = await new Bench({ credit: 100n }).start();
    const first = await bench.hold(90n);
    const waiting = bench.purses.hold(bench.key, 50n);
    await bench.pass(20);
    bench.link.state = state;
    const closed = first.close(receiptDraft(bench.key, 60n));
    let stopped = false;
    const stopping = bench.life.stop().then(() => {
      stopped = true;
    });
    expect(await waiting).toEqual(UNAVAILABLE);
    await bench.pass(10_000);
    expect(stopped).toBe(true);
    await Promise.all([stopping, closed]);
    expect(bench.model.receipts.size).toBe(state === 'up' ? 1 : 0);
    expect(bench.faults).toEqual([]);
  }
});
