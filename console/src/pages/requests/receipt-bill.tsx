import type { ReactNode } from 'react';
import type { ReceiptJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { USE_WORDS } from '../../components/fee-words.ts';
import { formatCount } from '../../format/count.ts';
import { alignDecimals, formatMoneyExactly } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

interface Line {
  readonly id: string;
  readonly name: ReactNode;
  readonly arithmetic?: ReactNode;
  readonly amount: string;
  readonly note?: string;
}

/** The lines of a receipt's charge: exact amounts; only their sum is rounded. */
export function ReceiptBill({ receipt }: { readonly receipt: ReceiptJson }): ReactNode {
  const parts = linesOf(receipt);
  const sums = sumsOf(receipt);
  const amounts = alignDecimals([...parts, ...sums].map(({ amount }) => amount));
  const row = (line: Line, index: number, isSum: boolean): ReactNode => (
    <tr key={line.id} data-line={line.id} className={isSum ? 'font-medium first:[&>*]:border-t [&>*]:border-line' : ''}>
      <th
        scope="row"
        colSpan={isSum ? 2 : 1}
        className={`py-1 pr-3 text-left align-baseline ${isSum ? 'font-medium' : 'font-normal'}`}
      >
        {line.name}
        {line.note !== undefined && <span className="block text-meta font-normal text-text-3">{line.note}</span>}
      </th>
      {!isSum && (
        <td className="py-1 pr-3 text-right align-baseline text-text-2 max-sm:text-meta sm:whitespace-nowrap">
          {line.arithmetic}
        </td>
      )}
      <td className="py-1 text-right align-baseline whitespace-pre">{amounts[index]}</td>
    </tr>
  );
  return (
    <table aria-label="Bill" className="tabular w-full border-separate border-spacing-0 text-control">
      <thead className="sr-only">
        <tr>
          <th scope="col">Of</th>
          <th scope="col">Tokens and price</th>
          <th scope="col">USD</th>
        </tr>
      </thead>
      <tbody>{parts.map((line, index) => row(line, index, false))}</tbody>
      <tbody>{sums.map((line, index) => row(line, parts.length + index, true))}</tbody>
    </table>
  );
}

/** What was used. */
function linesOf({ cost }: ReceiptJson): readonly Line[] {
  const lines = (cost?.lines ?? []).map(({ class: name, tokens, rate_nano_usd: rate, amount_usd: amount }): Line => ({
    id: name,
    name: name.replaceAll('_', ' '),
    arithmetic: `${formatCount(tokens)} tokens × ${formatMoneyExactly(rate)} / M`,
    amount,
  }));
  const fees = (cost?.fee_lines ?? []).map(({ use, uses, fee_nano_usd: fee, amount_usd: amount }): Line => ({
    id: use,
    name: USE_WORDS[use],
    arithmetic: `${formatCount(uses)} ${uses === 1 ? 'use' : 'uses'} × ${formatMoneyExactly(fee)}`,
    amount,
  }));
  return [...lines, ...fees];
}

/** From the sum to what is charged in the end. */
function sumsOf(receipt: ReceiptJson): readonly Line[] {
  const { cost, corrections, workspace_id: workspace } = receipt;
  const due = BigInt(receipt.charge_nano_usd) + BigInt(receipt.write_off_nano_usd);
  const waived = cost === null ? 0n : BigInt(cost.cost_nano_usd) - due;
  const exact = cost?.exact_usd ?? receipt.charge_usd;
  const isRounded = cost !== null && exact !== cost.cost_usd;
  const isPartly = waived > 0n || receipt.write_off_nano_usd !== '0';
  const rounding = 'rounded up once, to the nano-dollar';
  return [
    ...(isRounded || isPartly ? [{ id: 'sum', name: 'Sum', amount: exact }] : []),
    ...(isRounded && isPartly ? [{ id: 'rounded', name: 'Cost', note: rounding, amount: cost.cost_usd }] : []),
    ...(waived > 0n ? [{ id: 'waived', name: 'Not charged', amount: `-${decimalOf(waived)}` }] : []),
    ...(receipt.write_off_nano_usd === '0'
      ? []
      : [
          {
            id: 'write-off',
            name: 'Written off',
            note: 'It was above what had been held, which is the most that is ever charged.',
            amount: `-${receipt.write_off_usd}`,
          },
        ]),
    {
      id: 'charge',
      name: 'Charged',
      amount: receipt.charge_usd,
      ...(isRounded && !isPartly ? { note: rounding } : {}),
    },
    ...corrections.map(({ id, amount_usd: amount, posted_at: at, reason }) => ({
      id,
      name: (
        <>
          <TextLink href={paths.credit(workspace, { month: at.slice(0, 7) })}>Correction</TextLink>{' '}
          <span className="font-normal text-text-3">
            <Timestamp at={at} />
          </span>
        </>
      ),
      note: reason,
      amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}`,
    })),
    ...(corrections.length === 0
      ? []
      : [{ id: 'net', name: 'Charged after corrections', amount: receipt.net_charge_usd }]),
  ];
}

const decimalOf = (amount: bigint): string => formatMoneyExactly(amount).replace(/[$,]/g, '');
