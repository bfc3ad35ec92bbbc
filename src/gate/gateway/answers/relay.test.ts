import { expect, test } from 'vitest';
import { GateStage, TIMES } from '../../../../test/support/gate-stage.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import type { AnswerSink, UpstreamFault } from '../../upstreams/upstream.ts';

// The cost of a stream and how long its upstream is read, for each usage reported, with and without its caller. A
// token of input costs 1 nano-USD, one of output 10.

const KEY = { idempotencyKey: 'order-7' };
const STREAM = { stream: true, max_tokens: 100 };

const chunk = (choices: readonly object[], usage?: readonly [input: number, output: number]): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      choices,
      ...(usage === undefined ? {} : { usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }),
    }),
  );
const role = chunk([{ index: 0, delta: { role: 'assistant' }, finish_reason: null }]);
const says = (content: string, index = 0): Buffer => chunk([{ index, delta: { content }, finish_reason: null }]);
const ends = (index = 0): Buffer => chunk([{ index, delta: {}, finish_reason: 'stop' }]);
const reports = (input: number, output: number): Buffer => chunk([], [input, output]);

/** Begins a stream, and returns its upstream's side once its first event has passed. */
async function begin(
  stage: GateStage,
  first: Buffer,
  { fields = {}, headers = {} }: { fields?: object; headers?: object } = {},
) {
  stage.attempt = (sink) => void sink.event(first);
  const { caller, done } = stage.send({ ...STREAM, ...fields }, headers);
  await stage.clock.advance(0);
  await stage.clock.advance(0);
  const [attempt] = stage.attempts.slice(-1);
  if (attempt === undefined) throw new Error('no attempt has begun');
  const send = (...payloads: readonly Buffer[]): void => payloads.forEach((payload) => attempt.sink.event(payload));
  const sink: AnswerSink = attempt.sink;
  return { caller, done, attempt, send, sink };
}

