import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeliveryJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { DELIVERY_STATES } from '../../../../src/domain/delivery-states.ts';
import { type AlertOwner, deliveriesQuery, deliveryQuery } from '../../api/alerts.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { DELIVERY_STATE_WORDS, deliveryHelp, deliveryStatus, lastAnswer } from '../../components/delivery-words.ts';
import { ListTable } from '../../components/list-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { capitalized } from '../../format/capitalized.ts';
import { DeliveryResend } from '../../forms/webhook-actions.tsx';
import { paths } from '../../paths.ts';
import { statusColumn } from '../../ui/columns.tsx';
import { Copied } from '../../ui/copied.tsx';
import { type DefinitionItems, DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { DeliverySearch, OnSearch } from './alert-search.ts';
import { commandWords } from '../../components/command-words.ts';
import { DELIVERY_COMMANDS } from '../../../../src/control/operations/webhook-commands.ts';

interface DeliveryListProps {
  readonly owner: AlertOwner;
  /** Only those of this endpoint; null: mails and those of all endpoints. */
  readonly webhook: string | null;
  readonly search: DeliverySearch;
  readonly onSearch: OnSearch<DeliverySearch>;
}

/** What was sent in the last month, and what came of it. */
export function DeliveryList({ owner, webhook, search, onSearch }: DeliveryListProps): ReactNode {
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
        <FilterSelect
          label="Status"
          all="Any status"
          className="w-48 max-sm:w-full"
          value={state}
          onChange={(chosen) => onSearch({ state: chosen }, true)}
          options={DELIVERY_STATES.map((value) => ({ value, label: DELIVERY_STATE_WORDS[value] }))}
        />
      </FilterBar>
      <ListTable
        list={deliveries}
        label="Deliveries"
        columns={webhook === null ? ALL_COLUMNS : ENDPOINT_COLUMNS}
        href={({ id }) => hrefOf(id)}
        selectedKey={delivery}
        moveByKeys
        expectedRows={3}
        empty={
          <EmptyState
            cause={state === undefined ? 'Nothing was sent in the last 30 days.' : 'No delivery has this status.'}
          />
        }
      />
      <CommandLine
        className="mt-6"
        command={commandWords(DELIVERY_COMMANDS, 'delivery list', { workspace: owner, ...listing })}
      />
      {delivery !== undefined && (
        <DeliverySheet owner={owner} delivery={delivery} onClose={() => onSearch({ delivery: undefined }, true)} />
      )}
    </>
  );
}

const STATE = statusColumn<DeliveryJson>((delivery) => {
  const { status, word } = deliveryStatus(delivery);
  return [status, word];
});
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

interface DeliverySheetProps {
  readonly owner: AlertOwner;
  readonly delivery: string;
  readonly onClose: () => void;
}

/** One mail or webhook: how often it was tried, what came of it, and what helps. */
function DeliverySheet({ owner, delivery: id, onClose }: DeliverySheetProps): ReactNode {
  const query = useQuery(deliveryQuery(owner, id));
  const delivery = query.data;
  return (
    <Sheet
      open
      title={delivery?.channel === 'mail' ? 'Mail' : 'Webhook delivery'}
      description={delivery?.subject ?? delivery?.recipient}
      onClose={onClose}
      footer={delivery !== undefined && <DeliveryResend owner={owner} delivery={delivery} />}
    >
      <Loaded query={query} room="w-60">
        {(loaded) => (
          <>
            <Outcome delivery={loaded} />
            <DefinitionList items={factsOf(loaded)} />
            <CommandLine
              className="mt-6"
              command={commandWords(DELIVERY_COMMANDS, 'delivery resend', { workspace: owner, delivery: id })}
            />
          </>
        )}
      </Loaded>
    </Sheet>
  );
}

function Outcome({ delivery }: { readonly delivery: DeliveryJson }): ReactNode {
  const { status, word } = deliveryStatus(delivery);
  const help = deliveryHelp(delivery);
  return (
    <div aria-live="polite" className="mb-6 flex flex-col gap-1">
      <p className="text-body font-medium">
        <StatusWord status={status}>{capitalized(word)}</StatusWord>
      </p>
      {lastAnswer(delivery) !== null && <p className="text-control wrap-anywhere">{lastAnswer(delivery)}</p>}
      {help !== null && <p className="text-control text-text-2">{help}</p>}
    </div>
  );
}

function factsOf(delivery: DeliveryJson): DefinitionItems {
  const { id, recipient, attempts, created_at: created, next_attempt_at: next, finished_at: finished } = delivery;
  return [
    { term: 'Sent to', value: recipient },
    { term: 'Tries', value: attempts },
    { term: 'Raised', value: <Timestamp at={created} /> },
    next !== null && { term: 'Next try', value: <Timestamp at={next} /> },
    finished !== null && { term: 'Ended', value: <Timestamp at={finished} /> },
    {
      term: 'Id',
      value: <Copied text={id} label="Copy id" />,
    },
  ];
}
