import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL, StageCaller } from '../../../../test/support/gate-stage.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { DIALECTS } from '../../dialects/dialects.ts';
import type { ListedInput } from '../../dialects/dialect.ts';
import type { Model } from '../../../domain/model.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import type { RefusedRequest } from '../../../domain/refused-request.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { turnsOf } from '../../../../test/support/turns-of.ts';
import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import type { CountNative, Upstream } from '../../upstreams/upstream.ts';
import type { GatewayDeps, ShownReceipt } from '../gateway-deps.ts';
import { KeyRate } from './key-rate.ts';
import { serveCount } from './serve-count.ts';
import { serveInputItems } from './serve-input-items.ts';
import { serveKey } from './serve-key.ts';
import { serveModels } from './serve-models.ts';
import { serveQuote } from './serve-quote.ts';
import { serveReceipt } from './serve-receipt.ts';
import { deleteResponse, serveResponse } from './serve-response.ts';

// Free requests: each answer, each refusal, and which of them count towards a rate limit.

const away = new DatabaseUnavailable('away');
const bug = new Error('a bug');
const stage = new GateStage();

interface Asking {
  readonly body?: object;
  readonly caller?: object;
  readonly parts?: object;
}

/** Serves one request, and returns the caller's answer and the reports. */
async function served(
  serve: (gate: GatewayDeps, caller: StageCaller) => Promise<void>,
  { body = {}, caller = {}, parts = {} }: Asking,
) {
  const refused: RefusedRequest[] = [];
  const own = new GateStage();
  const gate = {
    ...own.gate,
    countRate: new KeyRate(2, new ManualClock()),
    responseRate: new KeyRate(2, new ManualClock()),
    observer: { ...own.gate.observer, refused: (request: RefusedRequest) => void refused.push(request) },
    ...parts,
  } as GatewayDeps;
  const sent = Object.assign(new StageCaller(body), caller);
  await serve(gate, sent);
  const [first] = refused;
  return {
    answer: sent.text === '' ? null : (JSON.parse(sent.text) as Record<string, unknown>),
    headers: sent.headers,
    refusal: sent.refusal,
    reported: first && { endpoint: first.endpoint, model: first.model, isKnown: first.principal !== null },
    counted: own.permits.map(({ ended }) => ended),
    gate,
    requestId: sent.requestId,
  };
}

const NO_KEY = { authorization: undefined };
const codeOf = (refusal: Refusal | null): string | null => refusal?.code ?? null;

const counting = (endpoint: 'messages' | 'responses') => (gate: GatewayDeps, caller: StageCaller) =>
  serveCount(gate, caller, endpoint, DIALECTS[endpoint].counting!);
const inputItems = (gate: GatewayDeps, caller: StageCaller) =>
  serveInputItems(gate, caller, 'resp_1', { query: new URLSearchParams(), list: DIALECTS.responses.listInput! });

test.each<[string, Parameters<typeof served>[0], string, string | null]>([
  ['models', (gate, caller) => serveModels(gate, caller, null), 'models', null],
  ['a model', (gate, caller) => serveModels(gate, caller, 'chat'), 'models', 'chat'],
  ['a key', serveKey, 'key', null],
  ['a receipt', (gate, caller) => serveReceipt(gate, caller, 'r'), 'receipts', null],
  ['a response', (gate, caller) => serveResponse(gate, caller, 'resp_1'), 'responses', null],
  ['input items', inputItems, 'responses', null],
  ['a count', counting('messages'), 'messages', null],
  ['a quote', serveQuote, 'quote', null],
])('a caller without a key learns nothing, and its refusal is reported: %s', async (_what, serve, endpoint, model) => {
  const { answer, refusal, reported } = await served(serve, { caller: NO_KEY });
  expect([answer, codeOf(refusal)]).toEqual([null, 'INVALID_API_KEY']);
  expect(reported).toEqual({ endpoint, model, isKnown: false });
});