test('a whole stream without any content is charged the usage that is reported: a model may have thought for long', async () => {
  const stage = new GateStage({ reasoning: true });
  const { caller, done, send } = await begin(stage, role);
  send(ends(), reports(20, 90));
  await done;
  expect(caller.text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(stage.closed).toMatchObject([{ outcome: 'completed', charge: 920n, usage: { certainty: 'exact' } }]);
});

test('a whole stream without any content is charged too if its caller has left, but repeats get it', async () => {
  const stage = new GateStage({ reasoning: true });
  const { caller, done, send } = await begin(stage, role, { headers: KEY });
  caller.leave();
  send(ends(), reports(20, 90));
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', charge: 920n, isWhole: true }]);
});

test('a whole stream counts its input and the output of all its choices against the tokens a minute', async () => {
  const stage = new GateStage();
  const { caller, done, send } = await begin(stage, says('a'), { fields: { n: 3, max_tokens: 50 } });
  // A token for each byte, 16 for the message and 1,024 for the template.
  const inputMax = caller.textBytes + 16 + 1_024;
  send(says('b', 1), says('c', 2), ends(0), ends(1), ends(2), reports(7, 33));
  await done;
  expect(stage.permits).toEqual([{ quoted: inputMax + 150, ended: { used: 40 } }]);
});

test('a stream is whole once its upstream says so, or each choice has its finish_reason; not if it just ends', async () => {
  for (const [last, isAnnounced, outcome] of [
    [says('b'), true, 'completed'],
    [ends(), false, 'completed'],
    [says('b'), false, 'interrupted'],
  ] as const) {
    const stage = new GateStage();
    const { caller, done, send, sink } = await begin(stage, says('a'), { headers: KEY });
    send(last);
    sink.end(isAnnounced);
    await done;
    expect(stage.closed).toMatchObject([{ outcome, isWhole: outcome === 'completed' }]);
    expect(caller.text.endsWith('data: [DONE]\n\n')).toBe(outcome === 'completed');
  }
});

test('nothing that an upstream sends after the end of a stream is read or charged', async () => {
  const stage = new GateStage();
  const { caller, done, send } = await begin(stage, says('a'));
  send(ends(), reports(5, 3));
  await done;
  const said = caller.text;
  send(says('more'), Buffer.from('no JSON'), reports(500, 300));
  await stage.clock.advance(1);
  expect(caller.text).toBe(said);
  expect(stage.closed).toMatchObject([{ outcome: 'completed', charge: 35n }]);
  expect(stage.attemptFaults).toEqual([]);
});

test('a stream that breaks off before any content is free, and its tokens go back, whether or not it may be repeated', async () => {
  for (const headers of [{}, KEY]) {
    const stage = new GateStage();
    const { caller, done, sink } = await begin(stage, role, { headers });
    sink.fault({ kind: 'broken', message: '' });
    await done;
    expect(caller.text).toContain('"error"');
    expect(caller.text).not.toContain('[DONE]');
    expect(stage.closed).toMatchObject([{ outcome: 'interrupted', charge: 0n, isWhole: false }]);
    expect(stage.permits[0]?.ended).toEqual({ used: 0 });
  }
});

/** A model that is sold with searches, each of which costs 500 nano-USD. */
const SEARCHES = {
  terms: {
    tools: { web_search: { maxUses: 1, inputTokens: 0 } },
    price: {
      rates: new GateStage().model.terms.price.rates,
      tiers: [],
      fees: { web_search: 500n },
    },
  },
};

test('a stream that breaks off before any content is free of the searches too that its model made', async () => {
  for (const [first, charge] of [
    [role, 0n],
    [says('abcd'), 510n],
  ] as const) {
    const stage = new GateStage(SEARCHES);
    const { caller, done, sink } = await begin(stage, first, { fields: { web_search_options: {} } });
    sink.fault({ kind: 'broken', message: '' });
    await done;
    const input = charge === 0n ? 0n : BigInt(Math.ceil(caller.textBytes / 4));
    expect(stage.closed).toMatchObject([{ outcome: 'interrupted', charge: charge + input }]);
  }
});

test('a stream that breaks off is charged a quarter of its bytes, rounded up, where no usage is reported', async () => {
  for (const [content, output] of [
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['abcdefgh', 2],
  ] as const) {
    const stage = new GateStage();
    const { caller, done, sink } = await begin(stage, says(content));
    sink.fault({ kind: 'broken', message: '' });
    await done;
    const [closed] = stage.closed;
    expect(closed?.usage.tokens.output).toBe(output);
    expect(closed?.usage.certainty).toBe('estimated');
    expect(closed?.usage.tokens.input).toBe(Math.ceil(caller.textBytes / 4));
    expect(closed?.charge).toBe(BigInt(Math.ceil(caller.textBytes / 4) + 10 * output));
  }
});

test('a broken stream is charged what its upstream reported outside of events, its output if that was counted', async () => {
  for (const [countsOutput, output, certainty] of [
    [true, 30, 'exact'],
    [false, 1, 'estimated'],
  ] as const) {
    const stage = new GateStage();
    stage.usageSoFar = { tokens: { ...NO_TOKENS, input: 7, output: 30 }, countsOutput };
    const { done, sink } = await begin(stage, says('a'));
    sink.fault({ kind: 'broken', message: '' });
    await done;
    expect(stage.closed).toMatchObject([
      { charge: BigInt(7 + 10 * output), usage: { tokens: { input: 7, output }, certainty } },
    ]);
  }
});

for (const [name, payload] of [
  ['no JSON', Buffer.from('{"choices":')],
  ['an error', Buffer.from('{"error":{"message":"overloaded"}}')],
] as const) {
  test(`an event that is no chunk, or an error, ends the stream if it is ${name}: its upstream is cut off, and blamed`, async () => {
    const stage = new GateStage({ routes: ['m0', 'm1'].map((upstreamModel) => ({ provider: 'p', upstreamModel })) });
    // The first route fails, the second one begins.
    stage.attempt = (sink) => {
      if (stage.attempts.length === 1) sink.fault({ kind: 'failed', status: 500, message: '' });
      else sink.event(says('abcd'));
    };
    const { caller, done } = stage.send(STREAM);
    for (let turn = 0; turn < 4; turn++) await stage.clock.advance(0);
    const attempt = stage.attempts[1]!;
    attempt.sink.event(payload);
    expect(attempt.isAborted).toBe(true);
    expect(attempt.sink.event(says('more'))).toBe(true);
    await done;
    expect(caller.text).toMatch(/abcd[^]*"error"/);
    expect(caller.text).not.toContain('more');
    expect(stage.closed).toHaveLength(1);
    expect(stage.closed[0]?.usage.tokens.output).toBe(1);
    expect(stage.closed[0]?.attempts.map(({ fault }) => fault)).toEqual(['failed', 'malformed']);
    expect(stage.attemptFaults).toEqual(['failed', 'malformed']);
  });
}

test('a request that is wrong itself, or out of time, is tried at no other route', async () => {
  for (const [fault, code] of [
    [
      { kind: 'rejected_request', status: 400, callerMessage: 'no', code: null, param: null, message: '' },
      'INVALID_REQUEST',
    ],
    [{ kind: 'timeout', phase: 'deadline', message: '' }, 'UPSTREAM_TIMEOUT'],
    [{ kind: 'timeout', phase: 'first_byte', message: '' }, null],
  ] as const satisfies readonly (readonly [UpstreamFault, string | null])[]) {
    const stage = new GateStage({ routes: ['m0', 'm1'].map((upstreamModel) => ({ provider: 'p', upstreamModel })) });
    const { attempt } = stage;
    stage.attempt = (sink, isStream) => (stage.attempts.length === 1 ? sink.fault(fault) : attempt(sink, isStream));
    const { caller, done } = stage.send();
    await done;
    expect(caller.refusal?.code ?? null).toBe(code);
    expect(stage.attempts).toHaveLength(code === null ? 2 : 1);
  }
});

test('a settled stream charges nothing of what still comes, and its upstream has a second to end by itself', async () => {
  for (const endsByItself of [true, false]) {
    const stage = new GateStage();
    const { caller, done, attempt, send, sink } = await begin(stage, says('a'));
    send(ends(), reports(4, 2));
    await done;
    const { text } = caller;
    expect(sink.event(reports(4, 80))).toBe(true);
    if (endsByItself) sink.end(true);
    await stage.clock.advance(999);
    expect(attempt.isAborted).toBe(false);
    await stage.clock.advance(1);
    expect(attempt.isAborted).toBe(!endsByItself);
    expect(stage.closed).toMatchObject([{ charge: 24n, firstEventMs: 0 }]);
    expect(caller.text).toBe(text);
  }
});

test('a settled stream that reports its usage with every chunk is charged the last of it, which stands by itself', async () => {
  const stage = new GateStage();
  const { caller, done, send } = await begin(stage, chunk([{ index: 0, delta: { content: 'a' } }], [5, 1]));
  send(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], [5, 2]));
  await stage.clock.advance(0);
  expect(caller.isOver).toBe(false);
  send(reports(5, 9));
  await done;
  expect(stage.closed).toMatchObject([{ charge: 95n }]);
});

