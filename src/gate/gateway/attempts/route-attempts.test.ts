import { expect, test } from 'vitest';
import { GateStage, TIMES } from '../../../../test/support/gate-stage.ts';
import type { Route } from '../../../domain/model.ts';
import type { AnswerSink, UpstreamFault } from '../../upstreams/upstream.ts';
import { Permit } from '../../purses/permits/permit.ts';

// The routes that a request is sent by, the time that each has, and what the receipt says about them.

const AWAY: UpstreamFault = { kind: 'failed', status: 500, message: '' };
const routesOf = (...providers: readonly string[]) =>
  providers.map((provider, at) => ({ provider, upstreamModel: `m${at}` }));
const TWO = { routes: routesOf('p', 'q') };
const KEY = { idempotencyKey: 'order-7' };

/** Has its attempts do these in turn, and those after them nothing. */
function acts(stage: GateStage, ...each: readonly ((sink: AnswerSink, isStream: boolean) => void)[]): void {
  stage.attempt = (sink, isStream) => each[stage.attempts.length - 1]?.(sink, isStream);
}

/** The upstream's side of that attempt, once it has begun. */
async function begun(stage: GateStage, at: number): Promise<AnswerSink> {
  for (let turn = 0; turn < 5; turn++) await stage.clock.advance(0);
  return stage.attempts[at]!.sink;
}

/** The providers that were tried. */
const triedBy = ({ closed }: GateStage): readonly string[] =>
  (closed[0]?.attempts ?? []).map(({ provider }) => provider);

test('the receipt has each attempt with its route, its status, its time and its fault', async () => {
  const stage = new GateStage({ routes: routesOf('p', 'q', 'r') });
  const { attempt } = stage;
  acts(stage);
  const { done } = stage.send();
  const first = await begun(stage, 0);
  await stage.clock.advance(40);
  first.fault(AWAY);
  (await begun(stage, 1)).fault({ kind: 'unreachable', message: '' });
  const third = await begun(stage, 2);
  await stage.clock.advance(7);
  attempt(third, false);
  await done;
  expect(stage.closed[0]?.attempts).toEqual([
    { provider: 'p', upstreamModel: 'm0', status: 500, durationMs: 40, fault: 'failed' },
    { provider: 'q', upstreamModel: 'm1', status: null, durationMs: 0, fault: 'unreachable' },
    { provider: 'r', upstreamModel: 'm2', status: 200, durationMs: 7, fault: null },
  ]);
  expect(stage.attemptFaults).toEqual(['failed', 'unreachable']);
});

test('a stream whose caller leaves before its first event is given up, which is no fault', async () => {
  const stage = new GateStage(TWO);
  acts(stage);
  const { caller, done } = stage.send({ stream: true });
  await stage.clock.advance(30);
  caller.leave();
  await done;
  expect(stage.attempts.map(({ isAborted }) => isAborted)).toEqual([true]);
  expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n }]);
  expect(stage.closed[0]?.attempts).toEqual([
    { provider: 'p', upstreamModel: 'm0', status: null, durationMs: 30, fault: null },
  ]);
  expect(stage.attemptFaults).toEqual([]);
});

test('a plain call whose caller leaves is answered all the same, and charged', async () => {
  const stage = new GateStage();
  const { attempt } = stage;
  acts(stage);
  const { caller, done } = stage.send();
  await stage.clock.advance(30);
  caller.leave();
  await stage.clock.advance(30);
  expect(stage.attempts[0]?.isAborted).toBe(false);
  attempt(stage.attempts[0]!.sink, false);
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', charge: 23n }]);
});

test('a request whose caller leaves before it is tried is sent to nobody', async () => {
  for (const stream of [true, false]) {
    const stage = new GateStage();
    const permit = Promise.withResolvers<Permit>();
    stage.takePermit = () => permit.promise;
    const { caller, done } = stage.send({ stream });
    caller.leave();
    permit.resolve(Permit.unlimited());
    await done;
    expect([stage.attempts, stage.faults]).toEqual([[], []]);
    expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n, attempts: [] }]);
  }
});

test.each<[string, boolean, object, readonly string[]]>([
  ['is tried at the next route', false, {}, ['p', 'q']],
  ['is not tried again if its caller has most likely left', true, {}, ['p']],
  ['is tried at the next route if repeats are to get its answer', true, KEY, ['p', 'q']],
])('a request that has failed %s', async (_what, isHalfClosed, headers, providers) => {
  const stage = new GateStage(TWO);
  const { attempt } = stage;
  acts(stage, (sink) => sink.fault(AWAY), attempt);
  const { caller, done } = stage.send({}, headers);
  if (isHalfClosed) caller.halfClose();
  await done;
  expect(triedBy(stage)).toEqual(providers);
  const refusal = { code: 'MODEL_UNAVAILABLE', retryAfterMs: 1_000 };
  expect(caller.refusal).toEqual(providers.length === 1 ? expect.objectContaining(refusal) : null);
});

