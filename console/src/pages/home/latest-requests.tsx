import type { ReactNode } from 'react';
import type { ReceiptSummaryJson } from '../../../../src/control/admin/ledger/ledger-contract.ts';
import { servedColumns } from '../../components/served-columns.tsx';
import { paths } from '../../paths.ts';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';

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
        columns={servedColumns(receipts, false)}
        rows={receipts}
        rowKey={({ request_id: id }) => id}
        href={({ request_id: id }) => paths.request(workspace, id)}
        empty={null}
      />
    </Section>
  );
}
