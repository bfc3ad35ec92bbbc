import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { ModelPermitStore } from '../../../../test/support/model-permit-store.ts';
import type { RateLimits } from '../../../domain/principal.ts';
import { DatabaseUnavailable, SqlFault } from '../../../lib/sql.ts';
import { Permit, type RateExceeded } from './permit.ts';
import { NO_STOCK, type PermitDraw, type PermitReply, type PermitStore } from '../ports/database.ts';
import { type PermitOutcome, RateLimiter } from './rate-limiter.ts';

const ANSWER_MS = 200;
const LATENCY_MS = 20;
const NOTHING_LEFT = { requestParts: 0, tokenParts: null, slots: null };
const NONE: RateLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** The model behind a network that the test can cut, before a draw takes effect or after it. */
class Link implements PermitStore {
  readonly #store: PermitStore;
  readonly #clock: ManualClock;
  state: 'up' | 'slow' | 'down' | 'replies_lost' | 'silent' | 'busy' = 'up';
  draws = 0;
  /** How many replies will be lost. */
  lost = 0;

  constructor(store: PermitStore, clock: ManualClock) {
    this.#store = store;
    this.#clock = clock;
  }

  async drawPermits(epochId: bigint, draws: readonly PermitDraw[]): Promise<readonly (PermitReply | null)[]> {
    this.draws += 1;
    if (this.state === 'silent') return await new Promise(() => undefined);
    if (this.state === 'busy') return draws.map(() => null);
    if (this.state === 'down') throw new DatabaseUnavailable('cut');
    const replies = await this.#store.drawPermits(epochId, draws);
    if (this.state === 'slow') await new Promise<void>((resolve) => this.#clock.after(LATENCY_MS, resolve));
    if (this.state === 'replies_lost' || this.lost > 0) {
      this.lost = Math.max(0, this.lost - 1);
      throw new DatabaseUnavailable('cut');
    }
    return replies;
  }
}

interface Process {
  readonly permits: RateLimiter;
  readonly link: Link;
  readonly epoch: { readonly id: bigint; isLive: boolean };
}

class World {
  readonly clock = new ManualClock();
  readonly store = new ModelPermitStore(() => this.clock.nowMs());
  readonly processes: Process[] = [];
  limits: RateLimits = NONE;

  constructor(limits: Partial<RateLimits>, processes = 1) {
    this.setLimits(limits);
    for (let number = 1; number <= processes; number++) this.begin();
  }

  /** Changes the project's limits; callers have the new ones immediately. */
  setLimits(limits: Partial<RateLimits>): void {
    this.limits = { ...NONE, ...limits };
    this.store.setLimits('project', this.limits);
  }

  begin(): Process {
    const link = new Link(this.store, this.clock);
    const epoch = { id: BigInt(this.processes.length + 1), isLive: true };
    const onFault = (fault: unknown): void => {
      throw fault;
    };
    const permits = new RateLimiter({
      store: link,
      clock: this.clock,
      epoch,
      answerMs: ANSWER_MS,
      events: { projectRefused: onFault, failed: onFault },
    });
    const process = { permits, link, epoch };
    this.processes.push(process);
    return process;
  }

  async take(number = 0, tokens = 0): Promise<PermitOutcome> {
    const caller = { workspaceId: 'workspace', projectId: 'project', rateLimits: this.limits };
    const taken = this.processes[number]!.permits.take(caller, tokens);
    if (!(taken instanceof Promise)) return taken;
    let isOver = false;
    const over = taken.finally(() => (isOver = true));
    for (let steps = 0; steps < 100; steps++) {
      await this.clock.advance(steps < 5 ? 0 : 10);
      if (isOver) return await over;
    }
    throw new Error('a request was left waiting');
  }

  /** Takes permits until one is refused; returns them and the refusal. */
  async drain(number = 0, tokens = 0): Promise<{ permits: Permit[]; refusal: Exclude<PermitOutcome, Permit> }> {
    const permits: Permit[] = [];
    for (;;) {
      const outcome = await this.take(number, tokens);
      if (!(outcome instanceof Permit)) return { permits, refusal: outcome };
      permits.push(outcome);
    }
  }

