import { expect, test, vi } from 'vitest';
import { GateStage, TIMES } from '../../../../test/support/gate-stage.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { AttemptRecord } from '../../../domain/receipt.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import { readAnswer } from '../../openai/chat-answer.ts';
import type { Judgement } from '../../structured/conformance.ts';
import type { SchemaForms } from '../../structured/schema-forms.ts';
import { StrategyMemory } from '../../structured/strategy-memory.ts';
import type { AnswerSink, Upstream, UpstreamFault } from '../../upstreams/upstream.ts';

// An answer by a schema: which routes are asked, how often and by which strategy, and what the caller gets and pays. A
// token of input costs 1 nano-USD, one of output 10.

const SCHEMA = { type: 'object', properties: { a: { type: 'integer' } } };
const FORMS: SchemaForms = { root: 'object', isCurrent: true, byProvider: { openai: null, gemini: null } };
const FORMAT = { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA } };
const GOOD = '{"a":1}';
const USAGE = { prompt_tokens: 20, completion_tokens: 10 };
/** Of an answer with that usage. */
const COST = 120n;

const failed = (keyword: string, pointer = ''): Judgement => ({ conforms: false, failures: [{ pointer, keyword }] });

/** Only text that contains GOOD conforms; text around it may be dropped. Other text fails, as JSON or as no JSON. */
function judge(text: string): Judgement {
  if (text.includes(GOOD)) return { conforms: true, content: GOOD };
  if (text.startsWith('{')) return failed('type', '/a');
  return failed(['deadline', 'not_judged'].includes(text) ? text : 'json');
}

interface Setting {
  readonly upstreams?: Readonly<Record<string, Partial<Upstream>>>;
  /** The providers of the routes. */
  readonly routes?: readonly string[];
  /** How many answers that don't conform are free. */
  readonly free?: number;
  readonly forms?: SchemaForms;
  readonly drains?: boolean;
  readonly reasoning?: boolean;
}

class Stage extends GateStage {
  readonly taken: bigint[];

  constructor({ upstreams = {}, routes = ['p'], free = 99, forms = FORMS, ...more }: Setting = {}) {
    const taken: bigint[] = [];
    const structured = {
      validation: {
        check: (_owner: string, text: string) => ({ id: 1, text, forms }),
        judge: (_owner: string, _schema: unknown, text: string) => Promise.resolve(judge(text)),
      },
      strategies: new StrategyMemory(new ManualClock()),
      freeAnswers: { take: (_project: unknown, cost: bigint) => Promise.resolve(taken.push(cost) <= free) },
    };
    const named = routes.map((provider, at) => ({ provider, upstreamModel: `m${at}` }));
    super({ upstreams, routes: named, parts: { structured }, ...more });
    this.taken = taken;
  }

  /** Sends a request for an answer of at most 100 tokens. */
  ask(fields: object = {}, headers: { idempotencyKey?: string } = {}) {
    return this.send({ response_format: FORMAT, max_tokens: 100, ...fields }, headers);
  }

  /** Answers in that order with these texts, or fails. */
  says(...said: readonly (string | UpstreamFault)[]): void {
    const from = this.attempts.length;
    this.attempt = (sink, isStream) => {
      const next = said[Math.min(this.attempts.length - from, said.length) - 1] ?? '';
      if (typeof next !== 'string') return sink.fault(next);
      if (isStream) return stream(sink, next);
      const body = completion(next);
      sink.answer(body, readAnswer(body));
    };
  }

  /** What the receipt says of attempts. */
  get tried(): readonly (readonly (string | null | undefined)[])[] {
    const [closed] = this.closed.slice(-1);
    return (closed?.attempts ?? []).map(({ provider, strategy, fault }: AttemptRecord) => [provider, strategy, fault]);
  }

  /** The chat request of an attempt. */
  sentBody(at: number): { messages: { role: string; content: string }[]; [name: string]: unknown } {
    const { body } = this.attempts[at]!.sent;
    return JSON.parse(String(body)) as ReturnType<Stage['sentBody']>;
  }
}

function completion(content: string, usage: object | null = USAGE): Buffer {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return Buffer.from(JSON.stringify({ choices, ...(usage && { usage }) }));
}

