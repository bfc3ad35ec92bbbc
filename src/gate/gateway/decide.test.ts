import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL, StageCaller } from '../../../test/support/gate-stage.ts';
import { type FailingLevel, isRefusal } from '../../domain/refusals.ts';
import type { Quote } from '../../domain/quote.ts';
import type { HoldFailure } from '../purses/leases/purses.ts';
import { decide, type HoldStrategy } from './decide.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { interpret, type ParsedRequest } from './read.ts';
import { textOf } from './text-of.ts';

// A token of input costs 1 nano-USD, one of output 10.

const stage = new GateStage();
const CHAT = { messages: [{ role: 'user', content: 'hi' }] };
const NOW_MS = 77;

function asked(fields: object = {}, { endpoint = 'chat', maxCost }: Asking = {}): ParsedRequest {
  const caller = new StageCaller({}, maxCost === undefined ? {} : { maxCost });
  const parsed = interpret(
    caller,
    Buffer.from(JSON.stringify({ model: 'chat', ...(endpoint === 'chat' && CHAT), ...fields })),
    endpoint,
  );
  if (isRefusal(parsed)) throw new Error(parsed.message);
  return parsed;
}

interface Asking {
  readonly endpoint?: 'chat' | 'responses' | 'embeddings';
  readonly maxCost?: string;
}

interface Money {
  /** Whether a quote can be had from memory, now, and at all. */
  readonly memory?: (quote: Quote) => boolean;
  readonly now?: (quote: Quote) => boolean;
  readonly failure?: HoldFailure | null;
  /** The least of the purses, before and after they are loaded. */
  readonly available?: readonly [bigint | null, bigint | null];
  readonly acquainted?: HoldFailure | null;
}

async function decided(request: ParsedRequest, money: Money = {}, model = stage.model) {
  const {
    memory = () => false,
    now = () => false,
    failure = null,
    available = [null, null],
    acquainted = null,
  } = money;
  const tried: [string, number][] = [];
  const likely: bigint[] = [];
  let isLoaded = false;
  const gate = {
    clock: { nowMs: () => NOW_MS },
    purses: {
      available: () => available[isLoaded ? 1 : 0],
      acquaint: (_principal: unknown, amount: bigint) => {
        likely.push(amount);
        isLoaded = true;
        return Promise.resolve(acquainted);
      },
    },
  } as unknown as GatewayDeps;
  const placing: HoldStrategy<string> = {
    fromMemory: (quote) => {
      tried.push(['memory', quote.cap]);
      return memory(quote) ? 'from memory' : null;
    },
    now: (quote) => {
      tried.push(['now', quote.cap]);
      return Promise.resolve(now(quote) ? 'now' : null);
    },
    wait: (quote) => {
      tried.push(['wait', quote.cap]);
      return Promise.resolve(failure ?? { placed: 'at last' });
    },
  };
  const result = decide(gate, PRINCIPAL, model, request, placing);
  return { isSync: !(result instanceof Promise), decision: await result, tried, likely };
}

const placedOf = async (request: ParsedRequest, money: Money) => {
  const { decision, tried } = await decided(request, money);
  return { placed: 'placed' in decision ? decision.placed : null, cap: decision.quote.cap, tried };
};

/** A quarter of this pays for 25,000 tokens of output. */
const MUCH: readonly [bigint, bigint] = [1_000_000n, 1_000_000n];
const LARGE = { ...stage.model, terms: { ...stage.model.terms, contextWindow: 10_000_000, maxOutput: 100_000 } };

test('a request runs by its best quote if memory has the money for it, without a promise', async () => {
  const { isSync, decision, tried, likely } = await decided(asked(), { memory: () => true });
  expect(isSync).toBe(true);
  expect(decision).toMatchObject({ placed: 'from memory', atMs: NOW_MS, quote: { cap: 1_000, shortened: false } });
  expect([tried, likely]).toEqual([[['memory', 1_000]], []]);
});

test('a request whose purses are seen first when they are drawn is quoted again by what they have', async () => {
  const money = { available: [null, 2_000_000n] as const, now: () => true };
  const { decision, tried, likely } = await decided(asked(), money, LARGE);
  expect(tried).toEqual([
    ['memory', 100_000],
    ['now', 50_000],
  ]);
  expect(likely).toEqual([1_000_000n + inputOf(asked())]);
  expect(decision).toMatchObject({ placed: 'now', atMs: NOW_MS, quote: { cap: 50_000, shortened: true } });
});

/** What the input of a request costs at most: a token for each byte, for its message and for the template. */
const inputOf = ({ request }: ParsedRequest): bigint => BigInt(request.input.bytes + 16 + 1_024);