  /** Delivers call-backs of stock, as the change feed does. */
  tellCallBacks(): void {
    for (const projectId of this.store.callBacks.splice(0)) {
      for (const { permits } of this.processes) permits.callBack(projectId);
    }
  }
}

const world = (limits: Partial<RateLimits>, processes = 1): World => new World(limits, processes);

test('a project without limits takes permits without a draw', () => {
  const { processes } = world({});
  const caller = { workspaceId: 'workspace', projectId: 'project', rateLimits: NONE };
  expect(processes[0]!.permits.take(caller, 1e9)).toBeInstanceOf(Permit);
  expect(processes[0]!.link.draws).toBe(0);
});

test('while limits are ample, permits are taken synchronously and one draw brings many', async () => {
  const here = world({ requestsPerMinute: 60_000, tokensPerMinute: 60_000_000, concurrency: 100 });
  const [process] = here.processes;
  const caller = { workspaceId: 'workspace', projectId: 'project', rateLimits: here.limits };
  let waits = 0;
  for (let number = 0; number < 1_000; number++) {
    const taken = process!.permits.take(caller, 500);
    if (taken instanceof Promise) waits += 1;
    await here.clock.advance(5);
    const outcome = await taken;
    if (!(outcome instanceof Permit)) throw new Error('refused while limits are ample');
    outcome.finish(100);
  }
  expect(waits).toBeLessThan(5);
  expect(process!.link.draws).toBeLessThan(50);
});

test('a caller that waits exactly as long as it was told gets in, in whichever process', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        requestsPerMinute: fc.option(fc.integer({ min: 1, max: 90 })),
        tokensPerMinute: fc.integer({ min: 500, max: 9_000 }),
      }),
      fc.array(fc.record({ process: fc.nat({ max: 2 }), laterMs: fc.nat({ max: 3_000 }) }), { maxLength: 20 }),
      fc.integer({ min: 100, max: 12_000 }),
      fc.nat({ max: 2 }),
      async (limits, traffic, tokens, last) => {
        const here = world(limits, 3);
        for (const { process, laterMs } of traffic) {
          const outcome = await here.take(process, tokens);
          here.tellCallBacks();
          await here.clock.advance(laterMs);
          if (outcome instanceof Permit) outcome.finish(laterMs);
        }
        await here.clock.advance(300);
        const { refusal } = await here.drain(0, tokens);
        await here.clock.advance(250);
        here.tellCallBacks();
        const waited = (refusal as RateExceeded).retryAfterMs - 250;
        if (waited > 0) await here.clock.advance(waited);
        expect(await here.take(last, tokens)).toBeInstanceOf(Permit);
      },
    ),
    { numRuns: 100 },
  );
});

test('a refused request gives its permit back to all processes', async () => {
  const here = world({ requestsPerMinute: 1, concurrency: 1 }, 2);
  const first = await here.take(0);
  expect(await here.take(1)).toMatchObject({ kind: 'exceeded', limit: 'requests', retryAfterMs: 60_000 });
  (first as Permit).giveBack();
  await here.clock.advance(250);
  expect(await here.take(1)).toBeInstanceOf(Permit);
});

test('a refused request gives its tokens back to all processes', async () => {
  const here = world({ tokensPerMinute: 1_000 }, 2);
  const refused = (await here.take(0, 900)) as Permit;
  expect(await here.take(1, 900)).toMatchObject({ kind: 'exceeded', limit: 'tokens', retryAfterMs: 48_000 });
  refused.giveBack();
  here.tellCallBacks();
  await here.clock.advance(1_000);
  expect(await here.take(1, 900)).toBeInstanceOf(Permit);
});

test('a slot that comes free is free for the other process immediately', async () => {
  const here = world({ concurrency: 2 }, 2);
  const { permits, refusal } = await here.drain(0);
  expect(permits).toHaveLength(2);
  expect(refusal).toMatchObject({ limit: 'concurrency', most: 2, retryAfterMs: 1_000 });
  permits[0]!.finish(0);
  await here.clock.advance(0);
  expect(await here.take(1)).toBeInstanceOf(Permit);
  expect(await here.take(1)).toMatchObject({ limit: 'concurrency' });
});

