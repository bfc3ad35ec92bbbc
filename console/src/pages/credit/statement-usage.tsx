import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UsageJson, UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { usageQuery } from '../../api/usage.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { Count } from '../../ui/count.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countColumn, moneyColumn } from '../../ui/columns.tsx';
import { decimalsOf, formatMoneyExactly } from '../../format/money.ts';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import { monthAsTime } from './month-as-time.ts';

const GROUPS_MAX = 200;

const PARTS = [
  { by: 'project', title: 'By project', none: '' },
  { by: 'model', title: 'By model', none: '' },
  { by: 'member', title: 'By member', none: 'keys of no member' },
] as const;

interface StatementUsageProps {
  readonly workspace: string;
  readonly month: string;
  /** Balances in nano-USD. */
  readonly opening: string;
  readonly closing: string;
}

/** What was added and what was charged in the month, and what the charges were for. */
export function StatementUsage({ workspace, month, opening, closing }: StatementUsageProps): ReactNode {
  return (
    <>
      <Sums workspace={workspace} month={month} opening={opening} closing={closing} />
      {PARTS.map((part) => (
        <Section key={part.by} title={part.title}>
          <Part workspace={workspace} month={month} part={part} />
        </Section>
      ))}
    </>
  );
}

const questionOf = (month: string, by: (typeof PARTS)[number]['by']) =>
  ({ ...monthAsTime(month), group_by: by, limit: GROUPS_MAX }) as const;

/** What was charged, without later corrections, which are postings of their own. */
const chargeOf = (sums: UsageSumsJson): bigint => BigInt(sums.charge_nano_usd);

/** The balance at the beginning, what led from it to that at the end, and that. */
function Sums({ workspace, month, opening, closing }: StatementUsageProps): ReactNode {
  const { data } = useQuery(usageQuery(workspace, questionOf(month, 'project')));
  const charged = data === undefined ? null : chargeOf(data.usage.total);
  const added = charged === null ? null : BigInt(closing) - BigInt(opening) + charged;
  const amounts = [BigInt(opening), BigInt(closing), added, charged].filter((amount) => amount !== null);
  const decimals = decimalsOf(amounts, formatMoneyExactly);
  const sum = (amount: bigint | string, className = ''): ReactNode => (
    <span className={`block w-32 text-end tabular ${className}`}>
      <Money exact amount={amount} decimals={decimals} />
    </span>
  );
  const between = added !== null &&
    charged !== null && [
      { term: 'Net additions', value: sum(added) },
      { term: 'Charged', value: sum(charged) },
    ];
  return (
    <Section title="Balance">
      <DefinitionList
        items={[
          { term: 'At the beginning', value: sum(opening) },
          ...(between === false ? [] : between),
          { term: 'At the end', value: sum(closing, 'font-medium') },
        ]}
      />
    </Section>
  );
}

interface PartProps {
  readonly workspace: string;
  readonly month: string;
  readonly part: (typeof PARTS)[number];
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly sums: UsageSumsJson;
}

function Part({ workspace, month, part }: PartProps): ReactNode {
  const { data, error, refetch } = useQuery(usageQuery(workspace, questionOf(month, part.by)));
  if (error !== null) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  const rows = data === undefined ? undefined : rowsOf(data.usage, part.none);
  const total = data?.usage.total;
  return (
    <Table
      label={`Charges ${part.title.toLowerCase()}`}
      columns={[
        {
          id: 'name',
          header: part.title.slice('By '.length).replace(/^./, (first) => first.toUpperCase()),
          grow: true,
          cell: ({ name }) => name,
          total: 'Total',
        },
        countColumn<Row>('requests', 'Requests', ({ sums }) => sums.requests, {
          total: total && <Count count={total.requests} />,
        }),
        moneyColumn<Row>('charge', 'Charge', ({ sums }) => chargeOf(sums), {
          rows: rows ?? [],
          exact: true,
          total: total && <Money exact amount={chargeOf(total)} />,
        }),
      ]}
      rows={rows}
      rowKey={({ id }) => id}
      empty={<EmptyState cause="Nothing was charged." />}
    />
  );
}

function rowsOf({ groups, others }: UsageJson, none: string): readonly Row[] {
  const named = groups.map(({ group, name, total }) => ({
    id: group,
    name: name ?? (group === '' ? none : group),
    sums: total,
  }));
  return others.requests === 0 ? named : [...named, { id: '\0others', name: 'other', sums: others }];
}