const OPEN: Model = { ...stage.model, id: 'open', createdAtMs: 1_700_000_000_999 };
const EMBEDDING: Model = { ...OPEN, id: 'open/embed', terms: { ...OPEN.terms, kind: 'embedding', maxOutput: 0 } };
const MODELS = [OPEN, { ...OPEN, id: 'closed' }, EMBEDDING];
const CATALOGUE = {
  catalogue: { list: () => MODELS, find: (id: string) => MODELS.find((model) => model.id === id) },
  principals: { find: () => ({ ...PRINCIPAL, policies: [['open*']] }) },
};
const OPENAI = {
  id: 'open',
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'faregate',
  context_window: 100_000,
  max_output_tokens: 1_000,
};
const ANTHROPIC = {
  type: 'model',
  id: 'open',
  display_name: 'open',
  created_at: '2023-11-14T22:13:20.999Z',
  max_input_tokens: 100_000,
  max_tokens: 1_000,
};
const BY_ANTHROPIC = { anthropicVersion: '2023-06-01' };

test('a caller sees the models that it may call, in the form of its API', async () => {
  const { max_output_tokens: _none, ...embedding } = { ...OPENAI, id: 'open/embed' };
  const list = (caller: object) => served((gate, each) => serveModels(gate, each, null), { caller, parts: CATALOGUE });
  expect((await list({})).answer).toEqual({ object: 'list', data: [OPENAI, embedding] });
  expect((await list(BY_ANTHROPIC)).answer).toEqual({
    data: [ANTHROPIC],
    has_more: false,
    first_id: 'open',
    last_id: 'open',
  });
});

test.each<[string, object, object | null]>([
  ['open', {}, OPENAI],
  ['open', BY_ANTHROPIC, ANTHROPIC],
  ['open/embed', BY_ANTHROPIC, null],
  ['closed', {}, null],
  ['none', {}, null],
])('a caller sees the model %s if it may call it: %j', async (id, caller, expected) => {
  const { answer, refusal, reported } = await served((gate, each) => serveModels(gate, each, id), {
    caller,
    parts: CATALOGUE,
  });
  expect(answer).toEqual(expected);
  if (expected !== null) return;
  expect(refusal).toMatchObject({ code: 'MODEL_NOT_FOUND', param: 'model', message: expect.stringContaining(id) });
  expect(reported).toEqual({ endpoint: 'models', model: id, isKnown: true });
});

test('a key is told what it is and may call, or why not', async () => {
  const reading = (read: object) => served(serveKey, { parts: { ...CATALOGUE, keyReads: { read: () => read } } });
  const { answer, headers } = await reading(Promise.resolve({ id: 'k' }));
  expect(answer).toEqual({ object: 'key', id: 'k', models: ['open', 'open/embed'] });
  expect(headers).toEqual([]);
  const refused = await reading(Promise.resolve(refuse('RATE_LIMITED', 'slowly')));
  expect([refused.answer, codeOf(refused.refusal)]).toEqual([null, 'RATE_LIMITED']);
  expect(refused.reported).toEqual({ endpoint: 'key', model: null, isKnown: true });
});

const RECEIPT: ShownReceipt = { keyId: PRINCIPAL.keyId, json: { request_id: 'r' } };

test('a receipt is shown to the key whose request it was, and to no other', async () => {
  const asked: unknown[] = [];
  const reading = (find: () => Promise<ShownReceipt | null>) =>
    served((gate, caller) => serveReceipt(gate, caller, 'r'), {
      parts: {
        receipts: {
          find: (...which: unknown[]) => {
            asked.push(which);
            return find();
          },
        },
      },
    });
  const own = await reading(() => Promise.resolve(RECEIPT));
  expect(own.answer).toEqual({ object: 'receipt', request_id: 'r' });
  expect(asked).toEqual([[PRINCIPAL, 'r']]);
  for (const found of [null, { ...RECEIPT, keyId: 'another' }]) {
    const { refusal, reported } = await reading(() => Promise.resolve(found));
    expect(refusal).toEqual({
      kind: 'refusal',
      code: 'NOT_FOUND',
      message: 'This key has no receipt with this request id. Only requests that reached a provider have one.',
      param: null,
    });
    expect(reported).toEqual({ endpoint: 'receipts', model: null, isKnown: true });
  }
  expect((await reading(() => Promise.reject(away))).refusal).toEqual({
    kind: 'refusal',
    code: 'SERVICE_UNAVAILABLE',
    message: 'Receipts could not be read. Try again in a moment.',
    param: null,
    retryAfterMs: 1_000,
  });
  await expect(reading(() => Promise.reject(bug))).rejects.toBe(bug);
});

