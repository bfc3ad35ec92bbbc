import { type ReactNode, useState } from 'react';
import type { StatementLineJson } from '../../../../src/control/admin/ledger/statement-contract.ts';
import { formatCount } from '../../format/count.ts';
import { addDays, dayOf, formatDay } from '../../format/day.ts';
import { decimalsOf, formatMoney } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { Money } from '../../ui/money.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const KINDS = {
  top_up: ['Top-up', 'Top-up'],
  grant: ['Grant', 'Redeemed code'],
  refund: ['Refund', 'Refund of a payment'],
  dispute: ['Dispute', 'Disputed payment'],
  adjustment: ['Adjustment', 'Adjustment of a payment'],
  expiry: ['Credit', 'Credit'],
} as const;

/** What a line is about, in words. A provider's own reason names ids, to which the line leads anyway. */
export function lineWords({ kind, requests, reason, ...line }: StatementLineJson): string {
  if (kind === 'usage') return `Usage, ${formatCount(requests ?? 0)} ${requests === 1 ? 'request' : 'requests'}`;
  if (line.receipt_request_id !== null) return `Correction: ${reason}`;
  const [byHand, byProvider] = KINDS[kind];
  if (line.top_up_id === null) return `${byHand}: ${reason}`;
  if (kind === 'dispute' && !line.amount_nano_usd.startsWith('-')) return 'Dispute won';
  const { tax_nano_usd: tax } = line;
  return tax === null || tax === '0' ? byProvider : `${byProvider}, tax of ${formatMoney(tax)}`;
}

/** What a line comes from: the requests of its day, its top-up, or the request that it corrects. */
export function lineHref(workspace: string, line: StatementLineJson, month: string | undefined): string | undefined {
  if (line.kind === 'usage') {
    const day = dayOf(new Date(line.starts_at));
    return paths.requests(workspace, { from: day, to: addDays(day, 1) });
  }
  if (line.receipt_request_id !== null) return paths.request(workspace, line.receipt_request_id);
  return line.top_up_id === null ? undefined : paths.credit(workspace, { month, top_up: line.top_up_id });
}

/** The columns of a statement with these lines. */
export function statementColumns(lines: readonly StatementLineJson[]): readonly Column<StatementLineJson>[] {
  const amounts = decimalsOf(lines.map((line) => line.amount_nano_usd));
  return [
    {
      id: 'what',
      header: 'What',
      grow: true,
      cell: (line) => <span title={line.reason ?? undefined}>{lineWords(line)}</span>,
    },
    { id: 'when', header: 'When (UTC)', cell: (line) => <When line={line} /> },
    {
      id: 'by',
      header: 'By',
      from: 'lg',
      cell: ({ actor }) => (actor === null ? <span className="text-text-3">keys</span> : <Cut>{actor}</Cut>),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'end',
      cell: ({ amount_nano_usd: amount }) => (
        <span className={amount.startsWith('-') ? '' : 'text-accent-text'}>
          {!amount.startsWith('-') && '+'}
          <Money amount={amount} decimals={amounts} />
        </span>
      ),
    },
    moneyColumn('balance', 'Balance', ({ balance_nano_usd: balance }) => balance, { rows: lines }),
  ];
}

function When({ line }: { readonly line: StatementLineJson }): ReactNode {
  const [now] = useState(() => new Date());
  if (line.kind !== 'usage') return <Timestamp at={line.starts_at} />;
  const day = dayOf(new Date(line.starts_at));
  return <time dateTime={day}>{formatDay(day, now)}</time>;
}