test('the attempts of a plain call have its time together', async () => {
  const stage = new GateStage(TWO);
  acts(stage);
  const { caller, done } = stage.send();
  const first = await begun(stage, 0);
  await stage.clock.advance(4_000);
  first.fault(AWAY);
  await begun(stage, 1);
  await stage.clock.advance(TIMES.plainMs - 4_001);
  expect([caller.isOver, stage.attempts.length]).toEqual([false, 2]);
  await stage.clock.advance(1);
  await done;
  expect(stage.closed[0]?.attempts.map(({ fault, durationMs }) => [fault, durationMs])).toEqual([
    ['failed', 4_000],
    ['timeout', TIMES.plainMs - 4_000],
  ]);
});

test('each attempt at a stream has the time for a first event, within the time of its request', async () => {
  const stage = new GateStage({ routes: routesOf('p', 'q', 'r', 's', 't') });
  acts(stage);
  const { caller, done } = stage.send({ stream: true });
  await stage.clock.advance(TIMES.streamMs - 1);
  expect([caller.isOver, stage.attempts.length]).toEqual([false, 4]);
  await stage.clock.advance(1);
  await done;
  const { firstEventMs } = TIMES;
  expect(stage.closed[0]?.attempts.map(({ durationMs }) => durationMs)).toEqual(Array(4).fill(firstEventMs));
  expect(stage.attempts.map(({ isAborted }) => isAborted)).toEqual([true, true, true, true]);
  expect(caller.text).toContain('did not answer in time');
});

/** Makes these routes rest for this long, by their providers' request. */
function rest({ gate }: GateStage, upstreamModels: Readonly<Record<string, number>>): void {
  const nowMs = gate.clock.monotonicMs();
  for (const [name, retryAfterMs] of Object.entries(upstreamModels)) {
    const [provider = '', upstreamModel = ''] = name.split('/');
    gate.health
      .of({ provider, upstreamModel })
      .failed({ kind: 'overloaded', status: 429, retryAfterMs, message: '' }, nowMs, nowMs);
  }
}

test.each<[string, Readonly<Record<string, number>>, UpstreamFault | null, string, number]>([
  ['all rest', { 'p/m0': 700, 'q/m1': 300 }, null, "can't be reached", 300],
  ['the last one rests', { 'q/m1': 300 }, AWAY, "can't be reached", 300],
  [
    'the first one has too much to do, and the other one rests',
    { 'q/m1': 300 },
    { kind: 'overloaded', status: 429, retryAfterMs: 900, message: '' },
    'is busy',
    300,
  ],
])('routes that rest are passed over, and the first of them to be back is waited for: %s', async (...row) => {
  const [, resting, fault, how, retryAfterMs] = row;
  const stage = new GateStage(TWO);
  rest(stage, resting);
  acts(stage, (sink) => sink.fault(fault!));
  const { caller, done } = stage.send();
  await done;
  expect(stage.attempts).toHaveLength(fault === null ? 0 : 1);
  expect(caller.refusal).toEqual({
    kind: 'refusal',
    code: 'MODEL_UNAVAILABLE',
    message: `"chat" ${how}. Nothing was charged. Try again later.`,
    param: null,
    retryAfterMs,
  });
});

test('a route is passed over whose provider is not configured', async () => {
  const stage = new GateStage(TWO);
  const { upstreams } = stage.gate;
  const of = (route: Route) => (route.provider === 'p' ? undefined : upstreams.of(route));
  Object.assign(stage.gate, { upstreams: { of } });
  const { done } = stage.send();
  await done;
  expect(triedBy(stage)).toEqual(['q']);
});

test('a route is passed over whose provider has no words for what is asked', async () => {
  const terms = { tools: { web_search: { maxUses: 1, inputTokens: 0 } } };
  const fees = { ...new GateStage().model.terms.price, fees: { web_search: 5n } };
  const searching = new GateStage({ ...TWO, terms: { ...terms, price: fees }, upstreams: { p: { chatExtras: [] } } });
  await searching.send({ web_search_options: {} }).done;
  expect(triedBy(searching)).toEqual(['q']);
  const embedding = new GateStage({
    ...TWO,
    kind: 'embedding',
    upstreams: { q: { acceptedFields: new Set(['novel']) } },
  });
  acts(embedding, (sink) => sink.fault(AWAY));
  await embedding.send({ input: 'hi', novel: 1 }).done;
  expect(triedBy(embedding)).toEqual(['q']);
});
