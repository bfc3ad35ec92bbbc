import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GateStage, plainAnswer } from '../../../test/support/gate-stage.ts';
import { formatUsd } from '../../domain/money.ts';
import { costOf, feesOf, type Price, type Rates } from '../../domain/price.ts';
import type { AttemptRecord } from '../../domain/receipt.ts';
import { TOKEN_CLASSES, type TokenCounts, type Usage } from '../../domain/usage.ts';
import { HOSTED_TOOLS, type ToolUses, USE_CLASSES } from '../../domain/uses.ts';
import { readAnswer } from '../openai/chat-answer.ts';
import type { ReceiptDraft } from '../purses/leases/hold.ts';
import { UNTRACED } from './request-trace.ts';
import type { AdmittedRequest } from './request.ts';
import { NOTHING_USED, type RequestEnd, settle } from './settle.ts';

// A receipt says usage times price, at most the hold, and the rest as a write-off.

const record = <Value>(values: fc.Arbitrary<Value>) =>
  fc
    .tuple(...TOKEN_CLASSES.map(() => values))
    .map((drawn) => Object.fromEntries(TOKEN_CLASSES.map((name, index) => [name, drawn[index]])));
const anyRates = record(fc.bigInt(0n, 5_000_000n)) as fc.Arbitrary<Rates>;
const anyUsage = fc.record({
  tokens: record(fc.nat(50)) as fc.Arbitrary<TokenCounts>,
  certainty: fc.constantFrom('exact', 'estimated'),
}) satisfies fc.Arbitrary<Usage>;
const anyFees = fc.dictionary(fc.constantFrom(...USE_CLASSES), fc.bigInt(0n, 300n), { noNullPrototype: true });
const anyPrice: fc.Arbitrary<Price> = fc
  .tuple(anyRates, fc.nat(300), anyRates, fc.option(anyFees))
  .map(([rates, aboveInputTokens, above, fees]) => ({
    rates,
    tiers: [{ aboveInputTokens, rates: above }],
    ...(fees && { fees }),
  }));
const anyUses: fc.Arbitrary<ToolUses> = fc.dictionary(
  fc.constantFrom(...HOSTED_TOOLS),
  fc.integer({ min: 1, max: 9 }),
  {
    noNullPrototype: true,
  },
);

const attempt = { provider: 'p', upstreamModel: 'm', status: 200, durationMs: 1, fault: null };
const total = (usages: readonly Usage[]): TokenCounts =>
  Object.fromEntries(
    TOKEN_CLASSES.map((name) => [name, usages.reduce((sum, { tokens }) => sum + tokens[name], 0)]),
  ) as TokenCounts;

