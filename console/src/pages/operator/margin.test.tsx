import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { marginColumns, type MarginSums, UnknownCosts } from './margin.tsx';

/** What a row with these sums says in each column. */
function textsOf(sums: MarginSums): readonly string[] {
  return marginColumns([sums], (row) => row).map(({ cell }) =>
    renderToStaticMarkup(cell(sums)).replaceAll(/<[^>]*>/g, ''),
  );
}

const SUMS: MarginSums = {
  requests: 2,
  costed_requests: 2,
  net_charge_nano_usd: '10000000000',
  cost_nano_usd: '12000000000',
  margin_nano_usd: '-2000000000',
};

test('a loss stands with its sign, as an amount and as a part of the revenue', () => {
  expect(textsOf(SUMS)).toEqual(['$10.00', '$12.00', '−$2.00', '−20.0%']);
});

test('while some costs are unknown, costs are at least and margins at most what is known', () => {
  const partly = textsOf({ ...SUMS, costed_requests: 1, cost_nano_usd: '4000000000', margin_nano_usd: '6000000000' });
  expect(partly).toEqual(['$10.00', 'at least $4.00', 'at most $6.00', 'at most 60.0%']);
});

test.each([
  [2, /^$/],
  [
    1,
    /^The cost of 50\.0% of these requests is not known: .* So costs are at least, and margins at most, what is shown\.$/,
  ],
  [0, /^The cost of these requests is not known: their routes have no cost in the config file\.$/],
])('where the cost of %i of 2 requests is known, the words say of how many it is not', (costed, words) => {
  const shown = renderToStaticMarkup(<UnknownCosts sums={{ ...SUMS, costed_requests: costed }} />);
  expect(shown.replaceAll(/<[^>]*>/g, '')).toMatch(words);
});
