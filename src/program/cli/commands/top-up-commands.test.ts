import { expect, test } from 'vitest';
import { topUpText } from './top-up-commands.ts';

const TOP_UP = {
  id: 'a-top-up',
  workspace_id: 'a-workspace',
  provider: 'stripe',
  origin: 'checkout',
  state: 'paid',
  amount_nano_usd: '10000000000',
  amount_usd: '10',
  fee_nano_usd: '800000000',
  fee_usd: '0.8',
  tax_nano_usd: '0',
  tax_usd: '0',
  total_nano_usd: '10800000000',
  total_usd: '10.8',
  refunded_nano_usd: '2000000000',
  refunded_usd: '2',
  disputed_nano_usd: '3000000000',
  disputed_usd: '3',
  saves_method: false,
  checkout_url: 'https://pay.test/1',
  expires_at: null,
  payment: 'pi_1',
  posting_id: 'a-posting',
  failure: null,
  actor: 'ada@example.com',
  once: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
} as const;

/** The lines of a top-up's text, each with its words one blank apart. */
const linesOf = (topUp: Parameters<typeof topUpText>[0]): readonly string[] =>
  topUpText(topUp)
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));

test('a top-up is printed with its amounts, each under its own name', () => {
  expect(linesOf(TOP_UP)).toEqual(
    expect.arrayContaining(['state paid', 'credit 10 USD', 'fee 0.8 USD', 'refunded 2 USD', 'disputed 3 USD']),
  );
});

test('a top-up is printed with the page on which it is paid as long as it waits, and with why it failed', () => {
  const pending = linesOf({ ...TOP_UP, state: 'pending' });
  expect(pending).toContain('pay at https://pay.test/1');
  const failed = linesOf({ ...TOP_UP, state: 'failed', failure: 'expired_card' });
  expect(failed).toContain('state failed: expired_card');
  expect(failed.filter((line) => line.startsWith('pay at'))).not.toContain('pay at https://pay.test/1');
});
