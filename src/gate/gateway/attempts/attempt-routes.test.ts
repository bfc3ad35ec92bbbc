import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { Route } from '../../../domain/model.ts';
import { readAnswer } from '../../openai/chat-answer.ts';
import { Health } from '../../upstreams/health/health.ts';
import type { AnswerSink, RunningAttempt, UpstreamFault } from '../../upstreams/upstream.ts';
import { attemptRoutes, type RoutesResult } from './attempt-routes.ts';
import { Deadlines } from './deadlines.ts';
import { UNTRACED } from '../request-trace.ts';
import type { AdmittedRequest } from '../request.ts';
import { CHAT_DIALECT } from '../../dialects/chat/chat-dialect.ts';

// Whatever upstreams and callers do, each request's attempts end, and leave no slot, deadline or timer behind.

const ROUTING = { windowMs: 10_000, resultsMin: 5, failureRatio: 0.5, restMs: 300, refusedKeyMs: 300 };
const TIMES = { plainMs: 2_000, streamMs: 4_000, firstEventMs: 500, usageMs: 100, finishMs: 100 };
const FACTS = readAnswer(Buffer.from('{"choices":[]}'));

const FAULTS: readonly UpstreamFault[] = [
  { kind: 'unreachable', message: '' },
  { kind: 'broken', message: '' },
  { kind: 'broken', message: '', isRepeatable: true },
  { kind: 'timeout', phase: 'first_byte', message: '' },
  { kind: 'malformed', status: 200, message: '' },
  { kind: 'failed', status: 500, message: '' },
  { kind: 'overloaded', status: 429, retryAfterMs: 200, message: '' },
  { kind: 'overloaded', status: 429, retryAfterMs: null, message: '' },
  { kind: 'rejected_credentials', status: 401, message: '' },
  { kind: 'rejected_request', status: 400, callerMessage: '', code: null, param: null, message: '' },
];

/** An upstream's script for one attempt: a delay, the number of events, and the end. */
interface Act {
  readonly delayMs: number;
  readonly events: number;
  readonly ending: UpstreamFault | 'done' | 'eof' | 'silence' | 'throws';
}

/** A clock that knows how many of its timers are still set. */
class CountingClock extends ManualClock {
  timers = 0;

  override after(delayMs: number, task: () => void): () => void {
    this.timers += 1;
    let isSet = true;
    const unset = (): void => {
      if (isSet) this.timers -= 1;
      isSet = false;
    };
    const cancel = super.after(delayMs, () => {
      unset();
      task();
    });
    return () => {
      unset();
      cancel();
    };
  }
}

class Stage {
  readonly clock = new CountingClock();
  readonly health = new Health(ROUTING, { routeRests: () => undefined, routeIsBack: () => undefined });
  readonly running = new Set<RunningAttempt>();
  readonly #deadlines = new Deadlines(this.clock, 50);
  readonly #routes: readonly Route[];
  readonly #acts: Act[];

  constructor(routes: number, acts: readonly Act[]) {
    this.#routes = Array.from({ length: routes }, (_, at) => ({ provider: `p${at}`, upstreamModel: 'm' }));
    this.#acts = [...acts];
    this.health.configure(ROUTING, [{ name: 'p0', kind: 'openai', concurrencyMax: 2, drains: false }]);
  }

  /** Attempts that the routes' health counts as running. */
  get counted(): number {
    return [...this.health.standings(this.clock.monotonicMs())].reduce((sum, { running }) => sum + running, 0);
  }