const chunk = (delta: object, finish: string | null = null, index = 0): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index, delta, finish_reason: finish }],
    }),
  );
const report = (usage: object = USAGE): Buffer =>
  Buffer.from(JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage }));

function stream(sink: AnswerSink, content: string): void {
  sink.event(chunk({ role: 'assistant', content: content.slice(0, 2) }));
  sink.event(chunk({ content: content.slice(2) }));
  sink.event(chunk({}, 'stop'));
  sink.event(report());
  sink.end(true);
}

const contentOf = (text: string): string => {
  const { choices } = JSON.parse(text) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
};
const streamedIn = (text: string): string =>
  [...text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => JSON.parse(`"${part}"`) as string).join('');

test('an answer that conforms is passed on as it is, or as what was meant by it, and is charged', async () => {
  for (const isStream of [false, true]) {
    for (const said of [GOOD, `Here: ${GOOD}`]) {
      const stage = new Stage();
      stage.says(said);
      const { caller, done } = stage.ask({ stream: isStream });
      await done;
      expect(isStream ? streamedIn(caller.text) : contentOf(caller.text)).toBe(GOOD);
      expect(stage.tried).toEqual([['p', 'instruction', null]]);
      expect(stage.closed).toMatchObject([{ outcome: 'completed', charge: COST, isWhole: true }]);
      expect([stage.taken, stage.attemptFaults]).toEqual([[], []]);
    }
  }
});

test('an answer that does not conform is asked for again, with where it failed, thrice of a route, five times of all', async () => {
  const stage = new Stage({ routes: ['p', 'q', 'r'] });
  stage.says('{"a":"x"}');
  const { caller, done } = stage.ask();
  await done;
  expect(stage.tried).toEqual(['p', 'p', 'p', 'q', 'q'].map((name) => [name, 'instruction', 'not_conforming']));
  expect(caller.refusal).toEqual({
    kind: 'refusal',
    code: 'OUTPUT_NOT_CONFORMING',
    message:
      '"chat" gave 5 answers, none of which conforms to the JSON schema of \'response_format\'. Nothing was charged.',
    param: null,
    shouldRetry: false,
    output: { answers: 5, failures: [{ pointer: '/a', keyword: 'type' }] },
  });
  expect(stage.taken).toEqual([COST, COST, COST, COST, COST]);
  expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n, usage: { tokens: { input: 0, output: 0 } } }]);
  expect(stage.attemptFaults).toEqual(Array.from({ length: 5 }, () => 'not_conforming'));
  expect(new Set(stage.attemptMessages)).toEqual(new Set(['/a: type']));
  const [first, second] = [stage.sentBody(0), stage.sentBody(1)];
  expect(second.messages).toEqual([
    ...first.messages,
    { role: 'assistant', content: '{"a":"x"}' },
    { role: 'user', content: expect.stringContaining('\n- at /a: type\n') },
  ]);
  // Another route begins without the earlier one's answer.
  expect(stage.sentBody(3).messages).toEqual(first.messages);
});

test('an answer that does not conform is paid for once the free amount of the hour is used up', async () => {
  const stage = new Stage({ free: 1 });
  stage.says('{"a":1.5}', '{"a":"x"}', '{"a":"y"}');
  const { caller, done } = stage.ask();
  await done;
  expect(caller.refusal?.message).toContain(
    "gave 3 answers, none of which conforms to the JSON schema of 'response_format'. 0.00000024 USD were charged, because this hour's free amount is used up.",
  );
  expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 2n * COST }]);
  expect(stage.closed[0]?.attempts.map(({ charged }) => charged?.tokens.output)).toEqual([undefined, 10, 10]);
});

test('an answer that does not conform takes the fees of its tools from the free amount too, or is charged them', async () => {
  const SEARCH = 500n;
  for (const free of [99, 0]) {
    const stage = new Stage({ free });
    const { price } = stage.model.terms;
    const tools = { web_search: { maxUses: 1, inputTokens: 0 } };
    Object.assign(stage.model.terms, { tools, price: { ...price, fees: { web_search: SEARCH } } });
    stage.says('{"a":"x"}', GOOD);
    const { caller, done } = stage.ask({ web_search_options: {} });
    await done;
    expect(caller.refusal).toBeNull();
    expect(stage.taken).toEqual([COST + SEARCH]);
    expect(stage.closed).toMatchObject([{ charge: (free === 0 ? 2n : 1n) * (COST + SEARCH) }]);
  }
});