test('a stream that its caller reads slowly waits for the caller while it lasts, and then is read for its usage', async () => {
  for (const drains of [true, false]) {
    const stage = new GateStage();
    const { caller, done, attempt, send, sink } = await begin(stage, says('a'));
    caller.isSlow = true;
    attempt.isPaused = !sink.event(says('b'));
    expect(attempt.isPaused).toBe(true);
    if (drains) caller.drain();
    else send(ends());
    expect(attempt.isPaused).toBe(false);
    send(...(drains ? [ends()] : []), reports(4, 2));
    await done;
    expect(stage.closed).toMatchObject([{ charge: 24n, usage: { certainty: 'exact' } }]);
  }
});

test('a stream that its caller reads slowly is read on once the caller has left, or the answer is settled', async () => {
  const stage = new GateStage();
  const left = await begin(stage, says('a'));
  left.attempt.isPaused = true;
  left.caller.leave();
  expect(left.attempt.isPaused).toBe(false);
  left.sink.end(true);
  await left.done;
  const settled = await begin(stage, says('a'));
  settled.send(ends());
  settled.attempt.isPaused = true;
  await stage.clock.advance(TIMES.finishMs);
  expect(settled.attempt.isPaused).toBe(false);
  await settled.done;
});

const BROKEN: UpstreamFault = { kind: 'broken', message: 'the connection was reset' };
const DEADLINE: UpstreamFault = { kind: 'timeout', phase: 'deadline', message: 'too long' };

