import { expect, test } from 'vitest';
import { factText, otherFacts } from './receipt-facts.ts';

const RECEIPT = {
  request_id: 'r-1',
  fees_nano_usd: '4',
  fees_usd: '0.000000004',
  admitted_at: '2026-01-15T00:00:07.250Z',
  duration_ms: 31,
  streamed: false,
  late: true,
  client_request_id: 'mine',
  shortened_to_tokens: null,
  left_out: ['top_k', 'seed'],
  uses: { request: 1, web_search: 2 },
  corrections: [],
};

test('facts of a receipt without a place are shown by their names and values, but for those that say nothing', () => {
  const facts = otherFacts(RECEIPT, ['request_id']);
  expect(facts.map((fact) => [fact.label, factText(fact)])).toEqual([
    ['fees', '0.000000004 USD'],
    ['admitted', '2026-01-15T00:00:07.250Z'],
    ['duration', '31 ms'],
    ['late', 'yes'],
    ['client request id', 'mine'],
    ['left out', 'top_k, seed'],
    ['uses', '1 request, 2 web search'],
  ]);
  expect(otherFacts(RECEIPT, Object.keys(RECEIPT))).toEqual([]);
});
