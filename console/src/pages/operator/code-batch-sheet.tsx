import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CodeBatchJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { codesQuery } from '../../api/codes.ts';
import { codeCommand } from '../../components/code-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { CodeBatchCancel } from '../../forms/code-batch-cancel.tsx';
import { formatCount } from '../../format/count.ts';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Table } from '../../ui/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { BatchState, CODE_COLUMNS } from './code-columns.tsx';

interface CodeBatchSheetProps {
  readonly id: string;
  /** Undefined while the list that it stands in is not loaded as far. */
  readonly batch: CodeBatchJson | undefined;
  readonly onClose: () => void;
}

/** The codes of one batch, and who redeemed them. */
export function CodeBatchSheet({ id, batch, onClose }: CodeBatchSheetProps): ReactNode {
  const codes = useInfiniteQuery(codesQuery(id));
  return (
    <Sheet open title={batch?.reason ?? 'Codes'} onClose={onClose}>
      <div className="flex flex-col gap-6">
        {batch !== undefined && <Facts batch={batch} />}
        <div>
          <Table
            label="Codes"
            columns={CODE_COLUMNS}
            rows={codes.data?.pages.flatMap(({ data }) => data)}
            rowKey={({ id: code }) => code}
            error={problemFrom(codes.error)}
            onRetry={() => void codes.refetch()}
            empty={<EmptyState cause="There is no batch with this id." />}
          />
          <LoadMore list={codes} />
        </div>
        <CommandLine command={codeCommand.list(id)} />
      </div>
    </Sheet>
  );
}

function Facts({ batch }: { readonly batch: CodeBatchJson }): ReactNode {
  return (
    <div className="flex flex-col items-start gap-4">
      <DefinitionList
        items={[
          { term: 'Status', value: <BatchState batch={batch} /> },
          { term: 'Each gives', value: <Money amount={batch.amount_nano_usd} /> },
          { term: 'Redeemed', value: `${formatCount(batch.redeemed)} of ${formatCount(batch.count)}` },
          { term: 'Credit is', value: batch.sold ? 'sold' : 'granted' },
          { term: 'Void from', value: <Timestamp at={batch.expires_at} /> },
          { term: 'Created', value: <Timestamp at={batch.created_at} /> },
          { term: 'By', value: batch.actor },
        ]}
      />
      <CodeBatchCancel batch={batch} />
    </div>
  );
}