test.each<[string, Buffer, (sink: AnswerSink) => void, UpstreamFault['kind'] | null, string | null]>([
  ['ends as announced', says('b'), (sink) => sink.end(true), null, null],
  ['ends whole', ends(), (sink) => sink.end(false), null, null],
  ['breaks off whole', ends(), (sink) => sink.fault(BROKEN), 'broken', null],
  ['ends early', says('b'), (sink) => sink.end(false), 'broken', '\\"chat\\" broke off its answer.'],
  ['breaks off', says('b'), (sink) => sink.fault(BROKEN), 'broken', '\\"chat\\" broke off its answer.'],
  [
    'takes too long',
    says('b'),
    (sink) => sink.fault(DEADLINE),
    'timeout',
    'The answer of \\"chat\\" took longer than a request may.',
  ],
])(
  'a stream that %s has that on its receipt, in the log and in what its caller is told',
  async (_how, last, end, kind, told) => {
    const stage = new GateStage();
    const { caller, done, attempt, send, sink } = await begin(stage, says('a'));
    send(last);
    end(sink);
    await done;
    const outcome = told === null ? 'completed' : 'interrupted';
    expect(stage.closed).toMatchObject([{ outcome, isWhole: told === null, attempts: [{ fault: kind }] }]);
    expect(stage.attemptFaults).toEqual(kind === null ? [] : [kind]);
    if (told === null) expect(caller.text).not.toContain('"error"');
    else expect(caller.text).toContain(told);
    // It has ended by itself: there is nothing to cut off.
    await stage.clock.advance(10_000);
    expect(attempt.isAborted).toBe(false);
  },
);

test('a stream that ends early counts against its route, and one that ends whole does not', async () => {
  for (const isEarly of [true, false]) {
    const stage = new GateStage();
    const failed: UpstreamFault[] = [];
    const health = stage.gate.health.of({ provider: 'p', upstreamModel: 'm' });
    health.failed = (fault) => void failed.push(fault);
    const { done, send, sink } = await begin(stage, says('a'));
    if (!isEarly) send(ends());
    sink.end(false);
    await done;
    expect(failed.map(({ kind }) => kind)).toEqual(isEarly ? ['broken'] : []);
  }
});

test('a stream whose receipt is refused for good withholds its end, and says why', async () => {
  const stage = new GateStage();
  stage.settle = () => Promise.reject(new Error('a bug'));
  const { caller, done, send } = await begin(stage, says('a'));
  send(ends(), reports(4, 2));
  await done;
  expect(caller.text).toContain('The charge could not be recorded, so the end of the answer is withheld.');
  expect(caller.text).not.toContain('"stop"');
  expect(caller.text).not.toContain('[DONE]');
  expect(caller.isOver).toBe(true);
  expect(stage.closed).toHaveLength(1);
});