test('each quote is tried, and the last one waited for', async () => {
  const { decision, tried } = await decided(asked(), { available: [2_000_000n, 2_000_000n] }, LARGE);
  expect(tried).toEqual([
    ['memory', 50_000],
    ['now', 50_000],
    ['wait', 4_096],
  ]);
  expect(decision).toMatchObject({ placed: 'at last', atMs: NOW_MS, quote: { cap: 4_096 } });
});

const withText = (asking: ParsedRequest, more: object): ParsedRequest => {
  const { request } = asking;
  return { ...asking, request: { ...request, text: { ...textOf(request), ...more } } };
};

test('a request has one quote by its maximum, those below its ceiling, or without bounds the model’s', async () => {
  const only = (cap: number, placed = 'at last') => ({
    placed,
    cap,
    tried: [
      ['memory', cap],
      ['wait', cap],
    ],
  });
  expect(await placedOf(asked({ max_tokens: 9 }), { available: MUCH })).toEqual(only(9));
  const ceiling = asked({ max_tokens: 700 });
  expect(await placedOf(withText(ceiling, { isCeiling: true }), { available: [null, null] })).toEqual(only(700));
  expect(await placedOf(withText(ceiling, { isCeiling: true, maxTokens: null }), {})).toEqual(only(1_000));
  expect(await placedOf(withText(ceiling, { isUncapped: true }), { available: [8n, 8n] })).toEqual(only(1_000));
});

test('input to embed has one quote, which no maximum of output is part of', async () => {
  const embedding = { ...stage.model, terms: { ...stage.model.terms, kind: 'embedding' as const } };
  const request = asked({ input: ['abcd', 'ab'] }, { endpoint: 'embeddings' });
  const { decision } = await decided(request, { memory: () => true }, embedding);
  expect(decision).toMatchObject({ quote: { cap: 0, hold: 6n + 4n, inputTokensMax: 10 } });
});

const UNAVAILABLE = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The balance could not be checked. Nothing was charged; try again in a moment.',
  retryAfterMs: 1_000,
};
const level = (name: FailingLevel['level'], code: FailingLevel['code'], resetsAtMs: number | null = null) => ({
  level: name,
  code,
  limit: 9n,
  used: 2n,
  held: 3n,
  resetsAtMs,
});
const WORKSPACE = level('workspace', 'INSUFFICIENT_BALANCE');
const short = (available: bigint, levels: readonly FailingLevel[] = [WORKSPACE], transient = false): HoldFailure => ({
  kind: 'short',
  transient,
  levels,
  available,
});

test.each<[string, Money]>([
  ['its purses can’t be read', { acquainted: { kind: 'unavailable' } }],
  ['they can’t be read any more', { failure: { kind: 'unavailable' } }],
  ['none lacks it by now', { failure: short(0n, []) }],
])('a request is worth sending again if %s', async (_why, money) => {
  const { decision } = await decided(asked(), money);
  expect(decision).toMatchObject({ quote: { cap: 1_000 }, refusal: UNAVAILABLE });
});

/** What a request for 10 tokens of output holds. */
const NEEDED = inputOf(asked({ max_tokens: 10 })) + 100n;
const usd = (amount: bigint): string => `0.${String(amount).padStart(9, '0')}`.replace(/0+$/, '');

test.each<[string, HoldFailure, { code: string; says: string; fix: string; fit: number | null }]>([
  [
    'a smaller maximum would fit',
    short(NEEDED - 30n),
    {
      code: 'INSUFFICIENT_BALANCE',
      says: "The workspace's balance does not cover this request.",
      fix: 'Set max_tokens to 7 or less, or add credit to the workspace.',
      fit: 7,
    },
  ],
  [
    'no smaller one would',
    short(NEEDED - 100n),
    {
      code: 'INSUFFICIENT_BALANCE',
      says: "The workspace's balance does not cover this request.",
      fix: 'To admit it, add credit to the workspace.',
      fit: null,
    },
  ],
  [
    'it would fit now',
    short(NEEDED, [level('project', 'PROJECT_BUDGET_EXCEEDED', 86_400_000), WORKSPACE]),
    {
      code: 'PROJECT_BUDGET_EXCEEDED',
      says: "The project's budget does not cover this request.",
      fix: "To admit it, raise the project's limit, or wait until 1970-01-02T00:00:00.000Z.",
      fit: 10,
    },
  ],
  [
    'its key has a limit that never resets',
    short(NEEDED - 100n, [level('key', 'KEY_SPEND_LIMIT_EXCEEDED')]),
    {
      code: 'KEY_SPEND_LIMIT_EXCEEDED',
      says: "The key's monthly spend limit does not cover this request.",
      fix: "To admit it, raise the key's limit.",
      fit: null,
    },
  ],
])('a refusal for money names the remedy: %s', async (_which, failure, { code, says, fix, fit }) => {
  const { decision } = await decided(asked({ max_tokens: 10 }), { failure });
  const available = failure.kind === 'short' ? failure.available : 0n;
  expect(decision).toMatchObject({ quote: { hold: NEEDED } });
  expect('refusal' in decision && decision.refusal).toEqual({
    kind: 'refusal',
    code,
    message: `${says} This request needs up to ${usd(NEEDED)} USD, and ${usd(available)} USD is free. ${fix}`,
    param: null,
    shouldRetry: false,
    shortage: {
      levels: failure.kind === 'short' && failure.levels,
      needed: NEEDED,
      transient: false,
      maxTokensThatFit: fit,
      fix,
    },
  });
});