const NOT_FOUND = { kind: 'refusal', code: 'NOT_FOUND', message: "Response with id 'resp_1' not found.", param: null };
const UNREADABLE = {
  kind: 'refusal',
  code: 'SERVICE_UNAVAILABLE',
  message: 'Responses could not be read. Nothing was charged; try again in a moment.',
  param: null,
  retryAfterMs: 1_000,
};

test('a kept response is read and deleted by its workspace, as it was sent', async () => {
  const asked: unknown[] = [];
  const store = (result: () => unknown) => ({
    responses: Object.fromEntries(
      ['read', 'delete'].map((name) => [
        name,
        (...which: unknown[]) => {
          asked.push(which);
          return Promise.try(result);
        },
      ]),
    ),
  });
  const read = (result: () => unknown) =>
    served((gate, caller) => serveResponse(gate, caller, 'resp_1'), { parts: store(result) });
  const remove = (result: () => unknown) =>
    served((gate, caller) => deleteResponse(gate, caller, 'resp_1'), { parts: store(result) });
  expect((await read(() => [Buffer.from('{"id":'), Buffer.from('1}')])).answer).toEqual({ id: 1 });
  expect((await remove(() => true)).answer).toEqual({ id: 'resp_1', object: 'response', deleted: true });
  expect(asked).toEqual([
    [PRINCIPAL.workspaceId, 'resp_1'],
    [PRINCIPAL.workspaceId, 'resp_1'],
  ]);
  const missing = await read(() => null);
  expect([missing.refusal, missing.answer]).toEqual([NOT_FOUND, null]);
  expect(missing.reported).toEqual({ endpoint: 'responses', model: null, isKnown: true });
  expect((await remove(() => false)).refusal).toEqual(NOT_FOUND);
  const fails = (fault: Error) => () => {
    throw fault;
  };
  expect((await read(fails(away))).refusal).toEqual(UNREADABLE);
  await expect(read(fails(bug))).rejects.toBe(bug);
});

test('a key reads or deletes so many responses a minute only', async () => {
  const responses = { read: () => Promise.resolve([Buffer.from('{}')]) };
  const parts = { responses, responseRate: new KeyRate(1, new ManualClock()) };
  const read = () => served((gate, caller) => serveResponse(gate, caller, 'resp_1'), { parts });
  expect((await read()).refusal).toBeNull();
  expect((await read()).refusal).toEqual({
    kind: 'refusal',
    code: 'RATE_LIMITED',
    message: 'A key may read or delete 1 responses per minute. Retry in 60000 ms.',
    param: null,
    retryAfterMs: 60_000,
  });
});

test('the input of a kept response is listed, as far as memory goes', async () => {
  const items: readonly ListedInput[] = [
    { requestId: 'one', pieces: [Buffer.from('{"type":"message","role":"user",'), Buffer.from('"content":"hi"}')] },
    { requestId: 'two', pieces: [Buffer.from('{"type":"message","role":"user","content":"more"}')] },
  ];
  const bytes = items.flatMap(({ pieces }) => pieces).reduce((sum, { length }) => sum + length, 0);
  const reserved: number[] = [];
  const asked: unknown[] = [];
  const list = (found: unknown, isRoom = true, query = '') =>
    served(
      (gate, caller) =>
        serveInputItems(gate, caller, 'resp_1', {
          query: new URLSearchParams(query),
          list: DIALECTS.responses.listInput!,
        }),
      {
        caller: {
          reserve: (wanted: number) => {
            reserved.push(wanted);
            return isRoom;
          },
        },
        parts: {
          responses: {
            findInput: (...which: unknown[]) => {
              asked.push(which);
              return Promise.resolve(found);
            },
          },
        },
      },
    );
  const { answer } = await list(items);
  expect(answer).toMatchObject({
    object: 'list',
    data: [{ content: expect.anything() }, { content: expect.anything() }],
  });
  expect(asked).toEqual([[PRINCIPAL.workspaceId, 'resp_1', 1_000_000]]);
  expect(reserved).toEqual([bytes]);
  expect((await list('missing')).refusal).toEqual(NOT_FOUND);
  expect((await list('too_large')).refusal).toMatchObject({
    code: 'INVALID_REQUEST',
    message: "The conversation of response 'resp_1' is longer than 1000000 bytes.",
  });
  expect((await list(items, false)).refusal).toEqual({
    kind: 'refusal',
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many large requests are being served. Try again in a moment.',
    param: null,
    retryAfterMs: 1_000,
  });
  expect((await list(items, true, 'limit=x')).refusal).toMatchObject({ code: 'INVALID_REQUEST', param: 'limit' });
});