test('an answer that costs nothing takes nothing from the free amount', async () => {
  const { rates } = new GateStage().model.terms.price;
  const free = Object.fromEntries(Object.keys(rates).map((name) => [name, 0n])) as typeof rates;
  const stage = new Stage();
  Object.assign(stage.model.terms, { price: { rates: free, tiers: [] } });
  stage.says('{"a":"x"}', GOOD);
  await stage.ask().done;
  expect(stage.taken).toEqual([]);
});

test('an answer is asked for again as long as the hold covers that, without the former one if it is too long', async () => {
  for (const [usage, free, asks] of [
    // The input was not counted, and the first answer has used a part of the hold.
    [null, 0, 1],
    [null, 99, 3],
    [USAGE, 0, 3],
    // Judged by this count, the longer request would not fit.
    [{ prompt_tokens: 100_000, completion_tokens: 10 }, 99, 3],
  ] as const) {
    const stage = new Stage({ free });
    stage.attempt = (sink) => {
      const body = completion('{"a":"x"}', usage);
      sink.answer(body, readAnswer(body));
    };
    const { caller, done } = stage.ask();
    await done;
    expect(stage.attempts).toHaveLength(asks);
    const { length } = stage.sentBody(0).messages;
    const isShown = usage === USAGE;
    for (const at of stage.attempts.keys()) {
      expect(stage.sentBody(at).messages).toHaveLength(at > 0 && isShown ? length + 2 : length);
    }
    if (asks === 1) expect(caller.refusal?.message).toContain('gave an answer, which does not conform to the JSON');
  }
});

test('the log names each place where an answer does not conform, the whole by a slash', async () => {
  const stage = new Stage();
  const { validation } = stage.gate.structured;
  const failures = [
    { pointer: '', keyword: 'required' },
    { pointer: '/a/0', keyword: 'type' },
  ];
  vi.spyOn(validation, 'judge').mockResolvedValue({ conforms: false, failures });
  stage.says('{}');
  await stage.ask().done;
  expect(stage.attemptMessages[0]).toBe('/: required, /a/0: type');
});

test.each(['deadline', 'not_judged'])('an answer whose judgement ends by %s is the last one', async (said) => {
  const stage = new Stage({ routes: ['p', 'q'] });
  stage.says(said);
  const { caller, done } = stage.ask();
  await done;
  expect(stage.attempts).toHaveLength(1);
  expect(caller.refusal).toMatchObject({ output: { answers: 1, failures: [{ pointer: '', keyword: said }] } });
});

const REJECTED: UpstreamFault = {
  kind: 'rejected_request',
  status: 400,
  callerMessage: 'no',
  code: null,
  param: null,
  message: '',
};
const AWAY: UpstreamFault = { kind: 'failed', status: 500, message: '' };
const BROKEN: UpstreamFault = { kind: 'broken', message: '' };
const LATE: UpstreamFault = { kind: 'timeout', phase: 'deadline', message: '' };
const STRICT = { structuredSupport: 'strict' } as const;

test('a route that turns a way of asking down is asked in the next one, and begins with that from then on', async () => {
  const stage = new Stage({ upstreams: { p: STRICT } });
  stage.says(REJECTED, REJECTED, GOOD);
  await stage.ask().done;
  const turnedDown = [
    ['p', 'native', 'rejected_request'],
    ['p', 'json_mode', 'rejected_request'],
  ];
  expect(stage.tried).toEqual([...turnedDown, ['p', 'instruction', null]]);
  expect(stage.attempts.map((_, at) => stage.sentBody(at)['response_format'])).toEqual([
    FORMAT,
    { type: 'json_object' },
    undefined,
  ]);
  await stage.ask().done;
  expect(stage.tried).toEqual([['p', 'instruction', null]]);
});

