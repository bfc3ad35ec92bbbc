import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { codeBatchesQuery } from '../../api/codes.ts';
import { codeCommand } from '../../components/code-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { CodeBatchCreate } from '../../forms/code-batch-create.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { CodeBatchSheet } from './code-batch-sheet.tsx';
import { batchColumns } from './code-columns.tsx';

const route = getRouteApi('/in/operators/operator/codes');

export function CodesPage(): ReactNode {
  const { create, batch: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const batches = useInfiniteQuery(codeBatchesQuery);
  const rows = batches.data?.pages.flatMap(({ data }) => data);
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
      <Table
        label="Batches of codes"
        columns={batchColumns(rows)}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => paths.operatorCodes({ batch: id })}
        onNavigate={(href) => void navigate({ href, resetScroll: false })}
        selectedKey={opened}
        moveByKeys
        error={problemFrom(batches.error)}
        onRetry={() => void batches.refetch()}
        empty={
          <EmptyState
            cause="You have made no redemption codes yet."
            detail="A code gives a workspace credit without a payment: for an event, a partner, or a sale of your own."
            action={createButton}
          />
        }
      />
      <LoadMore list={batches} />
      <div className="mt-6">
        <CommandLine command={codeCommand.batches()} />
      </div>
      {opened !== undefined && (
        <CodeBatchSheet id={opened} batch={rows?.find(({ id }) => id === opened)} onClose={() => show({}, true)} />
      )}
      {create === 'true' && <CodeBatchCreate onClose={() => show({}, true)} />}
    </Page>
  );
}