test('a slot that comes free is free for a request that comes while it goes back', async () => {
  const here = world({ concurrency: 1 });
  const permit = (await here.take()) as Permit;
  expect(await here.take()).toMatchObject({ limit: 'concurrency' });
  here.processes[0]!.link.state = 'slow';
  permit.finish(0);
  await here.clock.advance(0);
  expect(await here.take()).toBeInstanceOf(Permit);
});

test('tokens beyond the quote make the next request wait longer, tokens below it shorter', async () => {
  const here = world({ tokensPerMinute: 1_000 });
  const first = (await here.take(0, 400)) as Permit;
  const second = (await here.take(0, 400)) as Permit;
  first.finish(100);
  expect(await here.take(0, 500)).toBeInstanceOf(Permit);
  second.finish(2_400);
  // 1,000 − 100 − 500 − 2,400 = −2,000 tokens; 100 are there again after 126 s.
  expect(await here.take(0, 100)).toMatchObject({ limit: 'tokens', retryAfterMs: 126_000 });
  await here.clock.advance(126_000);
  expect(await here.take(0, 100)).toBeInstanceOf(Permit);
});

test('a refusal is repeated without a draw, but not to a request that would have to wait longer', async () => {
  const here = world({ tokensPerMinute: 1_000 });
  await here.take(0, 1_000);
  expect(await here.take(0, 10)).toMatchObject({ retryAfterMs: 600 });
  const { draws } = here.processes[0]!.link;
  await here.clock.advance(50);
  expect(await here.take(0, 10)).toMatchObject({ retryAfterMs: 550 });
  expect(here.processes[0]!.link.draws).toBe(draws);
  expect(await here.take(0, 500)).toMatchObject({ retryAfterMs: 29_950 });
});

test('stock in another process is called back for a request that needs it', async () => {
  const here = world({ tokensPerMinute: 100_000 }, 2);
  for (let round = 0; round < 10; round++) ((await here.take(0, 1_000)) as Permit).finish(0);
  await here.clock.advance(1_000);
  const refusal = (await here.take(1, 100_000)) as RateExceeded;
  expect(refusal).toMatchObject({ limit: 'tokens' });
  await here.clock.advance(300);
  here.tellCallBacks();
  await here.clock.advance(700);
  expect(await here.take(1, 100_000)).toBeInstanceOf(Permit);
});

test('a quote above the limit needs a full bucket, not a fuller one', async () => {
  const here = world({ tokensPerMinute: 1_000 });
  expect(await here.take(0, 1_000_000)).toBeInstanceOf(Permit);
  expect(await here.take(0, 1_000_000)).toMatchObject({ limit: 'tokens', retryAfterMs: 60_000 });
});

test('idle stock that matters to other processes goes back', async () => {
  const here = world({ requestsPerMinute: 32, concurrency: 40 }, 2);
  for (const number of [0, 1]) ((await here.take(number)) as Permit).finish(0);
  await here.clock.advance(10_000);
  expect((await here.drain(1)).permits).toHaveLength(32);
});

test('a little idle stock stays where it is, so that a rare request costs no draw', async () => {
  const here = world({ requestsPerMinute: 6_000, tokensPerMinute: 600_000, concurrency: 600 });
  for (let count = 0; count < 2; count++) ((await here.take(0, 100)) as Permit).finish(100);
  const [process] = here.processes;
  await here.clock.advance(60_000);
  const { draws } = process!.link;
  const caller = { workspaceId: 'workspace', projectId: 'project', rateLimits: here.limits };
  expect(process!.permits.take(caller, 100)).toBeInstanceOf(Permit);
  expect(process!.link.draws).toBe(draws);
});

test('projects that are idle for long have no stock, and are forgotten', async () => {
  const here = world({ requestsPerMinute: 6_000 }, 2);
  ((await here.take(0)) as Permit).finish(0);
  await here.clock.advance(700_000);
  expect(here.processes[0]!.permits.size).toBe(0);
  expect((await here.drain(1)).permits).toHaveLength(6_000);
});

test('another limit holds from the next request on that knows of it', async () => {
  const here = world({ requestsPerMinute: 1_000 });
  await here.take();
  here.setLimits({ requestsPerMinute: 3 });
  expect((await here.drain()).permits).toHaveLength(3);
  here.setLimits({ requestsPerMinute: 6_000 });
  await here.clock.advance(1_000);
  expect((await here.drain()).permits.length).toBeGreaterThanOrEqual(100);
});