test('a route that turns all ways down has its word, and nothing is tried after it', async () => {
  const stage = new Stage({ upstreams: { p: STRICT }, routes: ['p', 'q'] });
  stage.says(REJECTED);
  const { caller, done } = stage.ask();
  await done;
  expect(stage.tried.map(([provider, strategy]) => [provider, strategy])).toEqual([
    ['p', 'native'],
    ['p', 'json_mode'],
    ['p', 'instruction'],
  ]);
  expect(caller.refusal).toMatchObject({ code: 'INVALID_REQUEST', message: 'no' });
  // Nothing has served, so nothing is remembered.
  await stage.ask().done;
  expect(stage.tried[0]).toEqual(['p', 'native', 'rejected_request']);
});

test('a route that answers with no JSON is asked in the next way; one whose JSON fails is asked in the same', async () => {
  const stage = new Stage({ upstreams: { p: { structuredSupport: 'json_mode' } } });
  stage.says('words', '{"a":"x"}', GOOD);
  await stage.ask().done;
  expect(stage.tried.map(([, strategy]) => strategy)).toEqual(['json_mode', 'instruction', 'instruction']);
  stage.says(GOOD);
  await stage.ask().done;
  expect(stage.tried).toEqual([['p', 'instruction', null]]);
  const other = new Stage({ upstreams: { p: { structuredSupport: 'json_mode' } } });
  other.says('{"a":"x"}', GOOD);
  await other.ask().done;
  expect(other.tried.map(([, strategy]) => strategy)).toEqual(['json_mode', 'json_mode']);
});

test('a request that became too long by a former answer is sent without it, in the same way', async () => {
  const stage = new Stage({ upstreams: { p: { structuredSupport: 'json_mode' } } });
  stage.says('{"a":"x"}', REJECTED, GOOD);
  await stage.ask().done;
  expect(stage.tried.map(([, strategy]) => strategy)).toEqual(['json_mode', 'json_mode', 'json_mode']);
  expect(stage.sentBody(2)).toEqual(stage.sentBody(0));
  expect(stage.sentBody(1).messages.length).toBeGreaterThan(stage.sentBody(0).messages.length);
});

test('a route that fails is passed over, and only what is final ends the request', async () => {
  for (const [fault, tried, code] of [
    [AWAY, 2, undefined],
    [LATE, 1, 'UPSTREAM_TIMEOUT'],
  ] as const) {
    const stage = new Stage({ routes: ['p', 'q'] });
    stage.says(fault, GOOD);
    const { caller, done } = stage.ask();
    await done;
    expect(stage.attempts).toHaveLength(tried);
    expect(caller.refusal?.code).toBe(code);
  }
  const away = new Stage({ routes: ['p', 'q'] });
  away.says(AWAY);
  const { caller, done } = away.ask();
  await done;
  expect(caller.refusal).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(away.tried).toEqual(['p', 'q'].map((name) => [name, 'instruction', 'failed']));
});

test('a caller that has left pays for the answer that comes, which nobody judges, unless repeats are to get one', async () => {
  for (const [headers, attempts] of [
    [{}, 1],
    [{ idempotencyKey: 'order-7' }, 2],
  ] as const) {
    const stage = new Stage();
    stage.attempt = () => undefined;
    const { caller, done } = stage.ask({}, headers);
    await stage.clock.advance(0);
    caller.leave();
    stage.says(GOOD);
    const body = completion('{"a":"x"}');
    stage.attempts[0]?.sink.answer(body, readAnswer(body));
    await done;
    expect(stage.attempts).toHaveLength(attempts);
    expect(stage.closed).toMatchObject([{ outcome: 'abandoned', charge: COST, isWhole: true }]);
  }
});

test('a caller that leaves before an answer has begun has nothing more tried', async () => {
  const stage = new Stage({ routes: ['p', 'q'] });
  stage.attempt = () => undefined;
  const { caller, done } = stage.ask();
  await stage.clock.advance(0);
  caller.leave();
  stage.attempts[0]?.sink.fault(AWAY);
  await done;
  expect(stage.attempts).toHaveLength(1);
  expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n }]);
});