  /** Begins a request. Its caller leaves after `leavesMs`, or stays. */
  ask(stream: boolean, leavesMs: number | null): Promise<RoutesResult> {
    const onGone: (() => void)[] = [];
    const caller = { requestId: 'r', isGone: false, onGone: (callback: () => void) => void onGone.push(callback) };
    const leave = (): void => {
      caller.isGone = true;
      for (const callback of onGone.splice(0)) callback();
    };
    if (leavesMs !== null) this.clock.after(leavesMs, leave);
    const upstream = { needsCap: false, chat: (_call: unknown, sink: AnswerSink) => this.#run(sink, stream) };
    const request = {
      gate: {
        clock: this.clock,
        health: this.health,
        deadlines: this.#deadlines,
        timeouts: TIMES,
        random: Math.random,
        upstreams: { of: () => upstream },
        observer: { attemptFailed: () => undefined },
      },
      caller,
      claim: null,
      trace: UNTRACED,
      content: null,
      admission: {
        model: { id: 'm', routes: this.#routes, terms: { maxOutput: 1 } },
        parsed: {
          request: {
            dialect: CHAT_DIALECT,
            body: Buffer.from('{}'),
            unknown: [],
            tier: null,
            text: { stream },
            chat: { notes: null, toChat: () => ({ ok: true, chat: { extras: [] }, leftOut: [] }) },
            native: null,
          },
        },
        quote: { cap: 1 },
      },
    };
    return attemptRoutes(request as unknown as AdmittedRequest);
  }

  #run(sink: AnswerSink, stream: boolean): RunningAttempt {
    const { delayMs, events, ending } = this.#acts.shift() ?? { delayMs: 10, events: 1, ending: 'done' as const };
    if (ending === 'throws') throw new Error('an upstream that can’t even begin');
    const running = { pause: () => undefined, resume: () => undefined, abort: () => this.running.delete(running) };
    this.running.add(running);
    this.clock.after(delayMs, () => {
      const wanted = stream ? events : 0;
      for (let event = 0; event < wanted && this.running.has(running); event++) sink.event(Buffer.from('{}'));
      if (ending === 'silence' || !this.running.delete(running)) return;
      if (typeof ending === 'object') sink.fault(ending);
      else if (stream) sink.end(ending === 'done');
      else sink.answer(Buffer.from('{}'), FACTS);
    });
    return running;
  }
}

/** Reads a stream to its end; if it breaks off, ends it as a relay does. */
async function finish(tried: RoutesResult): Promise<void> {
  const { beginning } = tried;
  if (beginning.kind !== 'stream') return;
  await new Promise<void>((resolve) => {
    beginning.stream.listen({ event: () => true, over: () => resolve() });
  });
}

const act: fc.Arbitrary<Act> = fc.record({
  delayMs: fc.nat(900),
  events: fc.nat(3),
  ending: fc.constantFrom<Act['ending']>(...FAULTS, 'done', 'eof', 'silence', 'throws'),
});

test('however attempts go, they end in time, and nothing of them is left', async () => {
  const request = fc.record({
    stream: fc.boolean(),
    leavesMs: fc.option(fc.nat(1_500), { freq: 2 }),
    afterMs: fc.nat(400),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(act, { maxLength: 20 }),
      fc.array(request, { minLength: 1, maxLength: 8 }),
      async (routes, acts, requests) => {
        const stage = new Stage(routes, acts);
        const ended = [];
        for (const { stream, leavesMs, afterMs } of requests) {
          ended.push(stage.ask(stream, leavesMs).then(finish, () => undefined));
          await stage.clock.advance(afterMs);
        }
        await stage.clock.advance(TIMES.streamMs + 1_000);
        await Promise.all(ended);
        expect({ counted: stage.counted, running: stage.running.size, timers: stage.clock.timers }).toEqual({
          counted: 0,
          running: 0,
          timers: 0,
        });
      },
    ),
    { numRuns: 60 },
  );
});

const failing = (fault: UpstreamFault, times: number): Act[] =>
  Array.from({ length: times }, () => ({ delayMs: 1, events: 0, ending: fault }));

async function ask(acts: readonly Act[], routes = 2): Promise<RoutesResult> {
  const stage = new Stage(routes, acts);
  const tried = stage.ask(false, null);
  await stage.clock.advance(TIMES.plainMs);
  return await tried;
}

test('a request is sent again by the same route once, and only where its kept connection broke', async () => {
  const unanswered: UpstreamFault = { kind: 'broken', message: '', isRepeatable: true };
  const again = await ask(failing(unanswered, 2));
  expect(again.attempts.map(({ provider }) => provider)).toEqual(['p0', 'p0', 'p1']);
  const once = await ask(failing({ kind: 'broken', message: '' }, 1));
  expect(once.attempts.map(({ provider }) => provider)).toEqual(['p0', 'p1']);
});

test('a request is refused for time where all of its attempts took too long, and else because its model is away', async () => {
  const late: UpstreamFault = { kind: 'timeout', phase: 'first_byte', message: '' };
  const codes = [
    await ask(failing(late, 2)),
    await ask([...failing(late, 1), ...failing({ kind: 'failed', status: 500, message: '' }, 1)]),
  ].map(({ beginning }) => (beginning.kind === 'refused' ? beginning.refusal.code : beginning.kind));
  expect(codes).toEqual(['UPSTREAM_TIMEOUT', 'MODEL_UNAVAILABLE']);
});