test('another limit holds for those as well who come while the first that knows of it waits for a draw', async () => {
  const here = world({ tokensPerMinute: 100 });
  ((await here.take()) as Permit).finish(0);
  here.setLimits({ requestsPerMinute: 3, concurrency: 1 });
  here.processes[0]!.link.state = 'slow';
  const outcomes = await Promise.all([here.take(), here.take(), here.take()]);
  expect(outcomes.filter((outcome) => outcome instanceof Permit)).toHaveLength(1);
});

test('a limit that is set again as it was holds again, though the process has seen it gone', async () => {
  const limits = { requestsPerMinute: 2 };
  const here = world(limits);
  const [permit] = (await here.drain()).permits;
  here.setLimits({});
  // The return is reported with a draw, which sees that there is no limit.
  permit!.giveBack();
  await here.clock.advance(1_000);
  here.setLimits(limits);
  await here.clock.advance(30_000);
  const outcomes = [await here.take(), await here.take(), await here.take()];
  expect(outcomes.filter((outcome) => outcome instanceof Permit)).toHaveLength(2);
});

test('a request that knows of a new limit has no permit of a draw that does not', async () => {
  const here = world({ requestsPerMinute: 1 });
  await here.take();
  here.store.setLimits('project', NONE);
  const { link } = here.processes[0]!;
  link.state = 'slow';
  const first = here.take();
  await here.clock.advance(LATENCY_MS / 2);
  here.setLimits({ requestsPerMinute: 1, concurrency: 1 });
  const second = here.take();
  const third = here.take();
  expect(await first).toBeInstanceOf(Permit);
  const outcomes = await Promise.all([second, third]);
  expect(outcomes.filter((outcome) => outcome instanceof Permit).length).toBeLessThanOrEqual(1);
});

test('what is known of the limits counts down, and says when all of it is there again', async () => {
  const here = world({ requestsPerMinute: 60, tokensPerMinute: 6_000 });
  const permit = (await here.take(0, 600)) as Permit;
  expect(permit.standing).toEqual({
    requests: { limit: 60, remaining: 59, resetMs: 1_000 },
    tokens: { limit: 6_000, remaining: 5_400, resetMs: 6_000 },
  });
});

test('a process that stops gives its stock of permits back', async () => {
  const here = world({ requestsPerMinute: 100 }, 2);
  ((await here.take(0)) as Permit).finish(0);
  await here.processes[0]!.permits.stop();
  expect((await here.drain(1)).permits).toHaveLength(99);
});

test('a grant that comes when nobody waits for it any more goes back', async () => {
  const here = world({ requestsPerMinute: 1, concurrency: 1 }, 2);
  const { link } = here.processes[0]!;
  link.state = 'slow';
  link.lost = 20;
  expect(await here.take(0)).toEqual({ kind: 'unavailable' });
  link.lost = 0;
  await here.clock.advance(500);
  expect(await here.take(1)).toBeInstanceOf(Permit);
});

test('a lost reply costs nothing: the draw is repeated, and counted once', async () => {
  const here = world({ requestsPerMinute: 3 });
  await here.take();
  const [process] = here.processes;
  process!.link.state = 'replies_lost';
  const outcome = here.take();
  await here.clock.advance(20);
  process!.link.state = 'up';
  await outcome;
  await here.clock.advance(100);
  expect((await here.drain()).permits.length).toBeLessThanOrEqual(2);
});

test('a process without the database lets its share of the rate through for its epoch’s time, and owes it afterwards', async () => {
  const here = world({ requestsPerMinute: 120 }, 2);
  for (let round = 0; round < 30; round++) {
    for (const number of [0, 1]) ((await here.take(number)) as Permit).finish(0);
  }
  await here.drain(0);
  here.processes[0]!.link.state = 'down';
  await here.clock.advance(100);
  await here.drain(0);
  await here.clock.advance(10_000);
  const { permits, refusal } = await here.drain(0);
  // About three quarters of the requests were this process's, and 20 came free in 10 s.
  expect(permits.length).toBeGreaterThan(10);
  expect(permits.length).toBeLessThanOrEqual(20);
  expect(refusal).toMatchObject({ limit: 'requests' });
  await here.clock.advance((refusal as RateExceeded).retryAfterMs);
  expect(await here.take(0)).toBeInstanceOf(Permit);
  here.processes[0]!.link.state = 'up';
  await here.clock.advance(1_000);
  // 22 came free in 11 s; what was let through in that time is debited.
  expect((await here.drain(1)).permits.length).toBeLessThanOrEqual(22 - permits.length + 1);
  here.processes[0]!.link.state = 'down';
  here.processes[0]!.epoch.isLive = false;
  await here.clock.advance(1_000);
  const later = await here.drain(0);
  expect(later.refusal).toEqual({ kind: 'unavailable' });
});