/** Begins a stream by a schema, and returns its attempt. */
async function begun(stage: Stage, fields: object = {}, headers: { idempotencyKey?: string } = {}) {
  stage.attempt = (sink) => void sink.event(chunk({ role: 'assistant', content: '{' }));
  const { caller, done } = stage.ask({ stream: true, ...fields }, headers);
  for (let turn = 0; turn < 4; turn++) await stage.clock.advance(0);
  const attempt = stage.attempts[0]!;
  const send = (...payloads: readonly Buffer[]): void => payloads.forEach((payload) => attempt.sink.event(payload));
  return { caller, done, attempt, send, sink: attempt.sink };
}

test.each<[string, Buffer | UpstreamFault | null, string]>([
  ['has an event that is none', Buffer.from('{"choices":'), 'malformed'],
  ['has an error', Buffer.from('{"error":{"message":"overloaded"}}'), 'malformed'],
  ['is longer than its cap', chunk({ content: 'x'.repeat(100 * 128) }), 'malformed'],
  ['ends early', null, 'broken'],
  ['breaks off', BROKEN, 'broken'],
])('a stream that %s is a failure of its route, and none of it reaches the caller', async (_what, payload, kind) => {
  const stage = new Stage({ routes: ['p', 'q'] });
  const blamed = vi.spyOn(stage.gate.health.of({ provider: 'p', upstreamModel: 'm0' }), 'failed');
  const { caller, done, attempt, send, sink } = await begun(stage);
  stage.says(GOOD);
  if (payload === null) sink.end(false);
  else if (Buffer.isBuffer(payload)) send(payload);
  else sink.fault(payload);
  await done;
  expect(attempt.isAborted).toBe(Buffer.isBuffer(payload));
  expect(stage.tried).toEqual([
    ['p', 'instruction', kind],
    ['q', 'instruction', null],
  ]);
  expect(stage.attemptFaults).toEqual([kind]);
  expect(blamed.mock.calls.map(([fault]) => fault.kind)).toEqual([kind]);
  expect(streamedIn(caller.text)).toBe(GOOD);
  expect(stage.closed).toMatchObject([{ charge: COST }]);
});

test('a stream may be as long as its cap, and longer once it is whole', async () => {
  const stage = new Stage();
  const { caller, done, attempt, send } = await begun(stage);
  send(chunk({ content: '"a":1}' }), chunk({ content: ' '.repeat(100 * 128 - 7) }));
  expect(attempt.isAborted).toBe(false);
  send(chunk({ content: ' ' }, 'stop'), report());
  await done;
  expect(caller.refusal).toBeNull();
  expect(stage.closed).toMatchObject([{ outcome: 'completed', charge: COST }]);
});

test('a stream whose choices have ended waits for its usage, for a while only', async () => {
  const stage = new Stage();
  const { caller, done, attempt, send } = await begun(stage);
  send(chunk({ content: '"a":1}' }), chunk({}, 'stop'), chunk({}, 'stop'));
  await stage.clock.advance(TIMES.finishMs - 1);
  expect([attempt.isAborted, caller.text]).toEqual([false, '']);
  await stage.clock.advance(1);
  expect(attempt.isAborted).toBe(true);
  await done;
  expect(streamedIn(caller.text)).toBe(GOOD);
  expect(stage.closed).toMatchObject([{ usage: { certainty: 'estimated', tokens: { output: 2 } } }]);
});

test('a stream with usage in a chunk that has a choice waits for the one that has none', async () => {
  const stage = new Stage();
  const { done, attempt, send } = await begun(stage);
  const both = Buffer.from(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE }));
  send(chunk({ content: '"a":1}' }), both);
  expect(attempt.isAborted).toBe(false);
  send(report({ prompt_tokens: 20, completion_tokens: 11 }));
  expect(attempt.isAborted).toBe(true);
  await done;
  expect(stage.closed).toMatchObject([{ charge: COST + 10n }]);
});

test('a stream is charged what its upstream reported outside of events, its output if that was counted', async () => {
  for (const [countsOutput, tokens, certainty] of [
    [true, { input: 7, output: 30 }, 'exact'],
    [false, { input: 7, output: 2 }, 'estimated'],
  ] as const) {
    const stage = new Stage();
    stage.usageSoFar = { tokens: { ...NO_TOKENS, input: 7, output: 30 }, countsOutput };
    const { done, send, sink } = await begun(stage);
    send(chunk({ content: '"a":1}' }, 'stop'));
    sink.end(true);
    await done;
    expect(stage.closed).toMatchObject([{ outcome: 'completed', usage: { tokens, certainty } }]);
  }
});