test('a stream waits for at most 64 events after the one that finishes it, whether or not its caller is there', async () => {
  for (const leaves of [false, true]) {
    const stage = new GateStage();
    const { caller, done, send } = await begin(stage, says('a'), { headers: KEY });
    if (leaves) caller.leave();
    send(ends(), ...Array.from({ length: 63 }, () => chunk([])));
    await stage.clock.advance(0);
    expect(stage.closed).toHaveLength(0);
    send(chunk([]));
    await done;
    expect(stage.closed).toMatchObject([{ outcome: leaves ? 'abandoned' : 'completed', isWhole: true }]);
  }
});

test('a stream that goes beyond its cap with the event that finishes it is not cut off', async () => {
  const stage = new GateStage();
  const { caller, done, attempt, send } = await begin(stage, says('a'));
  send(chunk([{ index: 0, delta: { content: 'b' }, finish_reason: 'length' }], [5, 101]));
  send(reports(5, 101));
  await done;
  expect(attempt.isAborted).toBe(false);
  expect(caller.text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(stage.closed).toMatchObject([{ outcome: 'completed' }]);
});

test('a stream that breaks off once its caller has left is abandoned, and charged what it said', async () => {
  for (const end of [
    (sink: AnswerSink) => sink.fault(BROKEN),
    (sink: AnswerSink) => void sink.event(Buffer.from('{')),
  ]) {
    const stage = new GateStage();
    const { caller, done, sink } = await begin(stage, says('abcd'));
    const { text } = caller;
    caller.leave();
    sink.event(says('efgh'));
    end(sink);
    await done;
    expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: false, usage: { tokens: { output: 2 } } }]);
    expect(caller).toMatchObject({ text, isOver: false });
  }
});

test('a stream whose caller leaves while its end is awaited is abandoned, and keeps no time of the wait', async () => {
  const stage = new GateStage({ reasoning: true });
  const { caller, done, send } = await begin(stage, says('a'));
  send(ends());
  caller.leave();
  await stage.clock.advance(TIMES.finishMs * 4);
  expect(stage.closed).toHaveLength(0);
  send(reports(4, 2));
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: true, charge: 24n }]);
});

test('a settled stream whose usage does not come is charged by its bytes, once the time for it is up', async () => {
  const stage = new GateStage();
  const { caller, done, send } = await begin(stage, says('abcde'));
  send(ends());
  await stage.clock.advance(TIMES.finishMs - 1);
  expect(caller.isOver).toBe(false);
  await stage.clock.advance(1);
  await done;
  expect(caller.text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(stage.closed).toMatchObject([
    { outcome: 'completed', usage: { certainty: 'estimated', tokens: { output: 2 } } },
  ]);
});

test('an upstream that goes beyond its cap is cut off as soon as the usage that it reports says so', async () => {
  const stage = new GateStage();
  const { caller, done, attempt, send } = await begin(stage, says('a'));
  send(chunk([{ index: 0, delta: { content: 'b' }, finish_reason: null }], [5, 100]));
  expect(attempt.isAborted).toBe(false);
  send(chunk([{ index: 0, delta: { content: 'c' }, finish_reason: null }], [5, 101]));
  expect(attempt.isAborted).toBe(true);
  await done;
  expect(caller.text).not.toContain('[DONE]');
  expect(stage.closed).toMatchObject([{ outcome: 'interrupted', isWhole: false }]);
});

test('an upstream that goes beyond its cap is cut off once its bytes can be no fewer tokens, of all choices together', async () => {
  const stage = new GateStage();
  const { done, attempt, send } = await begin(stage, says('a'), { fields: { n: 2, max_tokens: 3 } });
  send(says('x'.repeat(6 * 128 - 1)));
  expect(attempt.isAborted).toBe(false);
  send(says('y'));
  expect(attempt.isAborted).toBe(true);
  await done;
});

test('a caller that leaves a stream under an Idempotency-Key has it read to its end, and a repeat gets all of it', async () => {
  const stage = new GateStage();
  const { caller, done, attempt, send, sink } = await begin(stage, says('one'), { headers: KEY });
  caller.leave();
  await stage.clock.advance(TIMES.usageMs * 5);
  expect(attempt.isAborted).toBe(false);
  expect(sink.event(says('two'))).toBe(true);
  send(ends());
  await stage.clock.advance(TIMES.usageMs * 5);
  sink.end(true);
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: true }]);
  const repeat = stage.send(STREAM, KEY);
  await repeat.done;
  expect(repeat.caller.text).toMatch(/one[^]*two[^]*"stop"[^]*data: \[DONE\]\n\n$/);
  expect(repeat.caller.headers).toEqual(['x-faregate-replayed', caller.requestId]);
  expect(stage.attempts).toHaveLength(1);
});

