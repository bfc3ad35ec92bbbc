import { expect, test } from 'vitest';
import { ONE_GRANT, recurringOf } from './grant-terms.tsx';
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

test('a grant that expires on a day says so, and no other posting does', () => {
  expect(postingOf('grant', '5.00', 'why', '2027-01-31')).toEqual({
    kind: 'grant',
    amount_usd: '5.00',
    expires_at: '2027-01-31',
    reason: 'why',
  });
  expect(postingOf('top_up', '5.00', 'why', '2027-01-31')).not.toHaveProperty('expires_at');
});

test('a grant that is given each month is a recurring one, and a single one is not', () => {
  expect(recurringOf(ONE_GRANT, '5.00', 'why')).toBeNull();
  expect(recurringOf({ ...ONE_GRANT, often: 'month', starts: 'next' }, '5.00', 'why')).toEqual({
    amount_usd: '5.00',
    period: 'month',
    expires: 'with_period',
    starts: 'next',
    reason: 'why',
  });
});