const MESSAGES = { model: 'chat', messages: [{ role: 'user', content: 'hello' }] };

/** Providers that count tokens, each with its number, and the requests that they got. */
function counters(counts: readonly (number | null)[], settings: object = {}) {
  const asked: Parameters<CountNative>[0][] = [];
  const routes = counts.map((_, at) => ({ provider: `p${at}`, upstreamModel: `m${at}` }));
  const model = { ...stage.model, routes };
  const of = ({ provider }: { provider: string }): Partial<Upstream> | undefined => {
    const count = counts[Number(provider.slice(1))];
    if (count === null) return {};
    const messages: CountNative = (call) => {
      asked.push(call);
      return Promise.resolve(count ?? null);
    };
    return { counts: { messages } };
  };
  const parts = { catalogue: { find: () => model, list: () => [model] }, upstreams: { of }, ...settings };
  return { asked, parts };
}

test('tokens are counted by the first provider that counts, for nothing', async () => {
  const { asked, parts } = counters([null, 17, 99]);
  const { answer, headers, counted, requestId } = await served(counting('messages'), { body: MESSAGES, parts });
  expect([answer, headers, counted]).toEqual([{ input_tokens: 17 }, [], []]);
  expect(asked).toMatchObject([{ upstreamModel: 'm1', requestId, contextWindow: 100_000 }]);
});

test('tokens are estimated where no provider counts, and the answer says so', async () => {
  const estimate = { input_tokens: Math.ceil(JSON.stringify(MESSAGES).length / 4) };
  const said = ['x-faregate-estimate', 'true'];
  const resting = { health: { of: () => ({ waitMs: () => 1 }), drains: () => false } };
  for (const parts of [
    counters([null]).parts,
    counters([], {}).parts,
    counters([17], resting).parts,
    { ...counters([17]).parts, upstreams: { of: () => undefined } },
  ]) {
    const { answer, headers } = await served(counting('messages'), { body: MESSAGES, parts });
    expect([answer, headers]).toEqual([estimate, said]);
  }
  const failing = counters([17]);
  const none = { ...failing.parts, upstreams: { of: () => ({ counts: { messages: () => Promise.resolve(null) } }) } };
  expect((await served(counting('messages'), { body: MESSAGES, parts: none })).headers).toEqual(said);
});

test('an estimate counts images and files by the model’s caps or by what they come to mostly, up to its window', async () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const file = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } };
  const estimateOf = async (content: readonly object[], terms: object): Promise<number> => {
    const model = { ...stage.model, terms: { ...stage.model.terms, ...terms } };
    const body = { model: 'chat', messages: [{ role: 'user', content }] };
    const parts = { catalogue: { find: () => model, list: () => [model] } };
    const { answer } = await served(counting('messages'), { body, parts });
    return Number(answer?.['input_tokens']);
  };
  const media = { imageTokens: 10, audioTokens: null, fileTokens: 200 };
  const of = async (content: readonly object[], unknown: number, known: number): Promise<void> => {
    const rest = (await estimateOf(content, {})) - unknown;
    expect(await estimateOf(content, { media })).toBe(rest + known);
    expect(rest).toBeLessThan(100);
    expect(rest).toBeGreaterThan(0);
  };
  await of([image, image], 3_200, 20);
  await of([file], 3_000, 200);
  await of([image, file], 4_600, 210);
  expect(await estimateOf([file], { contextWindow: 70 })).toBe(70);
});