test('a project whose row somebody else has locked has its share of the rate regrow once a request waits for it', async () => {
  const here = world({ requestsPerMinute: 600 });
  await here.drain();
  await here.clock.advance(1_000);
  here.processes[0]!.link.state = 'busy';
  // Two come free in the time that a request waits for an answer.
  expect(await here.take()).toBeInstanceOf(Permit);
  expect(await here.take()).toBeInstanceOf(Permit);
  here.processes[0]!.link.state = 'up';
  await here.clock.advance(1_000);
  // They are debited: 24 came free in all, and the bucket had nothing before.
  expect((await here.drain()).permits.length).toBeLessThanOrEqual(22);
});

test('a project whose row somebody else has locked is judged by the limits that its callers know', async () => {
  const here = world({ requestsPerMinute: 6_000 });
  await here.take();
  here.processes[0]!.link.state = 'busy';
  here.setLimits({ concurrency: 3 });
  expect(await here.drain()).toEqual({ permits: [], refusal: { kind: 'unavailable' } });
  here.setLimits({ requestsPerMinute: 60 });
  // One comes free in a second.
  await here.clock.advance(1_000);
  const { permits, refusal } = await here.drain();
  expect(permits.length).toBeLessThanOrEqual(2);
  expect(refusal).toMatchObject({ limit: 'requests', most: 60 });
});

test.each([true, false])(
  'a place that comes free is taken by nobody while more are taken than a lowered limit has: %j',
  async (isKnown) => {
    const here = world({ concurrency: 5 });
    const running = [await here.take(), await here.take(), await here.take()];
    // Known before the row was locked, or after.
    if (isKnown) {
      here.setLimits({ concurrency: 1 });
      expect(await here.take()).toMatchObject({ kind: 'exceeded', limit: 'concurrency' });
    }
    here.processes[0]!.link.state = 'busy';
    here.setLimits({ concurrency: 1 });
    expect(await here.take()).not.toBeInstanceOf(Permit);
    const ends = running.map((permit) => () => (permit as Permit).finish(0));
    for (const end of ends.slice(0, 2)) {
      end();
      expect(await here.take()).not.toBeInstanceOf(Permit);
    }
    ends[2]!();
    expect(await here.take()).toBeInstanceOf(Permit);
  },
);

test('a place is not said to be lacking where nobody can know: how many are taken elsewhere isn’t known', async () => {
  const here = world({ concurrency: 10 });
  await here.take();
  here.processes[0]!.link.state = 'down';
  await here.clock.advance(1_000);
  expect((await here.drain()).refusal).toEqual({ kind: 'unavailable' });
});

test('a project that was never drawn can’t be judged, whether the database fails or is silent', async () => {
  for (const state of ['down', 'silent'] as const) {
    const here = world({ requestsPerMinute: 120 });
    here.processes[0]!.link.state = state;
    expect(await here.take()).toEqual({ kind: 'unavailable' });
    here.processes[0]!.epoch.isLive = false;
  }
});

const processNumber = fc.nat({ max: 2 });
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      process: processNumber,
      times: fc.integer({ min: 1, max: 12 }),
      tokens: fc.nat({ max: 60 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      from: fc.nat(),
      times: fc.nat({ max: 12 }),
      used: fc.option(fc.nat({ max: 60 })),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 300 }), fc.nat({ max: 9_000 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), process: processNumber }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fence' as const), process: processNumber }) },
);