test('a caller that leaves a stream under an Idempotency-Key before its first event has it read to its end too', async () => {
  const stage = new GateStage();
  stage.attempt = () => undefined;
  const { caller, done } = stage.send(STREAM, KEY);
  await stage.clock.advance(0);
  caller.leave();
  await stage.clock.advance(TIMES.usageMs * 2);
  const [attempt] = stage.attempts;
  expect(attempt?.isAborted).toBe(false);
  attempt?.sink.event(says('one'));
  await stage.clock.advance(0);
  attempt?.sink.event(ends());
  attempt?.sink.event(reports(4, 2));
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: true, charge: 24n }]);
});

test('a caller that leaves a stream under an Idempotency-Key gets the next route tried if this one fails', async () => {
  const routes = ['p', 'p'].map((provider, at) => ({ provider, upstreamModel: `m${at}` }));
  const stage = new GateStage({ routes });
  stage.attempt = () => undefined;
  const { caller, done } = stage.send(STREAM, KEY);
  await stage.clock.advance(0);
  caller.leave();
  stage.attempts[0]?.sink.fault({ kind: 'failed', status: 500, message: '' });
  await stage.clock.advance(0);
  stage.attempts[1]?.sink.event(ends());
  await stage.clock.advance(0);
  stage.attempts[1]?.sink.end(false);
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: true }]);
});

test('a caller that leaves a stream without a key has it read on for its usage only for a while, and then cut off', async () => {
  const stage = new GateStage();
  const { caller, done, attempt } = await begin(stage, says('one'));
  caller.leave();
  await stage.clock.advance(TIMES.usageMs - 1);
  expect(attempt.isAborted).toBe(false);
  await stage.clock.advance(1);
  expect(attempt.isAborted).toBe(true);
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', isWhole: false }]);
});

test.each([
  ['of a reasoning model', { reasoning: true }],
  ['of a provider that bills to the end whoever listens', { drains: true }],
])('a caller that leaves a stream %s has it read on until the request’s deadline', async (_which, settings) => {
  const stage = new GateStage(settings);
  const { caller, done, attempt, send } = await begin(stage, says('one'));
  caller.leave();
  await stage.clock.advance(TIMES.usageMs * 10);
  expect(attempt.isAborted).toBe(false);
  send(ends(), reports(4, 90));
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'abandoned', charge: 904n }]);
});

test('a caller that leaves a stream without a key gets no other route tried', async () => {
  for (const stream of [true, false]) {
    const stage = new GateStage({ routes: ['m0', 'm1'].map((upstreamModel) => ({ provider: 'p', upstreamModel })) });
    stage.attempt = () => undefined;
    const { caller, done } = stage.send({ stream });
    await stage.clock.advance(0);
    caller.leave();
    stage.attempts[0]?.sink.fault({ kind: 'failed', status: 500, message: '' });
    await done;
    expect(stage.attempts).toHaveLength(1);
    expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n }]);
  }
});

test('a caller that leaves a stream before any content, of which none comes, pays nothing, with or without an end', async () => {
  for (const hasEnd of [true, false]) {
    const stage = new GateStage();
    const { caller, done, sink } = await begin(stage, role);
    caller.leave();
    if (hasEnd) sink.end(true);
    await stage.clock.advance(TIMES.usageMs);
    await done;
    expect(stage.closed).toMatchObject([{ outcome: 'abandoned', charge: 0n }]);
  }
});