test.each<[string, Asking, string, string | null, number]>([
  ['a body that is none', { body: { ...MESSAGES, messages: 'hi' } }, 'INVALID_REQUEST', null, 1],
  [
    'a body of another type',
    { body: MESSAGES, caller: { contentType: 'text/plain' } },
    'UNSUPPORTED_MEDIA_TYPE',
    null,
    1,
  ],
  ['an unknown model', { body: { ...MESSAGES, model: 'none' } }, 'MODEL_NOT_FOUND', 'none', 0],
  ['an unknown field', { body: { ...MESSAGES, novel: 1 } }, 'INVALID_REQUEST', 'chat', 1],
])('a count is refused, and its body counts towards the rate: %s', async (_what, asking, code, model, counted) => {
  const result = await served(counting('messages'), asking);
  expect([result.answer, codeOf(result.refusal)]).toEqual([null, code]);
  expect(result.reported).toEqual({ endpoint: 'messages', model, isKnown: true });
  expect(result.counted).toEqual(Array.from({ length: counted }, () => ({ used: 0 })));
});

test('a count of a caller that has left is none, and a key has so many of them a minute', async () => {
  const gone = await served(counting('messages'), { caller: { readBody: () => 'gone' } });
  expect([gone.answer, gone.refusal]).toEqual([null, null]);
  const parts = { countRate: new KeyRate(1, new ManualClock()) };
  const count = () => served(counting('messages'), { body: MESSAGES, parts });
  expect((await count()).refusal).toBeNull();
  expect((await count()).refusal).toEqual({
    kind: 'refusal',
    code: 'RATE_LIMITED',
    message: 'A key may have tokens counted 1 times per minute. Retry in 60000 ms.',
    param: null,
    retryAfterMs: 60_000,
  });
});

test('a count of a request that goes on from a response counts what it goes on from, if that is kept', async () => {
  const body = { model: 'chat', previous_response_id: 'resp_1', input: 'more' };
  const chain = (items: string) => ({ items: [Buffer.from(items)], requestIds: ['r'] });
  const count = (found: unknown) =>
    served(counting('responses'), {
      body,
      parts: { responses: { keepMs: 1, keepsFor: () => true, findChain: () => Promise.resolve(found) } },
    });
  const tokensOf = async (text: string): Promise<number> =>
    Number((await count(chain(JSON.stringify({ role: 'user', content: text })))).answer?.['input_tokens']);
  expect((await tokensOf('x'.repeat(4_001))) - (await tokensOf('x'))).toBe(1_000);
  const missing = await count('missing');
  expect(codeOf(missing.refusal)).toBe('NOT_FOUND');
  expect(missing.counted).toEqual([{ used: 0 }]);
});