/** A request that was let through, and what it counts for in the end. */
interface Taken {
  readonly permit: Permit;
  readonly process: number;
  readonly atMs: number;
  readonly quoted: number;
  requests: number;
  tokens: number;
  /** When what it counts for less than it took was given back. */
  correctedMs: number;
}

const took = ({ quoted }: Taken) => ({ requests: 1, tokens: quoted });

function expectWithin(takes: readonly Taken[], kind: 'requests' | 'tokens', perMinute: number | null): void {
  if (perMinute === null) return;
  for (const [from, { atMs: fromMs }] of takes.entries()) {
    const before = takes.slice(0, from);
    let sum = 0;
    for (const { atMs, [kind]: weight } of takes.slice(from)) {
      sum += weight;
      // What was taken before the stretch, and given back in it, may be taken once more.
      const given = before.filter(({ correctedMs }) => correctedMs >= fromMs - LATENCY_MS && correctedMs <= atMs);
      const back = given.reduce((all, taken) => all + took(taken)[kind] - taken[kind], 0);
      // A permit that was granted just before the stretch may have arrived in it.
      expect(sum).toBeLessThanOrEqual(perMinute * (1 + (atMs - fromMs + LATENCY_MS) / 60_000) + back);
    }
  }
}

test('no stretch of time sees more than the limit and what it regains or gets back, nor more running than slots', async () => {
  const limitsOf = fc.record({
    requestsPerMinute: fc.option(fc.integer({ min: 1, max: 60 })),
    tokensPerMinute: fc.option(fc.integer({ min: 60, max: 3_000 })),
    concurrency: fc.option(fc.integer({ min: 1, max: 30 })),
  });
  await fc.assert(
    fc.asyncProperty(limitsOf, fc.array(act, { maxLength: 120 }), async (limits, acts) => {
      const here = world(limits, 3);
      const current = [0, 1, 2];
      const running: Taken[] = [];
      const takes: Taken[] = [];
      const caller = { workspaceId: 'workspace', projectId: 'project', rateLimits: here.limits };
      const take = async (process: number, quoted: number): Promise<void> => {
        const permit = await here.processes[process]!.permits.take(caller, quoted);
        if (!(permit instanceof Permit)) return;
        const atMs = here.clock.nowMs();
        const taken = { permit, process, atMs, quoted, requests: 1, tokens: quoted, correctedMs: Infinity };
        takes.push(taken);
        running.push(taken);
        const live = running.filter((one) => current.includes(one.process));
        expect(live.length).toBeLessThanOrEqual(limits.concurrency ?? Infinity);
      };
      const pending: Promise<void>[] = [];
      for (const { link } of here.processes) link.state = 'slow';
      for (const each of acts) {
        if (each.kind === 'take') {
          for (let time = 0; time < each.times; time++) pending.push(take(current[each.process]!, each.tokens));
        } else if (each.kind === 'wait') {
          await here.clock.advance(each.ms);
          here.tellCallBacks();
        } else if (each.kind === 'fence') {
          const dead = here.processes[current[each.process]!]!;
          here.store.fence(dead.epoch.id);
          dead.epoch.isLive = false;
          dead.link.state = 'silent';
          current[each.process] = here.processes.length;
          here.begin().link.state = 'slow';
        } else if (each.kind === 'lose') {
          const { link } = here.processes[current[each.process]!]!;
          link.lost += 1;
        } else {
          for (const ended of running.splice(each.from % (running.length + 1), each.times)) {
            ended.correctedMs = here.clock.nowMs();
            if (each.used === null) {
              ended.permit.giveBack();
              ended.requests = 0;
              ended.tokens = 0;
            } else {
              ended.tokens = Math.min(ended.quoted, each.used);
              ended.permit.finish(ended.tokens);
            }
          }
        }
      }
      await here.clock.advance(1_000);
      await Promise.all(pending);
      expectWithin(takes, 'requests', limits.requestsPerMinute);
      expectWithin(takes, 'tokens', limits.tokensPerMinute);
    }),
    { numRuns: 300 },
  );
});

const CALLER = { workspaceId: 'workspace', projectId: 'project' };
const FIRST_DRAW = { ...CALLER, taken: 0, running: 0, stock: NO_STOCK, keep: NO_STOCK, needs: [] };
const target = { requests: 2, tokens: 200, slots: 2 };
const returned = { requests: 0, tokens: 0 };

