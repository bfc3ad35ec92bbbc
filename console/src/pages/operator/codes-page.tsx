import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CodeBatchJson, RedemptionCodeJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { CODE_COMMANDS } from '../../../../src/control/operations/payment-commands.ts';
import { codeBatchesQuery, codesQuery } from '../../api/codes.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { formatCount } from '../../format/count.ts';
import { CodeBatchCancel } from '../../forms/code-batch-cancel.tsx';
import { CodeBatchCreate } from '../../forms/code-batch-create.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { moneyColumn, statusColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { type Status, StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

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
  /** Undefined until the list that contains it is loaded that far. */
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

/** The columns of batches of codes. */
function batchColumns(batches: readonly CodeBatchJson[]): readonly Column<CodeBatchJson>[] {
  return [
    { id: 'reason', header: 'For', cell: ({ reason }) => reason, grow: true },
    statusColumn(({ state }) => STATES[state]),
    moneyColumn('amount', 'Each', ({ amount_nano_usd: amount }) => amount, { rows: batches }),
    {
      id: 'redeemed',
      header: 'Redeemed',
      align: 'end',
      cell: ({ redeemed, count }) => `${formatCount(redeemed)} of ${formatCount(count)}`,
    },
    { id: 'credit', header: 'Credit is', from: 'lg', cell: ({ sold }) => (sold ? 'sold' : 'granted') },
    { id: 'expires', header: 'Void from', cell: ({ expires_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'created', header: 'Created', from: 'lg', cell: ({ created_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'actor', header: 'By', from: 'xl', cell: ({ actor }) => <Cut>{actor}</Cut> },
  ];
}

const STATES: Readonly<Record<CodeBatchJson['state'], readonly [Status, string]>> = {
  open: ['open', 'open'],
  used_up: ['off', 'used up'],
  over: ['off', 'over'],
};

/** Whether codes of a batch can be redeemed. */
function BatchState({ batch: { state } }: { readonly batch: CodeBatchJson }): ReactNode {
  const [status, word] = STATES[state];
  return <StatusWord status={status}>{word}</StatusWord>;
}

/** The columns of the codes of one batch. */
const CODE_COLUMNS: readonly Column<RedemptionCodeJson>[] = [
  {
    id: 'code',
    header: 'Code',
    cell: ({ last_four: last }) => <code className="font-mono text-meta">{`…${last}`}</code>,
  },
  {
    id: 'workspace',
    header: 'Redeemed for',
    grow: true,
    cell: ({ workspace_id: id, workspace_name: name }) =>
      id === null ? (
        <span className="text-text-3">nobody yet</span>
      ) : (
        <TextLink href={paths.credit(id)}>{name}</TextLink>
      ),
  },
  { id: 'by', header: 'By', cell: ({ redeemed_by: by }) => by && <Cut>{by}</Cut> },
  { id: 'at', header: 'When', cell: ({ redeemed_at: at }) => at && <Timestamp at={at} daysAlone /> },
];