test('a refusal for what other requests hold says when to come again', async () => {
  const { decision } = await decided(asked(), { failure: short(0n, [WORKSPACE], true) });
  expect('refusal' in decision && decision.refusal).toMatchObject({
    shouldRetry: true,
    retryAfterMs: 1_000,
    shortage: { transient: true },
  });
});

test('a request is refused if its best quote exceeds its maximum cost, with the maximum that fits', async () => {
  const needed = usd(NEEDED);
  const [exact, less] = [usd(NEEDED), usd(NEEDED - 1n)];
  const maximum = { max_tokens: 10 };
  expect((await decided(asked(maximum, { maxCost: exact }), { memory: () => true })).decision).toMatchObject({
    placed: 'from memory',
  });
  const { decision, isSync, tried } = await decided(asked(maximum, { maxCost: less }), { memory: () => true });
  expect([isSync, tried]).toEqual([true, []]);
  const fix = `Set max_tokens to 9 or less, or x-faregate-max-cost to ${needed} or more.`;
  expect('refusal' in decision && decision.refusal).toEqual({
    kind: 'refusal',
    code: 'MAX_COST_EXCEEDED',
    message: `This request could cost up to ${needed} USD, and its x-faregate-max-cost allows ${less} USD. ${fix}`,
    param: null,
    shouldRetry: false,
    shortage: { levels: [], needed: NEEDED, transient: false, maxTokensThatFit: 9, fix },
  });
});

test('a maximum cost lowers the cap of a request that names none', async () => {
  const request = asked({}, { maxCost: '0.000002' });
  const { decision } = await decided(request, { memory: () => true });
  const cap = Number((2_000n - inputOf(request)) / 10n);
  expect(decision).toMatchObject({ placed: 'from memory', quote: { cap, shortened: true } });
});

test('a request of which nothing would fit is told the cost alone, as is one without a maximum of its own', async () => {
  for (const request of [
    asked({ max_tokens: 10 }, { maxCost: '0.000000009' }),
    { ...asked({ input: 'abcd' }, { endpoint: 'embeddings', maxCost: '0.000000001' }) },
  ]) {
    const { decision } = await decided(request);
    const fix = `Set x-faregate-max-cost to ${usd(decision.quote.hold)} or more.`;
    expect(decision).toMatchObject({ refusal: { shortage: { maxTokensThatFit: null, fix } } });
  }
  const uncapped = asked({ max_tokens: 10 }, { maxCost: '0.000002' });
  const { decision } = await decided(withText(uncapped, { isUncapped: true }), {}, LARGE);
  expect(decision).toMatchObject({ refusal: { shortage: { maxTokensThatFit: null } } });
});

test('a maximum that fits leaves the fees of the request aside', async () => {
  const price = { ...stage.model.terms.price, fees: { request: 40n } };
  const model = { ...stage.model, terms: { ...stage.model.terms, price } };
  const { decision } = await decided(asked({ max_tokens: 10 }), { failure: short(NEEDED + 40n - 25n) }, model);
  expect(decision).toMatchObject({ quote: { fees: 40n }, refusal: { shortage: { maxTokensThatFit: 7 } } });
});

test('callers of another API are told of the maximum by their own name', async () => {
  const request = asked({ input: 'hi', max_output_tokens: 90 }, { endpoint: 'responses', maxCost: '0.0000018' });
  const { decision } = await decided(request);
  const fix = expect.stringMatching(/^Set max_output_tokens to \d+ or less, or x-faregate-max-cost to /);
  expect(decision).toMatchObject({ refusal: { shortage: { fix } } });
});