test('a first draw of permits lets the next request through without another one', async () => {
  const here = world({ requestsPerMinute: 6_000, tokensPerMinute: 600_000 });
  const [{ permits, link }] = here.processes as [Process];
  const { permitSequence } = permits.beginFirstDraw();
  const [reply] = await here.store.drawPermits(1n, [{ ...FIRST_DRAW, sequence: permitSequence, target, returned }]);
  permits.learnFirst({ ...CALLER, rateLimits: here.limits }, permitSequence, reply!);
  expect(permits.take({ ...CALLER, rateLimits: here.limits }, 100)).toBeInstanceOf(Permit);
  expect(link.draws).toBe(0);
});

test('a first draw of permits that takes the place of another lets none of its requests through by itself', async () => {
  const here = world({ requestsPerMinute: 32 });
  let isFirst = true;
  const overtaken: PermitStore = {
    async drawPermits(epochId, draws) {
      if (isFirst) {
        const { permitSequence: sequence } = permits.beginFirstDraw();
        await here.store.drawPermits(epochId, [{ ...FIRST_DRAW, sequence, target, returned }]);
      }
      isFirst = false;
      return await here.store.drawPermits(epochId, draws);
    },
  };
  const epoch = { id: 7n, isLive: true };
  const onFault = (fault: unknown): void => {
    throw fault;
  };
  const permits = new RateLimiter({
    store: overtaken,
    clock: here.clock,
    epoch,
    answerMs: ANSWER_MS,
    events: { projectRefused: onFault, failed: onFault },
  });
  const taken = Array.from({ length: 40 }, async () => permits.take({ ...CALLER, rateLimits: here.limits }, 1));
  await here.clock.advance(0);
  expect((await Promise.all(taken)).filter((outcome) => outcome instanceof Permit)).toHaveLength(32);
});

test('a first draw of permits changes nothing for a project that has a lease', async () => {
  const here = world({ requestsPerMinute: 6_000 });
  const [{ permits }] = here.processes as [Process];
  await here.take();
  const { permitSequence } = permits.beginFirstDraw();
  const reply = { limits: here.limits, stock: target, shortages: [], left: NOTHING_LEFT, share: 1 };
  permits.learnFirst({ ...CALLER, rateLimits: here.limits }, permitSequence, reply);
  expect((await here.drain()).permits).toHaveLength(5_999);
});

test.each([{ concurrency: 40 }, {}])(
  'a first draw of permits that has failed takes no place where it takes effect late, whatever the limits: %j',
  async (limits) => {
    const here = world(limits, 2);
    const [{ permits }] = here.processes as [Process, Process];
    const { permitSequence: sequence } = permits.beginFirstDraw();
    permits.outrunFirst(CALLER);
    await here.clock.advance(LATENCY_MS);
    here.setLimits({ concurrency: 40 });
    here.store.drawFirst(1n, [{ ...FIRST_DRAW, sequence, target, returned }]);
    expect((await here.drain(1)).permits).toHaveLength(40);
  },
);

test('a first draw of permits beside a lease gives back what it has brought, places among it', async () => {
  const here = world({ concurrency: 40 }, 2);
  const [{ permits }] = here.processes as [Process, Process];
  ((await here.take()) as Permit).giveBack();
  permits.callBack('project');
  await here.clock.advance(LATENCY_MS);
  const { permitSequence } = permits.beginFirstDraw();
  const [reply] = await here.store.drawPermits(1n, [{ ...FIRST_DRAW, sequence: permitSequence, target, returned }]);
  expect(reply!.stock.slots).toBe(2);
  permits.learnFirst({ ...CALLER, rateLimits: here.limits }, permitSequence, reply!);
  await here.clock.advance(LATENCY_MS);
  expect((await here.drain(1)).permits).toHaveLength(40);
});

