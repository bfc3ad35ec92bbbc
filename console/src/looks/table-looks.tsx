import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Count } from '../ui/count.tsx';
import { Duration } from '../ui/duration.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Meter } from '../ui/meter.tsx';
import { Money } from '../ui/money.tsx';
import { Pager } from '../ui/pager.tsx';
import { Section } from '../ui/section.tsx';
import { type Status, StatusWord } from '../ui/status-word.tsx';
import { Table } from '../ui/table.tsx';
import type { Column, Sort } from '../ui/table-types.ts';
import { Timestamp } from '../ui/timestamp.tsx';

interface KeyRow {
  readonly name: string;
  readonly status: Status;
  readonly word: string;
  readonly spent: string;
  readonly limit: string | null;
  readonly tokens: number;
  readonly used: string | null;
  readonly ms: number;
}

const DAY = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const ROWS: readonly KeyRow[] = [
  {
    name: 'web/laptop',
    status: 'open',
    word: 'Active',
    spent: '4980000000',
    limit: '5000000000',
    tokens: 1204,
    used: ago(190_000),
    ms: 842,
  },
  {
    name: 'customer-support-assistant-production-europe-west-with-retry',
    status: 'low',
    word: 'Expiring',
    spent: '123456789012345678',
    limit: '999999999999000000',
    tokens: 48_204_113,
    used: ago(4 * DAY),
    ms: 61_200,
  },
  { name: 'ci', status: 'closed', word: 'Revoked', spent: '412000', limit: null, tokens: 12, used: null, ms: 1240 },
  {
    name: 'batch/nightly',
    status: 'off',
    word: 'Off',
    spent: '5100000000',
    limit: '5000000000',
    tokens: 0,
    used: ago(400 * DAY),
    ms: 12_400,
  },
  {
    name: 'console/ada',
    status: 'waiting',
    word: 'In flight',
    spent: '1',
    limit: '250000000000',
    tokens: 9,
    used: ago(0),
    ms: 0,
  },
];

const COLUMNS: readonly Column<KeyRow>[] = [
  { id: 'name', header: 'Name', grow: true, sort: 'name', cell: ({ name }) => name, total: '5 keys' },
  { id: 'status', header: 'Status', cell: ({ status, word }) => <StatusWord status={status}>{word}</StatusWord> },
  {
    id: 'spent',
    header: 'Spent this month',
    cell: ({ name, spent, limit }) => <Meter compact label={`Limit of ${name}`} spent={spent} limit={limit} />,
  },
  {
    id: 'charge',
    header: 'Charge',
    align: 'end',
    sort: 'charge',
    cell: ({ spent }) => <Money amount={spent} decimals={6} />,
    total: <Money amount="123456799493412001" decimals={6} />,
  },
  { id: 'tokens', header: 'Tokens', align: 'end', from: 'lg', cell: ({ tokens }) => <Count count={tokens} /> },
  { id: 'ms', header: 'Duration', align: 'end', from: 'lg', cell: ({ ms }) => <Duration ms={ms} /> },
  { id: 'used', header: 'Last used', sort: 'used', cell: ({ used }) => <Timestamp at={used} /> },
];

export function TableLooks(): ReactNode {
  const [sort, setSort] = useState<Sort>({ by: 'charge', descending: true });
  const [opened, setOpened] = useState<string>();
  const table = { label: 'Keys', columns: COLUMNS, rowKey: ({ name }: KeyRow) => name, sort, onSort: setSort };
  const none = (
    <EmptyState
      cause="No key yet."
      detail="A key lets a program call models. Its secret is shown once, when you create it."
      action={<Button kind="primary">Create key</Button>}
    />
  );
  return (
    <>
      <Section title="Keys">
        <Table
          {...table}
          rows={ROWS}
          href={({ name }) => `#${name}`}
          onNavigate={(_, { name }) => setOpened(name)}
          selectedKey={opened}
          moveByKeys
          empty={none}
        />
        <Pager shown="5 keys" onNewer={null} onOlder={() => setOpened(undefined)} />
      </Section>
      <Section title="Loading">
        <Table {...table} rows={undefined} loading expectedRows={3} empty={none} />
      </Section>
      <Section title="Empty">
        <Table {...table} rows={[]} empty={none} />
      </Section>
      <Section title="Failed">
        <Table
          {...table}
          rows={ROWS.slice(0, 1)}
          empty={none}
          error={{ message: 'The database is away.', requestId: '01934d5e-7b1c-7c3a-9f1e-2b6a1c0d9e8f' }}
          onRetry={() => setOpened(undefined)}
        />
      </Section>
    </>
  );
}
