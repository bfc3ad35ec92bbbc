import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deliveriesQuery } from '../../api/alerts.ts';
import { DELIVERY_STATES } from '../../../../src/domain/delivery-states.ts';
import { webhookCommand } from '../../components/alert-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { DELIVERY_STATE_WORDS, deliveryStatus, lastAnswer } from '../../components/delivery-words.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { DeliverySearch, OnSearch } from './alert-search.ts';
import { DeliverySheet } from './delivery-sheet.tsx';

interface DeliveryListProps {
  readonly owner: AlertOwner;
  /** Only those of this endpoint; null: mails and those of all endpoints. */
  readonly webhook: string | null;
  readonly search: DeliverySearch;
  readonly onSearch: OnSearch<DeliverySearch>;
  readonly onNavigate: (href: string) => void;
}

/** What was sent in the last month, and what came of it. */
export function DeliveryList({ owner, webhook, search, onSearch, onNavigate }: DeliveryListProps): ReactNode {
  const { state, delivery } = search;
  const listing = { state: state ?? null, webhook };
  const deliveries = useInfiniteQuery(deliveriesQuery(owner, listing));
  const hrefOf = (id: string): string =>
    webhook === null
      ? paths.alertsOf(owner, { ...search, delivery: id })
      : paths.webhook(owner, webhook, { state, delivery: id });
  return (
    <>
      <FilterBar
        label="Filter deliveries"
        onClear={state === undefined ? null : () => onSearch({ state: undefined }, true)}
      >
        <Select
          aria-label="Status"
          className="w-48 max-sm:w-full"
          value={state ?? ''}
          onChange={(chosen) => onSearch({ state: chosen === '' ? undefined : chosen }, true)}
          options={[
            { value: '', label: 'Any status' },
            ...DELIVERY_STATES.map((value) => ({ value, label: DELIVERY_STATE_WORDS[value] })),
          ]}
        />
      </FilterBar>
      <Table
        label="Deliveries"
        columns={webhook === null ? ALL_COLUMNS : ENDPOINT_COLUMNS}
        rows={deliveries.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => hrefOf(id)}
        onNavigate={onNavigate}
        selectedKey={delivery}
        moveByKeys
        loading={deliveries.isPlaceholderData}
        expectedRows={3}
        error={problemFrom(deliveries.error)}
        onRetry={() => void deliveries.refetch()}
        empty={
          <EmptyState
            cause={state === undefined ? 'Nothing was sent in the last 30 days.' : 'No delivery has this status.'}
          />
        }
      />
      <LoadMore list={deliveries} />
      <div className="mt-6">
        <CommandLine command={webhookCommand.deliveries(owner, listing)} />
      </div>
      {delivery !== undefined && (
        <DeliverySheet owner={owner} delivery={delivery} onClose={() => onSearch({ delivery: undefined }, true)} />
      )}
    </>
  );
}

const STATE: Column<DeliveryJson> = {
  id: 'state',
  header: 'Status',
  cell: (delivery) => <DeliveryState delivery={delivery} />,
};
const TRIES: Column<DeliveryJson> = { id: 'tries', header: 'Tries', align: 'end', cell: ({ attempts }) => attempts };

/** Of mails and all endpoints. */
const ALL_COLUMNS: readonly Column<DeliveryJson>[] = [
  { id: 'recipient', header: 'Sent to', cell: ({ recipient }) => recipient, grow: true },
  { id: 'channel', header: 'By', cell: ({ channel }) => channel, from: 'md' },
  STATE,
  TRIES,
  {
    id: 'answer',
    header: 'Last answer',
    cell: (delivery) => <span className="block sm:max-w-80 sm:truncate">{answerOf(delivery)}</span>,
    from: 'xl',
  },
  { id: 'created', header: 'When', align: 'end', cell: ({ created_at: at }) => <Timestamp at={at} /> },
];

/** Of one endpoint. */
const ENDPOINT_COLUMNS: readonly Column<DeliveryJson>[] = [
  { id: 'created', header: 'When', cell: ({ created_at: at }) => <Timestamp at={at} /> },
  STATE,
  TRIES,
  { id: 'answer', header: 'Last answer', cell: answerOf, grow: true },
];

function answerOf(delivery: DeliveryJson): string {
  return lastAnswer(delivery) ?? 'none yet';
}

function DeliveryState({ delivery }: { readonly delivery: DeliveryJson }): ReactNode {
  const { status, word } = deliveryStatus(delivery);
  return <StatusWord status={status}>{word}</StatusWord>;
}