test('a stream is whole if its upstream says so, whatever its choices say', async () => {
  const stage = new Stage();
  const blamed = vi.spyOn(stage.gate.health.of({ provider: 'p', upstreamModel: 'm0' }), 'failed');
  const { caller, done, send, sink } = await begun(stage);
  send(chunk({ content: '"a":1}' }));
  sink.end(true);
  await done;
  expect(streamedIn(caller.text)).toBe(GOOD);
  expect(blamed).not.toHaveBeenCalled();
});

test('a stream of several choices is judged by each of them', async () => {
  const stage = new Stage();
  stage.attempt = (sink) => {
    if (stage.attempts.length > 1) sink.event(chunk({ content: GOOD }, 'stop', 0));
    else sink.event(chunk({ content: GOOD }, 'stop', 0));
    sink.event(chunk({ content: stage.attempts.length > 1 ? GOOD : '{"a":"x"}' }, 'stop', 1));
    sink.event(report());
    sink.end(true);
  };
  await stage.ask({ stream: true, n: 2 }).done;
  expect(stage.tried.map(([, , fault]) => fault)).toEqual(['not_conforming', null]);
});

test.each<[string, object, string]>([
  ['calls a function', { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] }, 'tool_calls'],
  ['refuses', { refusal: 'no' }, 'stop'],
  ['is cut off', { content: '{' }, 'length'],
])('a choice that %s is passed on as it is, and the others are judged all the same', async (_what, delta, finish) => {
  const stage = new Stage();
  stage.attempt = (sink) => {
    sink.event(chunk(delta, finish, 0));
    sink.event(chunk({ content: stage.attempts.length > 1 ? GOOD : '{"a":"x"}' }, 'stop', 1));
    sink.event(report());
    sink.end(true);
  };
  await stage.ask({ stream: true, n: 2 }).done;
  expect(stage.tried.map(([, , fault]) => fault)).toEqual(['not_conforming', null]);
});

test('a stream whose caller leaves is read for its usage for a while, or to its end where that is charged anyway', async () => {
  for (const [setting, headers, isCutOff] of [
    [{}, {}, true],
    [{ drains: true }, {}, false],
    [{ reasoning: true }, {}, false],
    [{}, { idempotencyKey: 'order-7' }, false],
  ] as const) {
    const stage = new Stage(setting);
    const { caller, done, attempt, send } = await begun(stage, {}, headers);
    caller.leave();
    await stage.clock.advance(TIMES.usageMs - 1);
    expect(attempt.isAborted).toBe(false);
    await stage.clock.advance(1);
    expect(attempt.isAborted).toBe(isCutOff);
    if (!isCutOff) send(chunk({ content: '"a":1}' }, 'stop'), report());
    await done;
    expect(stage.closed).toMatchObject([
      isCutOff ? { outcome: 'abandoned' } : { outcome: 'abandoned', charge: COST, usage: { certainty: 'exact' } },
    ]);
  }
});

test('a stream whose caller leaves after its last choice is waited for no longer than any other', async () => {
  const stage = new Stage({ drains: true });
  const { caller, done, attempt, send } = await begun(stage);
  send(chunk({ content: '"a":1}' }, 'stop'));
  caller.leave();
  await stage.clock.advance(TIMES.finishMs);
  expect(attempt.isAborted).toBe(true);
  await done;
});

/** A provider that speaks the caller's API, Responses. */
function nativeStage(setting: Setting = {}, upstream: Partial<Upstream> = STRICT): Stage {
  const natives = { responses: (...call: Parameters<GateStage['sendNative']>) => stage.sendNative(...call) };
  const stage: Stage = new Stage({ ...setting, upstreams: { p: { ...upstream, natives } } });
  return stage;
}

const RESPONSES = {
  messages: undefined,
  max_tokens: undefined,
  response_format: undefined,
  input: 'hi',
  max_output_tokens: 100,
  store: false,
  text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA } },
};

