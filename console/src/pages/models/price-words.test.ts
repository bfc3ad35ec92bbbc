import { expect, test } from 'vitest';
import type { ModelPriceJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { TOKEN_CLASSES } from '../../../../src/domain/usage.ts';
import { USE_CLASSES, type UseClass } from '../../../../src/domain/uses.ts';
import { adjustmentWords, priceChanges } from './price-words.ts';

// What a model's page says of its prices.

const tier = (above: number, inputUsd: number, outputUsd: number): ModelPriceJson['tiers'][number] => ({
  above_input_tokens: above,
  rates: TOKEN_CLASSES.map((tokenClass) => {
    const usd = tokenClass.endsWith('output') ? outputUsd : inputUsd;
    return { class: tokenClass, rate_nano_usd: `${usd}000000000`, rate_usd: String(usd) };
  }),
});

const price = (tiers: ModelPriceJson['tiers'], percent: string | null = null): ModelPriceJson => ({
  version: 1,
  tiers,
  service_tiers: [],
  fees: [],
  adjustment: percent === null ? null : { id: 'an id', change_percent: percent, list_price_version: 1 },
  from: '2026-11-01T00:00:00.000Z',
  to: null,
});

test.each([
  [null, null],
  ['0', null],
  ['-12.5', '12.5% below list'],
  ['20', '20% above list'],
])('an adjustment of %s is told as %s', (percent, words) => {
  expect(adjustmentWords(price([], percent))).toBe(words);
});

test('a change of price names each class whose rate changed, together with those that changed alike', () => {
  expect(priceChanges(price([tier(0, 2, 9)]), price([tier(0, 1, 8)]))).toEqual([
    'Input and 4 more from $1.00 to $2.00',
    'Output, Audio output from $8.00 to $9.00',
  ]);
});

test('an adjustment is told when it begins, when it ends, and with the rates that it changed', () => {
  const [list, discounted] = [price([tier(0, 2, 9)]), price([tier(0, 1, 9)], '-50')];
  expect(priceChanges(discounted, list)).toEqual(['50% below list', 'Input and 4 more from $2.00 to $1.00']);
  expect(priceChanges(list, discounted)).toEqual(['List price again', 'Input and 4 more from $1.00 to $2.00']);
});

test('rates of long inputs that begin, change and end are told with the length that they begin at', () => {
  const [flat, tiered] = [price([tier(0, 1, 8)]), price([tier(0, 1, 8), tier(200_000, 2, 8)])];
  expect(priceChanges(tiered, flat)).toEqual(['Other rates above 200,000 input tokens']);
  expect(priceChanges(flat, tiered)).toEqual(['No other rates above 200,000 input tokens']);
  expect(priceChanges(price([tier(0, 1, 8), tier(200_000, 2, 9)]), tiered)).toEqual([
    'Output, Audio output above 200,000 input tokens from $8.00 to $9.00',
  ]);
});

test('a fee that is added, changes or is removed is told with what it is for, and one that stays is not', () => {
  const withFees = (fees: Partial<Record<UseClass, number>>): ModelPriceJson => ({
    ...price([tier(0, 1, 8)]),
    fees: USE_CLASSES.flatMap((use) =>
      fees[use] === undefined ? [] : [{ use, fee_nano_usd: `${fees[use]}0000000`, fee_usd: '' }],
    ),
  });
  const before = withFees({ request: 3, web_search: 1, computer: 5 });
  expect(priceChanges(withFees({ web_search: 2, computer: 5, mcp: 4 }), before)).toEqual([
    'Fee per web search from $0.01 to $0.02',
    'Fee per MCP call of $0.04 added',
    'Fee per request removed',
  ]);
});

test('a version with the same rates says that none changed, and the first one says nothing', () => {
  expect(priceChanges(price([tier(0, 1, 8)]), price([tier(0, 1, 8)]))).toEqual(['No rate']);
  expect(priceChanges(price([tier(0, 1, 8)]), undefined)).toEqual([]);
});