test('a count of a request that goes on from nothing looks up no response', async () => {
  const body = { model: 'chat', input: 'hi' };
  const { answer, refusal } = await served(counting('responses'), { body, parts: { responses: { keepMs: 0 } } });
  expect(refusal).toBeNull();
  expect(answer).toMatchObject({ input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
});

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 };

/** Purses with a scripted verdict. */
const purses = (has: boolean, more: object = {}) => ({
  purses: {
    available: () => null,
    acquaint: () => Promise.resolve(null),
    fits: () => has,
    drawProbe: () => Promise.resolve(false),
    probe: () =>
      Promise.resolve({
        kind: 'short',
        transient: false,
        available: 1n,
        levels: [{ level: 'workspace', code: 'INSUFFICIENT_BALANCE', limit: 1n, used: 0n, held: 0n, resetsAtMs: null }],
      }),
    ...more,
  },
});

test('a quote says what a request would hold and cost, whom it would go to, and nothing is held', async () => {
  const { answer, counted } = await served(serveQuote, { body: CHAT, parts: purses(true) });
  expect(answer).toMatchObject({
    object: 'quote',
    allowed: true,
    model: 'chat',
    route: { provider: 'p', model: 'm' },
    price_version_id: '1',
    price_version: 1,
    output_tokens_max: 10,
    cost_min_usd: '0.00',
    fees: [],
    shortened_to_tokens: null,
    refusal: null,
  });
  expect(answer?.['hold_usd']).toBe(answer?.['cost_max_usd']);
  expect(answer?.['hold_nano_usd']).toBe(String(Number(answer?.['input_tokens_max']) + 100));
  expect(counted).toEqual([]);
});

test('a quote that the money does not cover has the refusal beside it, and one that waits is allowed', async () => {
  const short = await served(serveQuote, { body: CHAT, parts: purses(false) });
  expect(short.answer).toMatchObject({ allowed: false, refusal: { code: 'INSUFFICIENT_BALANCE' } });
  expect(short.refusal).toBeNull();
  const waiting = await served(serveQuote, {
    body: CHAT,
    parts: purses(false, { probe: () => Promise.resolve(null) }),
  });
  expect(waiting.answer).toMatchObject({ allowed: true, refusal: null });
  const large = { ...stage.model, terms: { ...stage.model.terms, maxOutput: 100_000, contextWindow: 10_000_000 } };
  const drawn = await served(serveQuote, {
    body: { ...CHAT, max_tokens: undefined },
    parts: {
      catalogue: { find: () => large, list: () => [large] },
      ...purses(false, { drawProbe: () => Promise.resolve(true), available: () => 2_000_000n }),
    },
  });
  expect(drawn.answer).toMatchObject({ allowed: true, output_tokens_max: 50_000, shortened_to_tokens: 50_000 });
  const shortOfAny = await served(serveQuote, {
    body: { ...CHAT, max_tokens: undefined },
    parts: { catalogue: { find: () => large, list: () => [large] }, ...purses(false, { available: () => 2_000_000n }) },
  });
  expect(shortOfAny.answer).toMatchObject({ allowed: false, refusal: { code: 'INSUFFICIENT_BALANCE' } });
  const unread = await served(serveQuote, {
    body: CHAT,
    parts: purses(false, { acquaint: () => Promise.resolve({ kind: 'unavailable' }) }),
  });
  expect([unread.answer, codeOf(unread.refusal)]).toEqual([null, 'SERVICE_UNAVAILABLE']);
  expect(unread.reported).toEqual({ endpoint: 'quote', model: 'chat', isKnown: true });
});

test('a quote names each fee that may be due, and how often', async () => {
  const price = { ...stage.model.terms.price, fees: { request: 7n, web_search: 30n } };
  const tools = { web_search: { maxUses: 2, inputTokens: 0 } };
  const model = { ...stage.model, terms: { ...stage.model.terms, price, tools } };
  const quoteOf = (body: object) =>
    served(serveQuote, { body, parts: { catalogue: { find: () => model, list: () => [model] }, ...purses(true) } });
  const request = { use: 'request', uses_max: 1, fee_usd: '0.000000007', fee_nano_usd: '7' };
  expect((await quoteOf(CHAT)).answer).toMatchObject({ fees: [request], fees_max_nano_usd: '7' });
  const search = { ...CHAT, web_search_options: {} };
  expect((await quoteOf(search)).answer).toMatchObject({
    fees: [request, { use: 'web_search', fee_nano_usd: '30' }],
  });
});

test('a quote of a model without a route that may be tried names none', async () => {
  const model = { ...stage.model, routes: [] };
  const parts = { catalogue: { find: () => model, list: () => [model] }, ...purses(true) };
  expect((await served(serveQuote, { body: CHAT, parts })).answer).toMatchObject({ route: null });
});

/** A provider of legacy completions, which have no chat form. */
const ALL_NATIVE = { natives: { completions: () => undefined } };

test.each<[string, object, object]>([
  ['chat', CHAT, {}],
  ['messages', { ...CHAT, stop_sequences: ['x'] }, BY_ANTHROPIC],
  ['responses', { model: 'chat', input: 'hi', max_output_tokens: 10 }, {}],
  ['completions', { model: 'chat', prompt: 'hi', max_tokens: 10 }, {}],
])('a body is quoted as the endpoint reads it that it is for: %s', async (_which, body, caller) => {
  const { answer } = await served(serveQuote, {
    body,
    caller,
    parts: { responses: { keepsFor: () => false }, upstreams: { of: () => ALL_NATIVE }, ...purses(true) },
  });
  expect(answer).toMatchObject({ allowed: true, output_tokens_max: 10 });
});

test.each<[string, object, string]>([
  ['both a prompt and messages', { ...CHAT, prompt: 'hi' }, 'prompt'],
  ['neither of them', { model: 'chat' }, 'messages'],
])('a body is quoted as a chat that has %s, and refused as such', async (_what, body, param) => {
  const { answer, refusal } = await served(serveQuote, {
    body,
    parts: { upstreams: { of: () => ALL_NATIVE }, ...purses(true) },
  });
  expect([answer, codeOf(refusal), refusal?.param]).toEqual([null, 'INVALID_REQUEST', param]);
});

test('input to embed is quoted for a model of embeddings alone', async () => {
  const model = { ...EMBEDDING, id: 'chat' };
  const parts = { catalogue: { find: () => model, list: () => [model] }, ...purses(true) };
  const { answer } = await served(serveQuote, { body: { model: 'chat', input: ['abcd'] }, parts });
  expect(answer).toMatchObject({ input_tokens_max: 6, output_tokens_max: 0, hold_nano_usd: '6' });
});

const SPOKEN = { ...CHAT, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } };

test.each<[string, Asking, string, string | null, number]>([
  ['no body', { body: CHAT, caller: { readBody: () => Buffer.alloc(0) } }, 'INVALID_REQUEST', null, 1],
  ['no model', { body: { messages: [] } }, 'INVALID_REQUEST', null, 1],
  ['an unknown model', { body: { ...CHAT, model: 'none' } }, 'MODEL_NOT_FOUND', 'none', 0],
  ['a body that is none', { body: { ...CHAT, messages: 'hi' } }, 'INVALID_REQUEST', 'chat', 1],
  ['what the model can’t', { body: SPOKEN }, 'INVALID_REQUEST', 'chat', 0],
  ['what no provider reads', { body: { ...CHAT, novel: 1 } }, 'INVALID_REQUEST', 'chat', 1],
  [
    'what is kept nowhere',
    {
      body: { model: 'chat', input: 'hi', previous_response_id: 'resp_1' },
      parts: { responses: { keepMs: 0, keepsFor: () => false } },
    },
    'INVALID_REQUEST',
    'chat',
    1,
  ],
])('a quote is refused as the request would be: %s', async (_what, asking, code, model, counted) => {
  const result = await served(serveQuote, { ...asking, parts: { ...purses(true), ...asking.parts } });
  expect([result.answer, codeOf(result.refusal)]).toEqual([null, code]);
  expect(result.reported).toEqual({ endpoint: 'quote', model, isKnown: true });
  expect(result.counted).toEqual(Array.from({ length: counted }, () => ({ used: 0 })));
});

test('a quote of a caller that has left is none', async () => {
  const { answer, refusal, reported } = await served(serveQuote, { caller: { readBody: () => 'gone' } });
  expect([answer, refusal, reported]).toEqual([null, null, undefined]);
});

/** A chat of this many bytes. */
function chatOf(bytes: number): object {
  const [chat, frame] = [{ ...CHAT, messages: [{ role: 'user', content: '' }] }, JSON.stringify(CHAT).length - 2];
  return { ...chat, messages: [{ role: 'user', content: 'x'.repeat(bytes - frame) }] };
}

/** Pieces of this total length, of one input item. */
function itemOf(bytes: number): Buffer[] {
  const [start, end] = [Buffer.from('{"type":"message","role":"user","content":"'), Buffer.from('"}')];
  return [start, Buffer.alloc(bytes - start.length - end.length, 'x'), end];
}

test.each<[string, Parameters<typeof served>[0], (bytes: number) => Asking, number]>([
  ['a count', counting('messages'), (bytes) => ({ body: chatOf(bytes), parts: counters([17]).parts }), 1],
  ['a quote, whose model is found first', serveQuote, (bytes) => ({ body: chatOf(bytes), parts: purses(true) }), 2],
  [
    'a response',
    (gate, caller) => serveResponse(gate, caller, 'resp_1'),
    (bytes) => ({ parts: { responses: { read: () => Promise.resolve(itemOf(bytes)) } } }),
    1,
  ],
  [
    'input items',
    inputItems,
    (bytes) => ({
      parts: { responses: { findInput: () => Promise.resolve([{ requestId: 'one', pieces: itemOf(bytes) }]) } },
    }),
    1,
  ],
])('what has more than a mebibyte waits for turns of its own: %s', async (_what, serve, askingFor, turns) => {
  for (const [bytes, expected] of [
    [LARGE_BYTES, 0],
    [LARGE_BYTES + 1, turns],
  ] as const) {
    const asking = askingFor(bytes);
    let result: Awaited<ReturnType<typeof served>> | null = null;
    expect(await turnsOf(async () => (result = await served(serve, asking)))).toBe(expected);
    expect(result).toMatchObject({ refusal: null });
  }
});
