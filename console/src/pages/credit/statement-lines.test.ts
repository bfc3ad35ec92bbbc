import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StatementLineJson } from '../../../../src/control/admin/ledger/statement-contract.ts';
import { lineHref, statementColumns } from './statement-lines.tsx';

const line = (fields: Partial<StatementLineJson>): StatementLineJson =>
  ({ receipt_request_id: null, top_up_id: null, ...fields }) as StatementLineJson;

test('a line of usage leads to the requests of its whole day, to the end of the month', () => {
  const usage = line({ kind: 'usage', starts_at: '2026-11-30T00:00:00.000Z' });
  const href = new URL(lineHref('w', usage, '2026-11') ?? '', 'http://console');
  expect(Object.fromEntries(href.searchParams)).toEqual({ from: '2026-11-30', to: '2026-12-01' });
});

test('a correction leads to its request, a payment to its top-up in the same month, and a grant nowhere', () => {
  const correction = line({ kind: 'adjustment', receipt_request_id: 'request', top_up_id: 'payment' });
  expect(lineHref('w', correction, undefined)).toContain('/requests/request');
  const payment = lineHref('w', line({ kind: 'refund', top_up_id: 'payment' }), '2026-11');
  expect(payment).toMatch(/month=2026-11.*top_up=payment/);
  expect(lineHref('w', line({ kind: 'grant' }), '2026-11')).toBeUndefined();
});

test('the amount of a line has its sign: credit a plus, charges a minus', () => {
  const lines = ['5000000000', '-5000000000'].map((amount) =>
    line({ amount_nano_usd: amount, balance_nano_usd: amount }),
  );
  const amount = statementColumns(lines).find(({ id }) => id === 'amount');
  const texts = lines.map((each) => renderToStaticMarkup(amount?.cell(each)).replaceAll(/<[^>]*>/g, ''));
  expect(texts).toEqual(['+$5.00', '−$5.00']);
});
