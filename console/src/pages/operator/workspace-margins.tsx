import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UsageJson, UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { type MarginPeriod, modelMarginsQuery, periodBounds } from '../../api/margins.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { usageCommand } from '../../components/usage-command.ts';
import { paths } from '../../paths.ts';
import { Count } from '../../ui/count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { useHour } from '../../ui/use-hour.ts';
import { marginColumns, PeriodSelect, periodWords, UnknownCosts } from './margin.tsx';

/** A model, or all that are not named. */
interface Row {
  readonly id: string;
  readonly total: UsageSumsJson;
}

interface WorkspaceMarginsProps {
  readonly workspace: string;
  readonly period: MarginPeriod;
  readonly onPeriod: (period: MarginPeriod | undefined) => void;
}

/** What a workspace brought by model, beside what providers asked. */
export function WorkspaceMargins({ workspace, period, onPeriod }: WorkspaceMarginsProps): ReactNode {
  const bounds = periodBounds(period, useHour());
  const { data, error, refetch, isPlaceholderData } = useQuery(modelMarginsQuery(workspace, bounds));
  const rows = data && rowsOf(data);
  return (
    <Section
      title="Margin by model"
      lead="What was charged, and what is left of it after providers. Members never see costs."
      actions={<PeriodSelect period={period} onChange={onPeriod} />}
    >
      <Table
        label="Margin by model"
        columns={columnsOf(rows ?? [], data?.total)}
        rows={rows}
        rowKey={({ id }) => id}
        loading={isPlaceholderData}
        expectedRows={3}
        error={problemFrom(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            cause={`Nothing was charged in ${periodWords(period)}.`}
            detail="A longer time may show more."
            action={
              <a href={paths.requests(workspace)} className="text-control underline underline-offset-2">
                See its requests
              </a>
            }
          />
        }
      />
      {data !== undefined && <UnknownCosts sums={data.total} />}
      <div className="mt-4">
        <CommandLine command={[...usageCommand(workspace, { ...bounds, group_by: 'model' }), '--margin']} />
      </div>
    </Section>
  );
}

function rowsOf({ groups, others }: UsageJson): readonly Row[] {
  const named = groups.map(({ group, total }) => ({ id: group, total }));
  return others.requests === 0 ? named : [...named, { id: 'other models', total: others }];
}

function columnsOf(rows: readonly Row[], total: UsageSumsJson | undefined): readonly Column<Row>[] {
  return [
    { id: 'model', header: 'Model', cell: ({ id }) => id, grow: true, total: 'Total' },
    {
      id: 'requests',
      header: 'Requests',
      align: 'end',
      from: 'md',
      cell: (row) => <Count count={row.total.requests} />,
      total: total && <Count count={total.requests} />,
    },
    ...marginColumns(rows, (row) => row.total, total),
  ];
}
