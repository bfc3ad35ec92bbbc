import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { formatUsd, parseUsd } from '../../../../src/domain/money.ts';
import { ReceiptBill } from './receipt-bill.tsx';

type Cost = NonNullable<ReceiptJson['cost']>;

/** A receipt of 1,000,000 tokens for this cost, of which so much was charged and corrected; nano-USD. */
function receiptOf({
  cost,
  charge,
  writeOff = 0n,
  corrections = [],
}: {
  readonly cost: bigint;
  readonly charge: bigint;
  readonly writeOff?: bigint;
  readonly corrections?: readonly bigint[];
}): ReceiptJson {
  const net = corrections.reduce((left, amount) => left - amount, charge);
  const line = { class: 'input', tokens: 1_000_000, rate_nano_usd: cost.toString(), amount_usd: formatUsd(cost) };
  return {
    workspace_id: 'w',
    charge_nano_usd: charge.toString(),
    charge_usd: formatUsd(charge),
    write_off_nano_usd: writeOff.toString(),
    write_off_usd: formatUsd(writeOff),
    net_charge_usd: formatUsd(net),
    cost: {
      lines: [line],
      fee_lines: [],
      exact_usd: formatUsd(cost),
      cost_nano_usd: cost.toString(),
      cost_usd: formatUsd(cost),
    } as unknown as Cost,
    corrections: corrections.map((amount, index) => ({
      id: `correction ${index}`,
      amount_usd: formatUsd(amount),
      posted_at: '2026-11-20T12:00:00.000Z',
      reason: 'a reason',
    })),
  } as unknown as ReceiptJson;
}

/** The amounts of a bill by the names of their lines, in nano-USD, as they are shown. */
function amountsOf(receipt: ReceiptJson): ReadonlyMap<string, bigint> {
  const markup = renderToStaticMarkup(<ReceiptBill receipt={receipt} />);
  const rows = markup.matchAll(/<tr data-line="([^"]+)".*?([^<>]+)<\/td><\/tr>/gs);
  return new Map(
    [...rows].map(([, name = '', shown = '']) => {
      const amount = shown.trim().replace('−', '-').replace('$', '');
      const magnitude = parseUsd(amount.replace('-', ''));
      if (magnitude === null) throw new Error(`no amount: ${shown}`);
      return [name, amount.startsWith('-') ? -magnitude : magnitude];
    }),
  );
}

test('what is written off is taken from the sum of a bill, which leaves what is charged', () => {
  const amounts = amountsOf(receiptOf({ cost: 500n, charge: 380n, writeOff: 120n }));
  expect(Object.fromEntries(amounts)).toEqual({ input: 500n, sum: 500n, 'write-off': -120n, charge: 380n });
});

test('what is not charged is taken from the sum of a bill as well', () => {
  const amounts = amountsOf(receiptOf({ cost: 500n, charge: 300n, writeOff: 120n }));
  expect(Object.fromEntries(amounts)).toEqual({
    input: 500n,
    sum: 500n,
    waived: -80n,
    'write-off': -120n,
    charge: 300n,
  });
});

test('a correction that gives back is taken from the charge of a bill, and one that charges again is added to it', () => {
  const amounts = amountsOf(receiptOf({ cost: 500n, charge: 500n, corrections: [400n, -150n] }));
  expect(Object.fromEntries(amounts)).toEqual({
    input: 500n,
    charge: 500n,
    'correction 0': -400n,
    'correction 1': 150n,
    net: 250n,
  });
});
