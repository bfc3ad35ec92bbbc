import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CodeBatchJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { codeBatchesQuery, codesQuery } from '../../api/codes.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { formatCount } from '../../format/count.ts';
import { CodeBatchCancel } from '../../forms/code-batch-cancel.tsx';
import { CodeBatchCreate } from '../../forms/code-batch-create.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { batchColumns, BatchState, CODE_COLUMNS } from './code-columns.tsx';
import { commandWords } from '../../components/command-words.ts';
import { CODE_COMMANDS } from '../../../../src/control/operations/payment-commands.ts';

const route = getRouteApi('/in/operators/operator/codes');

export function CodesPage(): ReactNode {
  const { create, batch: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const batches = useInfiniteQuery(codeBatchesQuery);
  const rows = rowsOf(batches);
  const show = (search: { create?: 'true'; batch?: string }, replace = false): void =>
    void navigate({ search, replace, resetScroll: false });
  const createButton = (
    <Button kind="primary" onClick={() => show({ create: 'true' })}>
      Create codes
    </Button>
  );
  return (
    <Page
      title="Codes"
      answers="Which redemption codes you have given out, and who has redeemed them."
      actions={rows?.length === 0 ? undefined : createButton}
    >
      <ListTable
        list={batches}
        label="Batches of codes"
        columns={batchColumns(rows ?? [])}
        href={({ id }) => paths.operatorCodes({ batch: id })}
        onNavigate={(href) => void navigate({ href, resetScroll: false })}
        selectedKey={opened}
        moveByKeys
        empty={
          <EmptyState
            cause="You have made no redemption codes yet."
            detail="A code gives a workspace credit without a payment: for an event, a partner, or a sale of your own."
            action={createButton}
          />
        }
      />
      <CommandLine className="mt-6" command={commandWords(CODE_COMMANDS, 'code batches')} />
      {opened !== undefined && (
        <CodeBatchSheet id={opened} batch={rows?.find(({ id }) => id === opened)} onClose={() => show({}, true)} />
      )}
      {create === 'true' && <CodeBatchCreate onClose={() => show({}, true)} />}
    </Page>
  );
}

interface CodeBatchSheetProps {
  readonly id: string;
  /** Undefined while the list that it stands in is not loaded as far. */
  readonly batch: CodeBatchJson | undefined;
  readonly onClose: () => void;
}

/** The codes of one batch, and who redeemed them. */
function CodeBatchSheet({ id, batch, onClose }: CodeBatchSheetProps): ReactNode {
  const codes = useInfiniteQuery(codesQuery(id));
  return (
    <Sheet open title={batch?.reason ?? 'Codes'} onClose={onClose}>
      <div className="flex flex-col gap-6">
        {batch !== undefined && <Facts batch={batch} />}
        <div>
          <ListTable
            list={codes}
            label="Codes"
            columns={CODE_COLUMNS}
            empty={<EmptyState cause="There is no batch with this id." />}
          />
        </div>
        <CommandLine command={commandWords(CODE_COMMANDS, 'code list', { batch: id })} />
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