test('a project whose limits are locked while they are drawn is remembered until that draw is answered', async () => {
  const here = world({ concurrency: 1 }, 2);
  const [{ permits, link }] = here.processes as [Process, Process];
  const draw = link.drawPermits.bind(link);
  let isLocked = true;
  link.drawPermits = async (epochId, draws) => {
    const free = draws.filter(({ needs }) => !isLocked || needs.length > 0);
    const replies = await draw(epochId, free);
    return draws.map((each) => replies[free.indexOf(each)] ?? null);
  };
  for (let count = 0; count < 2; count++) {
    permits.outrunFirst(CALLER);
    await here.clock.advance(1);
  }
  await here.clock.advance(1_000);
  const waiting = permits.take({ ...CALLER, rateLimits: here.limits }, 0);
  await here.clock.advance(100);
  isLocked = false;
  await here.clock.advance(ANSWER_MS);
  expect([await waiting, await here.take(1)]).toEqual([
    expect.any(Permit),
    expect.objectContaining({ limit: 'concurrency' }),
  ]);
});

const REFUSED = { workspaceId: 'workspace', projectId: 'refused', rateLimits: { ...NONE, requestsPerMinute: 60 } };
const FINE = { workspaceId: 'workspace', projectId: 'project', rateLimits: { ...NONE, requestsPerMinute: 60 } };

function refusing() {
  const clock = new ManualClock();
  const model = new ModelPermitStore(() => clock.nowMs());
  for (const { projectId, rateLimits } of [REFUSED, FINE]) model.setLimits(projectId, rateLimits);
  let isMended = false;
  const store: PermitStore = {
    drawPermits: async (epochId, draws) => {
      const isRefused = !isMended && draws.some(({ projectId }) => projectId === REFUSED.projectId);
      if (isRefused) throw new SqlFault('out of range', '22003', null);
      return await model.drawPermits(epochId, draws);
    },
  };
  const heard: string[] = [];
  const permits = new RateLimiter({
    store,
    clock,
    epoch: { id: 1n, isLive: true },
    answerMs: ANSWER_MS,
    events: {
      projectRefused: (projectId) => heard.push(projectId),
      failed: (fault) => heard.push(String(fault)),
    },
  });
  return { permits, clock, model, heard, mend: () => (isMended = true) };
}

test('a project that the database refuses gets none, immediately, and keeps no other from its permits', async () => {
  const { permits, clock, heard } = refusing();
  const taken = [FINE, REFUSED, FINE, REFUSED].map(async (caller) => await permits.take(caller, 0));
  await clock.advance(0);
  expect(await Promise.all(taken)).toEqual([
    expect.any(Permit),
    { kind: 'unavailable' },
    expect.any(Permit),
    { kind: 'unavailable' },
  ]);
  expect(heard).toEqual(['refused']);
  // While it rests it isn't drawn.
  expect(permits.take(REFUSED, 0)).toEqual({ kind: 'unavailable' });
  expect(permits.take(FINE, 0)).toBeInstanceOf(Permit);
});

test('a project that the database refuses gets them again once it is no more, all that it had before among them', async () => {
  const { permits, clock, heard, mend } = refusing();
  mend();
  const first = permits.take(REFUSED, 0);
  await clock.advance(0);
  expect(await first).toBeInstanceOf(Permit);
  expect(heard).toEqual([]);

  const broken = refusing();
  const refused = broken.permits.take(REFUSED, 0);
  await broken.clock.advance(0);
  expect(await refused).toEqual({ kind: 'unavailable' });
  broken.mend();
  await broken.clock.advance(5_100);
  const taken = Array.from({ length: 61 }, async () => await broken.permits.take(REFUSED, 0));
  await broken.clock.advance(ANSWER_MS);
  expect((await Promise.all(taken)).filter((outcome) => outcome instanceof Permit)).toHaveLength(60);
});

test('a project that the database refuses is remembered while it rests, so that no place in use is given back', async () => {
  const { permits, clock, model, mend } = refusing();
  const caller = { ...REFUSED, rateLimits: { ...NONE, concurrency: 1 } };
  model.setLimits(REFUSED.projectId, caller.rateLimits);
  permits.outrunFirst(caller);
  await clock.advance(1_000);
  mend();
  const taken = permits.take(caller, 0);
  await clock.advance(5_000);
  const draw = { ...FIRST_DRAW, ...REFUSED, sequence: 1, needs: [0], target: NO_STOCK, returned };
  const [reply] = await model.drawPermits(2n, [draw]);
  expect([(await taken) instanceof Permit, reply!.shortages[0] === null].filter(Boolean)).toHaveLength(1);
});