/** A whole answer as a provider of Responses gives it. */
const responseOf = (text: string): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
});

/** Answers with the first text in the caller's API, and with each later one in the API of its request. */
function saysNatively(stage: Stage, ...said: readonly string[]): void {
  stage.attempt = (sink, isStream) => {
    const text = said[stage.attempts.length - 1] ?? '';
    const { body: sent } = stage.attempts.at(-1)!.sent;
    const isNative = typeof sent === 'function';
    if (isStream && isNative) {
      const delta = { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0 };
      sink.event(Buffer.from(JSON.stringify({ ...delta, delta: text })));
      sink.event(Buffer.from(JSON.stringify({ type: 'response.completed', response: responseOf(text) })));
      return sink.end(true);
    }
    if (isStream) return stream(sink, text);
    const body = isNative ? Buffer.from(JSON.stringify(responseOf(text))) : completion(text);
    const facts = { valid: true, error: null, choices: 1, contentBytes: text.length };
    const usage = readAnswer(completion('')).usage;
    sink.answer(body, { ...facts, usage });
  };
}

test.each([false, true])(
  'a provider of the caller’s API is sent the request as it is, once, and then in chat; streamed: %s',
  async (isStream) => {
    const stage = nativeStage();
    saysNatively(stage, '{"a":"x"}', GOOD);
    const { caller, done } = stage.send({ ...RESPONSES, stream: isStream }, {}, 'responses');
    await done;
    expect(caller.refusal).toBeNull();
    expect(stage.tried).toEqual([
      ['p', 'passthrough', 'not_conforming'],
      ['p', 'native', null],
    ]);
    expect(caller.text).toContain(JSON.stringify(GOOD).slice(1, -1));
    // It has given JSON, so it may enforce the schema: nothing is remembered against it.
    saysNatively(stage, '', '', GOOD);
    await stage.send({ ...RESPONSES, stream: isStream }, {}, 'responses').done;
    expect(stage.tried).toEqual([['p', 'passthrough', null]]);
  },
);

test('an answer in the caller’s API with words around its JSON does not conform: it would be passed on with them', async () => {
  const stage = nativeStage();
  saysNatively(stage, `Here: ${GOOD}`, GOOD);
  const { caller, done } = stage.send(RESPONSES, {}, 'responses');
  await done;
  expect(stage.tried).toEqual([
    ['p', 'passthrough', 'not_conforming'],
    ['p', 'native', null],
  ]);
  expect(caller.text).not.toContain('Here');
});

test('a provider of the caller’s API that twice gave no JSON is asked in chat from then on', async () => {
  const stage = nativeStage();
  const strategies: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    stage.attempts.length = 0;
    saysNatively(stage, ...(round < 2 ? ['words', GOOD] : [GOOD]));
    await stage.send(RESPONSES, {}, 'responses').done;
    strategies.push(stage.tried.map(([, strategy]) => strategy));
  }
  expect(strategies).toEqual([['passthrough', 'native'], ['passthrough', 'native'], ['native']]);
});

test('a provider of the caller’s API that enforces nothing is asked in chat to begin with', async () => {
  const stage = nativeStage({}, { structuredSupport: 'none' });
  saysNatively(stage, GOOD);
  await stage.send(RESPONSES, {}, 'responses').done;
  expect(stage.tried).toEqual([['p', 'instruction', null]]);
});

test('a request that no chat can say is sent again as it is, as long as the hold covers that', async () => {
  const output = { type: 'local_shell_call_output', id: 'call_1', output: 'done' };
  const input = [{ role: 'user', content: 'hi' }, output];
  for (const free of [99, 0]) {
    const stage = nativeStage({ free });
    saysNatively(stage, '{"a":"x"}', '{"a":"y"}', '{"a":"z"}', GOOD);
    const { caller, done } = stage.send({ ...RESPONSES, input }, {}, 'responses');
    await done;
    expect(caller.refusal).toMatchObject({ code: 'OUTPUT_NOT_CONFORMING' });
    expect(caller.refusal?.message).toContain("the JSON schema of 'text.format'.");
    expect(stage.tried.map(([, strategy]) => strategy)).toEqual(Array.from({ length: 3 }, () => 'passthrough'));
  }
});
