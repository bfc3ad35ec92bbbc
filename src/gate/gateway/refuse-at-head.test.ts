import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL, StageCaller } from '../../../test/support/gate-stage.ts';
import type { Model } from '../../domain/model.ts';
import type { FailingLevel } from '../../domain/refusals.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { HoldFailure } from '../purses/leases/purses.ts';
import { Permit } from '../purses/permits/permit.ts';
import type { PermitOutcome } from '../purses/permits/rate-limiter.ts';
import type { Caller } from './caller.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { isJudgedAtHead, refuseAtHead } from './refuse-at-head.ts';

const CHAT = new GateStage().model;
/** Input at 3 nano-USD a token: the template of a chat alone is 1,024 tokens, a text to embed 2. */
const priced = (id: string, input: bigint, kind: 'chat' | 'embedding' = 'chat'): Model => ({
  ...CHAT,
  id,
  terms: { ...CHAT.terms, kind, price: { rates: { ...CHAT.terms.price.rates, input: input * 1_000_000n }, tiers: [] } },
});
const LEVEL: FailingLevel = {
  level: 'workspace',
  code: 'INSUFFICIENT_BALANCE',
  limit: 9n,
  used: 2n,
  held: 3n,
  resetsAtMs: null,
};
const SHORT: HoldFailure = { kind: 'short', transient: false, levels: [LEVEL], available: 4n };
const STANDING = { requests: null, tokens: null };

interface Situation {
  readonly permit?: PermitOutcome;
  readonly lacks?: HoldFailure | null;
  /** At list prices. */
  readonly models?: readonly Model[];
  /** The prices of its workspace, if they differ. */
  readonly own?: readonly Model[];
  readonly isClaimed?: boolean | Error;
  readonly endpoint?: 'chat' | 'embeddings';
  readonly caller?: { -readonly [Name in keyof Caller]?: Caller[Name] };
}

/** The result for a request's head, and the amounts that its purses were asked for. */
async function atHead({ permit, lacks = null, models = [priced('a', 1n)], ...rest }: Situation) {
  const { own = [], isClaimed = false, endpoint = 'chat', caller = {} } = rest;
  const [asked, uses, back]: [bigint[], object[], number[]] = [[], [], []];
  const source = { takeBack: (tokens: number) => void back.push(tokens), correct: () => {}, standing: () => STANDING };
  const gate = {
    permits: { take: () => permit ?? new Permit(source, 0, true) },
    purses: {
      lacks: (_principal: unknown, amount: bigint) => {
        asked.push(amount);
        return Promise.resolve(lacks);
      },
    },
    catalogue: {
      list: () => models,
      find: (id: string, workspaceId: string) =>
        [...(workspaceId === PRINCIPAL.workspaceId ? own : []), ...models].find((model) => model.id === id),
    },
    idempotency: {
      isClaimed: (use: object) => {
        uses.push(use);
        return typeof isClaimed === 'boolean' ? Promise.resolve(isClaimed) : Promise.reject(isClaimed);
      },
    },
  } as unknown as GatewayDeps;
  const sent = Object.assign(new StageCaller({ model: 'a' }), caller);
  const refusal = await refuseAtHead(gate, sent, { ...PRINCIPAL, policies: [['a*']] }, endpoint);
  return { refusal, asked, uses, back };
}

test.each([
  [65_536, false],
  [65_537, true],
  [null, true],
])('a body of %s bytes is judged by its head: %s', (bodyBytes, isJudged) => {
  expect(isJudgedAtHead({ bodyBytes } as Caller)).toBe(isJudged);
});

test('a request is refused at its head for money that the cheapest request to any callable model of its kind needs', async () => {
  const models = [priced('a1', 7n), priced('a2', 3n), priced('a3', 5n), priced('b', 1n), priced('a4', 2n, 'embedding')];
  const chat = await atHead({ models, lacks: SHORT });
  expect(chat.asked).toEqual([3n * 1_024n]);
  expect(chat.back).toEqual([0]);
  expect(chat.refusal).toEqual({
    kind: 'refusal',
    code: 'INSUFFICIENT_BALANCE',
    message:
      "The workspace's balance does not cover this request. Any request needs 0.000003072 USD or more, and 0.000000004 USD is free. To admit it, add credit to the workspace.",
    param: null,
    shouldRetry: false,
    shortage: {
      levels: [LEVEL],
      needed: 3_072n,
      transient: false,
      maxTokensThatFit: null,
      fix: 'To admit it, add credit to the workspace.',
    },
  });
  expect((await atHead({ models, lacks: SHORT, endpoint: 'embeddings' })).asked).toEqual([4n]);
  expect((await atHead({ models, lacks: null })).refusal).toBeNull();
  expect((await atHead({ models, own: [priced('a3', 2n)], lacks: SHORT })).asked).toEqual([2n * 1_024n]);
});

test.each<[string, Situation]>([
  ['its purses can’t be read', { lacks: { kind: 'unavailable' } }],
  ['no purse is known to lack it', { lacks: { ...SHORT, levels: [] } }],
  ['its caller may call no model', { lacks: SHORT, models: [] }],
  ['its caller may call no model of the kind', { lacks: SHORT, endpoint: 'embeddings' }],
  ['its body will be refused anyway', { lacks: SHORT, caller: { contentType: 'text/plain' } }],
  ['its limits can’t be checked', { permit: { kind: 'unavailable' } }],
  [
    'a place may be free again once it has come',
    { permit: { kind: 'exceeded', limit: 'concurrency', most: 1, retryAfterMs: 5, standing: STANDING } },
  ],
])('a request is not refused at its head if %s', async (_why, situation) => {
  expect((await atHead(situation)).refusal).toBeNull();
});

test.each([
  ['requests', 5, 'This project is limited to 7 requests a minute. Retry in 5 ms.', {}],
  ['tokens', 60_000, 'This project is limited to 7 tokens a minute. Retry in 60000 ms.', {}],
  ['tokens', 60_001, 'This project is limited to 7 tokens a minute. Retry in 60001 ms.', { shouldRetry: false }],
] as const)(
  'a request is refused at its head for its rate of %s, %d ms',
  async (limit, retryAfterMs, message, more) => {
    const permit = { kind: 'exceeded', limit, most: 7, retryAfterMs, standing: STANDING } as const;
    const { refusal, asked } = await atHead({ permit, lacks: SHORT });
    expect(refusal).toEqual({
      kind: 'refusal',
      code: 'RATE_LIMITED',
      message,
      param: null,
      retryAfterMs,
      rate: STANDING,
      exceeded: { limit, most: 7 },
      ...more,
    });
    expect(asked).toEqual([]);
  },
);

test('a repeat gets its answer whatever has become of the money since, and what may be one is read', async () => {
  const caller = { idempotencyKey: 'order-7' };
  const claimed = await atHead({ lacks: SHORT, isClaimed: true, caller });
  const { workspaceId, keyId } = PRINCIPAL;
  expect(claimed.refusal).toBeNull();
  expect(claimed.uses).toEqual([{ workspaceId, keyId, idempotencyKey: 'order-7' }]);
  expect((await atHead({ lacks: SHORT, isClaimed: false, caller })).refusal).not.toBeNull();
  expect((await atHead({ lacks: SHORT, isClaimed: new DatabaseUnavailable('away'), caller })).refusal).toBeNull();
  await expect(atHead({ lacks: SHORT, isClaimed: new Error('a bug'), caller })).rejects.toThrow('a bug');
  expect((await atHead({ lacks: null, caller })).uses).toEqual([]);
});
