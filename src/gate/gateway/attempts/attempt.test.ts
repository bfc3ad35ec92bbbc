import { expect, test } from 'vitest';
import { GateStage } from '../../../../test/support/gate-stage.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { readAnswer } from '../../openai/chat-answer.ts';
import type { Health } from '../../upstreams/health/health.ts';
import type { RouteHealth } from '../../upstreams/health/route-health.ts';
import type { UpstreamFault, UsageSoFar } from '../../upstreams/upstream.ts';
import { UNTRACED_ATTEMPT } from '../request-trace.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { type AttemptStart, type AttemptTimes, UpstreamStream } from './attempt.ts';
import { Deadlines } from './deadlines.ts';

// The calls of one attempt: to its request, which waits for a start, to its route's health, and to its upstream.

const FORM = { isChat: true, leftOut: ['seed'] };
const AWAY: UpstreamFault = { kind: 'failed', status: 500, message: 'away' };
const LATE: UpstreamFault = { kind: 'timeout', phase: 'deadline', message: 'the request exceeded its total time' };
const SILENT: UpstreamFault = {
  kind: 'timeout',
  phase: 'first_event',
  message: 'the first event did not arrive in time',
};
const TIMES: AttemptTimes = { begunMs: 0, beginsByMs: 100, deadlineMs: 1_000 };
const [one, two, three] = ['one', 'two', 'three'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** An attempt that begins at 0 ms, with all calls that it makes. */
class Stage {
  readonly clock = new ManualClock(0);
  /** The calls to its route's health and its upstream, in order. */
  readonly told: unknown[][] = [];
  readonly begun: AttemptStart[] = [];
  readonly heard: unknown[] = [];
  readonly stream: UpstreamStream;
  wantsMore = true;
  usage: UsageSoFar | null = null;

  constructor(times: AttemptTimes = TIMES) {
    const tell =
      (what: string) =>
      (...details: readonly unknown[]): void =>
        void this.told.push([what, ...details]);
    const words = ['begin', 'answered', 'failed', 'undecided', 'end'];
    const health = Object.fromEntries(words.map((word) => [word, tell(word)]));
    const gate = { clock: this.clock, deadlines: new Deadlines(this.clock, 10) };
    this.stream = new UpstreamStream(
      gate as unknown as GatewayDeps,
      { health: health as unknown as RouteHealth, trace: UNTRACED_ATTEMPT },
      times,
      FORM,
      (beginning) => void this.begun.push(beginning),
    );
    const running = { pause: tell('pause'), resume: tell('resume'), abort: tell('abort') };
    this.stream.runBy({ ...running, usageSoFar: () => this.usage });
  }

  listen(): void {
    this.stream.listen({
      event: (payload) => {
        this.heard.push(payload.toString());
        this.stream.resume();
        return this.wantsMore;
      },
      over: (done, fault) => void this.heard.push({ done, fault }),
    });
  }
}

test('a whole answer begins and ends its attempt, and no deadline is left', async () => {
  const stage = new Stage();
  const facts = readAnswer(Buffer.from('{"choices":[]}'));
  await stage.clock.advance(30);
  stage.stream.answer(one, facts);
  await stage.clock.advance(5_000);
  // The upstream ends it a second time.
  stage.stream.end(true);
  expect(stage.begun).toEqual([{ kind: 'answer', body: one, facts, form: FORM }]);
  expect(stage.told).toEqual([['begin', 0], ['answered', 0, 30], ['end']]);
});

test('events that come before they are listened to are kept in their order, and no others until they have been heard', async () => {
  const stage = new Stage();
  const { stream } = stage;
  await stage.clock.advance(30);
  expect([stream.event(one), stream.event(two)]).toEqual([false, false]);
  expect(stage.begun).toEqual([{ kind: 'stream', stream, form: FORM }]);
  expect(stage.told.splice(0)).toEqual([
    ['begin', 0],
    ['answered', 0, 30],
  ]);
  stage.listen();
  expect(stage.heard).toEqual(['one', 'two']);
  expect(stage.told.splice(0)).toEqual([['resume']]);
  for (const wantsMore of [true, false]) {
    stage.wantsMore = wantsMore;
    expect(stream.event(three)).toBe(wantsMore);
  }
  expect(stage.told.splice(0)).toEqual([['resume'], ['resume']]);
  stream.end(true);
  expect(stage.heard).toEqual(['one', 'two', 'three', 'three', { done: true, fault: null }]);
  expect(stage.told).toEqual([['end']]);
  expect(stage.begun).toHaveLength(1);
  expect(() => stage.listen()).toThrow('a stream has one listener');
});

test('a stream whose listener wants no more for now goes on once that says so', () => {
  const stage = new Stage();
  stage.wantsMore = false;
  stage.stream.event(one);
  stage.listen();
  expect(stage.told.splice(0)).toEqual([
    ['begin', 0],
    ['answered', 0, 0],
  ]);
  stage.stream.resume();
  expect(stage.told).toEqual([['resume']]);
});

test.each<[string, (stage: Stage) => void, object]>([
  ['announced its end', ({ stream }) => stream.end(true), { done: true, fault: null }],
  ['just ended', ({ stream }) => stream.end(false), { done: false, fault: null }],
  ['failed', ({ stream }) => stream.fault(AWAY), { done: false, fault: AWAY }],
])('a stream that has %s before it is listened to tells its listener so after its events', (_how, end, over) => {
  const stage = new Stage();
  stage.stream.event(one);
  end(stage);
  stage.told.length = 0;
  stage.listen();
  expect(stage.heard).toEqual(['one', over]);
  expect(stage.told).toEqual([]);
  expect(stage.begun).toHaveLength(1);
});

test('a stream that ends without any event is malformed, and its route has failed', async () => {
  for (const done of [true, false]) {
    const stage = new Stage();
    await stage.clock.advance(20);
    stage.stream.end(done);
    const fault = { kind: 'malformed', status: 200, message: 'the stream ended without any event' };
    expect(stage.begun).toEqual([{ kind: 'fault', fault }]);
    expect(stage.told).toEqual([['begin', 0], ['failed', fault, 0, 20], ['end']]);
  }
});

test.each<[string, AttemptTimes, number, UpstreamFault]>([
  ['its first event', TIMES, 100, SILENT],
  ['the end of its request', { ...TIMES, beginsByMs: 1_000, deadlineMs: 100 }, 100, LATE],
  ['both', { ...TIMES, deadlineMs: 100 }, 100, LATE],
  ['its first event, one tick before the end', { ...TIMES, deadlineMs: 110 }, 100, SILENT],
])('an attempt that has not begun in time is cut off, and its route has failed: the time for %s', async (...row) => {
  const [, times, atMs, fault] = row;
  const stage = new Stage(times);
  await stage.clock.advance(atMs - 1);
  expect([stage.begun, stage.told]).toEqual([[], [['begin', 0]]]);
  await stage.clock.advance(1);
  expect(stage.begun).toEqual([{ kind: 'fault', fault }]);
  expect(stage.told).toEqual([['begin', 0], ['abort'], ['failed', fault, 0, atMs], ['end']]);
  await stage.clock.advance(5_000);
  expect(stage.told).toHaveLength(4);
});

test('a stream that has begun may last until its request’s deadline, and its route is not blamed for that', async () => {
  const stage = new Stage();
  await stage.clock.advance(99);
  stage.stream.event(one);
  stage.listen();
  stage.told.length = 0;
  await stage.clock.advance(900);
  expect(stage.told).toEqual([]);
  await stage.clock.advance(1);
  expect(stage.heard).toEqual(['one', { done: false, fault: LATE }]);
  expect(stage.told).toEqual([['abort'], ['end']]);
});

test('an attempt is given up only before it has begun, and says nothing about its route then', async () => {
  const waiting = new Stage();
  await waiting.clock.advance(40);
  waiting.stream.giveUp();
  waiting.stream.giveUp();
  expect(waiting.begun).toEqual([{ kind: 'gone' }]);
  expect(waiting.told).toEqual([['begin', 0], ['undecided', 0, 40], ['end'], ['abort']]);
  const begun = new Stage();
  begun.stream.event(one);
  begun.told.length = 0;
  begun.stream.giveUp();
  expect([begun.told, begun.begun.length]).toEqual([[], 1]);
});

test('a stream that has begun is ended once, its route has answered, and its listener hears no more', async () => {
  const stage = new Stage();
  stage.stream.event(one);
  stage.listen();
  stage.told.length = 0;
  stage.stream.abort();
  await stage.clock.advance(5_000);
  expect(stage.told).toEqual([['end'], ['abort']]);
  expect(stage.heard).toEqual(['one']);
});

test('an answer that nobody but its reader finds wrong is blamed on its route', async () => {
  const stage = new Stage();
  await stage.clock.advance(50);
  stage.stream.blame(AWAY);
  expect(stage.told.at(-1)).toEqual(['failed', AWAY, 0, 50]);
  expect(stage.begun).toEqual([]);
});

test('usage that is reported outside of events is passed on, and is none where there is none', () => {
  const stage = new Stage();
  expect(stage.stream.usageSoFar).toBeNull();
  stage.usage = { tokens: { input: 3, output: 2 } as unknown as UsageSoFar['tokens'], countsOutput: true };
  expect(stage.stream.usageSoFar).toBe(stage.usage);
  stage.stream.runBy({ pause: () => undefined, resume: () => undefined, abort: () => undefined });
  expect(stage.stream.usageSoFar).toBeNull();
});

/** The call to a provider, for any request. */
async function called(
  fields: object,
  {
    dialect = 'chat',
    kind = 'chat',
    needsCap = false,
  }: { dialect?: 'chat' | 'messages'; kind?: 'embedding' | 'chat'; needsCap?: boolean },
) {
  const calls: [string, object][] = [];
  const stage: GateStage = new GateStage({
    kind,
    upstreams: {
      p: {
        needsCap,
        chat: (call, sink) => (calls.push(['chat', call]), stage.sendNative(call as never, sink)),
        natives: {
          embeddings: (call, sink) => (calls.push(['embeddings', call]), stage.sendNative(call, sink)),
          messages: (call, sink) => (calls.push(['messages', call]), stage.sendNative(call, sink)),
        },
      },
    },
  });
  stage.attempt = (sink) => sink.fault(AWAY);
  const { caller, done } = stage.send(fields, {}, dialect);
  await done;
  const call = { upstreamModel: 'm', requestId: caller.requestId, traceHeaders: [], request: expect.anything() };
  return { calls, call };
}

test('a provider is sent a cap where the model’s own is larger, or where it needs one', async () => {
  for (const [maxTokens, needsCap, cap] of [
    [1_000, false, null],
    [999, false, 999],
    [1_000, true, 1_000],
  ] as const) {
    const { calls, call } = await called({ max_tokens: maxTokens }, { needsCap });
    expect(calls).toEqual([['chat', { ...call, cap }]]);
  }
});

test('a provider is sent a request in its own dialect, embeddings among them, with what it must know of the model', async () => {
  const native = await called({ max_tokens: 9 }, { dialect: 'messages' });
  const of = { cap: 9, contextWindow: 100_000, reasoning: false };
  expect(native.calls).toEqual([['messages', { ...native.call, ...of }]]);
  const embedded = await called({ input: 'hi' }, { kind: 'embedding' });
  expect(embedded.calls).toEqual([['embeddings', { ...embedded.call, ...of, cap: 0 }]]);
});

test('a provider that can’t even begin leaves no attempt running, and its caller is told of a bug', async () => {
  const bug = new Error('a bug');
  const chat = (): never => {
    throw bug;
  };
  const stage = new GateStage({ upstreams: { p: { chat } } });
  const { caller, done } = stage.send();
  await done;
  expect(stage.faults).toEqual([bug]);
  expect(caller.refusal?.code).toBe('INTERNAL_ERROR');
  expect((stage.gate.health as Health).report(0).providers).toMatchObject([{ name: 'p', running: 0 }]);
});
