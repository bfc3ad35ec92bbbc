import type { ReactNode } from 'react';
import type { ReceiptSummaryJson } from '../../../../src/admin/ledger-contract.ts';
import { INPUT_CLASSES, OUTPUT_CLASSES, type TokenClass } from '../../../../src/domain/usage.ts';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { type Status, StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const STATUSES: Readonly<Record<ReceiptSummaryJson['outcome'], Status>> = {
  completed: 'open',
  interrupted: 'low',
  abandoned: 'off',
  failed: 'closed',
};

/** "1,204 → 107": all that went in, and all that came out. */
function tokensOf({ usage: { tokens } }: ReceiptSummaryJson): string {
  const sum = (classes: readonly TokenClass[]): number =>
    classes.reduce((total, tokenClass) => total + (tokens[tokenClass] ?? 0), 0);
  return `${formatCount(sum(INPUT_CLASSES))} → ${formatCount(sum(OUTPUT_CLASSES))}`;
}

const COLUMNS: readonly Column<ReceiptSummaryJson>[] = [
  { id: 'time', header: 'Time', cell: ({ admitted_at: at }) => <Timestamp at={at} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome }) => <StatusWord status={STATUSES[outcome]}>{outcome}</StatusWord>,
  },
  { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true },
  { id: 'key', header: 'Key', cell: ({ key_name: name }) => name, from: 'lg' },
  { id: 'tokens', header: 'Tokens in → out', cell: tokensOf, align: 'end', from: 'md' },
  {
    id: 'charge',
    header: 'Charge',
    cell: ({ net_charge_nano_usd: charge }) => <Money amount={charge} />,
    align: 'end',
  },
  { id: 'duration', header: 'Duration', cell: ({ duration_ms: ms }) => <Duration ms={ms} />, align: 'end', from: 'md' },
];

interface LatestRequestsProps {
  readonly workspace: string;
  readonly receipts: readonly ReceiptSummaryJson[];
}

export function LatestRequests({ workspace, receipts }: LatestRequestsProps): ReactNode {
  return (
    <Section
      title="Latest requests"
      actions={
        <a href={paths.requests(workspace)} className="text-control underline underline-offset-2">
          All requests
        </a>
      }
    >
      <Table
        label="Latest requests"
        columns={COLUMNS}
        rows={receipts}
        rowKey={({ request_id: id }) => id}
        href={({ request_id: id }) => paths.request(workspace, id)}
        empty={null}
      />
    </Section>
  );
}