const totalUses = (uses: readonly ToolUses[]): ToolUses => {
  const counts = HOSTED_TOOLS.map((tool) => [tool, uses.reduce((sum, each) => sum + (each[tool] ?? 0), 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

/** Settles an ending, and returns its receipt and the tokens that its permit was finished with. */
async function settled(
  price: Price,
  hold: bigint,
  ending: RequestEnd,
  routes: readonly object[] = [],
): Promise<{ receipt: ReceiptDraft; used: number }> {
  let [receipt, used]: [ReceiptDraft | null, number] = [null, 0];
  const request = {
    gate: { clock: { monotonicMs: () => 1_250 }, observer: { ended: () => undefined } },
    caller: { requestId: 'r', clientRequestId: null, session: null },
    admission: {
      principal: {},
      model: { id: 'm', terms: { price }, routes },
      quote: { shortened: false },
      parsed: { request: { dialect: { name: 'chat_completions' }, text: { stream: true } } },
      hold: {
        amount: hold,
        close: (draft: ReceiptDraft) => {
          receipt = draft;
          return Promise.resolve();
        },
      },
    },
    permit: { finish: (tokens: number) => (used = tokens) },
    claim: null,
    trace: UNTRACED,
    content: null,
    startedMs: 1_000,
  };
  await settle(request as unknown as AdmittedRequest, ending);
  return { receipt: receipt!, used };
}

test('a receipt has all usage, charged answers that did not conform too, and its cost: the hold at most', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPrice,
      fc.bigInt(0n, 3_000n),
      anyUsage,
      fc.array(fc.option(fc.record({ charged: anyUsage, chargedUses: fc.option(anyUses, { nil: undefined }) })), {
        maxLength: 3,
      }),
      anyUses,
      fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      async (price, hold, usage, rejected, ownUses, requests) => {
        const billed = rejected.filter((each) => each !== null);
        const attempts = rejected.map((each) => ({ ...attempt, ...each }) as AttemptRecord);
        const ending = {
          outcome: 'completed',
          usage,
          uses: ownUses,
          requests,
          attempts,
          firstEventMs: 5,
          isWhole: true,
        } as const;
        const { receipt, used } = await settled(price, hold, ending);
        const all = [usage, ...billed.map(({ charged }) => charged)];
        const toolUses = totalUses([ownUses, ...billed.map(({ chargedUses = {} }) => chargedUses)]);
        const isExact = all.every(({ certainty }) => certainty === 'exact');
        expect(receipt.usage).toEqual({ tokens: total(all), certainty: isExact ? 'exact' : 'estimated' });
        // Together they may reach a higher price tier, which none of them does alone.
        const apart = all.reduce((sum, { tokens }) => sum + costOf(price, tokens), 0n);
        const together = costOf(price, total(all));
        // The fee of the request is for all its answers together, as often as the provider bills it.
        const uses = price.fees?.request === undefined ? toolUses : { request: requests ?? 1, ...toolUses };
        expect(receipt.extras?.uses ?? {}).toEqual(uses);
        expect(receipt.fees).toBe(feesOf(price, uses));
        const cost = (together < apart ? together : apart) + receipt.fees;
        expect(receipt.charge + receipt.writeOff).toBe(cost);
        expect(receipt.charge).toBe(cost < hold ? cost : hold);
        expect(used).toBe(Object.values(total(all)).reduce((sum, tokens) => sum + tokens, 0));
        expect(receipt).toMatchObject({ durationMs: 250, streamed: true, isWhole: true });
      },
    ),
    { numRuns: 500 },
  );
});

test('a receipt counts the request where the price or a provider has a fee for it, unless nothing was used or billed', async () => {
  const rates = Object.fromEntries(TOKEN_CLASSES.map((name) => [name, 1n])) as Rates;
  const priced = (fees?: Price['fees']): Price => ({ rates, tiers: [], ...(fees && { fees }) });
  const used: Usage = { tokens: { ...NOTHING_USED.tokens, input: 5 }, certainty: 'exact' };
  const end = (usage: Usage, attempts: readonly AttemptRecord[] = []): RequestEnd => ({
    outcome: 'completed',
    usage,
    attempts,
    firstEventMs: null,
    isWhole: true,
  });
  const fee = [{ cost: null }, { cost: { fees: { request: 7n } } }];
  const other = [{ cost: null }, { cost: {} }, { cost: { fees: { web_search: 7n } } }];
  const rejected: AttemptRecord = { ...attempt, charged: used };
  for (const [price, routes, ending, counted] of [
    [priced({ request: 9n }), [], end(used), { request: 1 }],
    [priced(), fee, end(used), { request: 1 }],
    [priced(), other, end(used), undefined],
    [priced({ web_search: 9n }), other, end(used), undefined],
    [priced({ request: 9n }), [], end(NOTHING_USED), undefined],
    [priced({ request: 9n }), [], end(NOTHING_USED, [attempt]), undefined],
    // Answers that didn't conform were billed, though none was passed on.
    [priced({ request: 9n }), [], end(NOTHING_USED, [attempt, rejected]), { request: 1 }],
  ] as const) {
    const { receipt } = await settled(price, 10_000n, ending, routes);
    expect(receipt.extras?.uses).toEqual(counted);
  }
});

test('a receipt of a plain call says that it was not streamed, and of usage beyond the hold what the operator bears', async () => {
  const stage = new GateStage();
  const body = plainAnswer('hi', { prompt_tokens: 10, completion_tokens: 1_000_000 });
  stage.attempt = (sink) => sink.answer(body, readAnswer(body));
  const { done } = stage.send({ max_tokens: 10 });
  await done;
  const charge = stage.holds[0] ?? 0n;
  expect(stage.closed).toMatchObject([{ streamed: false, charge, writeOff: 10n + 10_000_000n - charge }]);
});

test('a receipt is there for a maximum cost that is just what the request holds; one nano-USD less is refused', async () => {
  const stage = new GateStage();
  const body = { max_tokens: 10 };
  await stage.send(body).done;
  const hold = stage.holds[0] ?? 0n;
  await stage.send(body, { maxCost: formatUsd(hold) }).done;
  expect(stage.holds).toEqual([hold, hold]);
  const { caller, done } = stage.send(body, { maxCost: formatUsd(hold - 1n) });
  await done;
  expect(caller.refusal?.code).toBe('MAX_COST_EXCEEDED');
  expect(stage.closed).toHaveLength(2);
  expect(stage.permits[2]).toEqual({ quoted: stage.permits[0]?.quoted, ended: { back: stage.permits[0]?.quoted } });
});

test('a receipt of embeddings whose usage is not reported estimates their input by a quarter of its bytes', async () => {
  const stage = new GateStage({ kind: 'embedding' });
  const body = Buffer.from('{"object":"list","data":[]}');
  stage.attempt = (sink) => sink.answer(body, readAnswer(body));
  const { done } = stage.send({ input: ['abcd', 'abcde', 'a'] });
  await done;
  expect(stage.closed).toMatchObject([
    { charge: 3n, usage: { tokens: { input: 3, output: 0 }, certainty: 'estimated' } },
  ]);
  expect(stage.permits).toEqual([{ quoted: 6 + 7 + 3, ended: { used: 3 } }]);
});
