import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GateStage } from '../../../../test/support/gate-stage.ts';
import type { ModelTerms } from '../../../domain/model.ts';
import { quoteChat } from '../../../domain/quote.ts';
import type { CompletionRequest } from '../../dialects/dialect.ts';
import type { Admission } from '../admit.ts';
import { AskBudget } from './ask-budget.ts';

// A request that is asked more than once stays within its one hold, and uses all of it.

const CAP = 50;
const CHOICES = 2;
const INPUT_MAX = 400;
const SIZE = { textBytes: 300, messages: 1, images: 0, audios: 0, files: 0 };
/** Input at 1 nano-USD a token, output at 10. */
const terms: ModelTerms = new GateStage().model.terms;
const [{ hold: needed }] = quoteChat(terms, INPUT_MAX, CHOICES, CAP, null);

const TEXT = { choices: CHOICES, outputBeside: 0, size: SIZE };
const ASKED = { text: TEXT, tools: null, audio: null };

function askBudget(admission: object, completion: object): AskBudget {
  return new AskBudget(admission as Admission, completion as CompletionRequest);
}

function budgetOf(hold: bigint, fees = 0n): AskBudget {
  const admission = {
    model: { terms: { ...terms, price: { ...terms.price, fees: { request: fees } } } },
    quote: { inputTokensMax: INPUT_MAX, cap: CAP, hold: needed + fees, fees },
    hold: { amount: hold },
  };
  return askBudget(admission, ASKED);
}

test('a request for text alone may be sent again at the rate of text, whatever audio costs', () => {
  const price = { ...terms.price, rates: { ...terms.price.rates, audio_output: 8n * terms.price.rates.output } };
  const quote = { inputTokensMax: INPUT_MAX, cap: CAP, hold: needed, fees: 0n };
  const coversAgain = (audio: 'wav' | null): boolean => {
    const request = { ...ASKED, audio };
    return askBudget({ model: { terms: { ...terms, price } }, quote, hold: { amount: needed } }, request).coversAgain();
  };
  expect([coversAgain(null), coversAgain('wav')]).toEqual([true, false]);
});

test('the same request may be sent again as long as the hold, less what is spent, covers the worst that it can cost', () => {
  const property = fc.property(
    fc.bigInt(0n, 3_000n),
    fc.bigInt(0n, 3_000n),
    fc.bigInt(0n, 500n),
    (hold, spent, more) => {
      const budget = budgetOf(hold);
      budget.spend(spent);
      budget.spend(more);
      expect(budget.coversAgain()).toBe(needed <= hold - spent - more);
    },
  );
  fc.assert(property, { numRuns: 500 });
  expect(budgetOf(needed).coversAgain()).toBe(true);
  expect(budgetOf(needed - 1n).coversAgain()).toBe(false);
});

test('a longer request counts the tokens of the first, its bytes beyond that, and 64 for the message', () => {
  const property = fc.property(fc.nat(200), fc.nat(1_000), fc.nat(1_500), (inputTokens, bodyBytes, longerBytes) => {
    const input = inputTokens + Math.max(0, longerBytes - bodyBytes) + 64;
    const [{ hold }] = quoteChat(terms, Math.min(input, terms.contextWindow), CHOICES, CAP, null);
    expect(budgetOf(hold).coversLonger({ inputTokens, bodyBytes }, longerBytes)).toBe(true);
    expect(budgetOf(hold - 1n).coversLonger({ inputTokens, bodyBytes }, longerBytes)).toBe(false);
  });
  fc.assert(property);
  const whole = quoteChat(terms, terms.contextWindow, CHOICES, CAP, null)[0].hold;
  expect(budgetOf(whole).coversLonger({ inputTokens: 10, bodyBytes: 0 }, 10_000_000)).toBe(true);
});

test('the fee of a request is for all of its asks together, and none of them may spend it', () => {
  expect(budgetOf(needed + 7n, 7n).coversAgain()).toBe(true);
  expect(budgetOf(needed + 6n, 7n).coversAgain()).toBe(false);
  const twice = budgetOf(2n * needed + 7n, 7n);
  twice.spend(needed);
  expect(twice.coversAgain()).toBe(true);
});

test('the fee of a search that each answer makes is due for each ask, and so is what it reads', () => {
  const usesBound = { each: { web_search: 2 }, total: 2 };
  const tools = { web_search: { maxUses: 1, inputTokens: 100 } };
  const sold = { ...terms, tools, price: { ...terms.price, fees: { request: 7n, web_search: 30n } } };
  const [quote] = quoteChat(sold, INPUT_MAX + 200, CHOICES, CAP, null, { usesBound });
  const completion = { ...ASKED, tools: { bound: usesBound } };
  const holding = (amount: bigint) => askBudget({ model: { terms: sold }, quote, hold: { amount } }, completion);
  const once = holding(quote.hold);
  expect(once.coversAgain()).toBe(true);
  once.spend(1n);
  expect(once.coversAgain()).toBe(false);
  const twice = holding(quote.hold + 61n);
  twice.spend(60n);
  expect(twice.coversAgain()).toBe(true);
  expect(twice.coversLonger({ inputTokens: INPUT_MAX - 64, bodyBytes: 0 }, 1)).toBe(true);
  expect(twice.coversLonger({ inputTokens: INPUT_MAX - 64, bodyBytes: 0 }, 2)).toBe(false);
  // One that is translated has no tools of a provider.
  once.spend(59n);
  expect(once.coversAgain(false)).toBe(true);
  expect(once.coversLonger({ inputTokens: INPUT_MAX + 136, bodyBytes: 0 }, 0, false)).toBe(true);
  once.spend(1n);
  expect(once.coversAgain(false)).toBe(false);
  expect(once.coversLonger({ inputTokens: INPUT_MAX + 136, bodyBytes: 0 }, 0, false)).toBe(false);
});
