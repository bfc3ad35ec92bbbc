import { expect, test } from 'vitest';
import { type Choice, postingOf } from './posting-create.tsx';

test.each<[Choice, object]>([
  ['grant', { kind: 'grant', amount_usd: '5.00' }],
  ['top_up', { kind: 'top_up', amount_usd: '5.00' }],
  ['refund', { kind: 'refund', amount_usd: '5.00' }],
  ['dispute', { kind: 'dispute', amount_usd: '5.00' }],
  ['won', { kind: 'dispute', won: true, amount_usd: '5.00' }],
  ['add', { kind: 'adjustment', amount_usd: '5.00' }],
  ['take', { kind: 'adjustment', amount_usd: '-5.00' }],
])('what an operator posts as "%s" has the kind and the sign of it', (choice, posting) => {
  expect(postingOf(choice, '5.00', 'why')).toEqual({ ...posting, reason: 'why' });
});
