import type { ReactNode } from 'react';
import type { ReceiptSummaryJson } from '../../../../src/admin/ledger-contract.ts';
import { OutcomeWord } from '../../components/outcome-word.tsx';
import { TokenFlow } from '../../components/token-flow.tsx';
import { paths } from '../../paths.ts';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const COLUMNS: readonly Column<ReceiptSummaryJson>[] = [
  { id: 'time', header: 'Time', cell: ({ admitted_at: at }) => <Timestamp at={at} /> },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome }) => <OutcomeWord outcome={outcome} />,
  },
  { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true },
  { id: 'key', header: 'Key', cell: ({ key_name: name }) => name, from: 'lg' },
  {
    id: 'tokens',
    header: 'Tokens in, out',
    cell: ({ usage }) => <TokenFlow tokens={usage.tokens} />,
    align: 'end',
    from: 'md',
  },
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
