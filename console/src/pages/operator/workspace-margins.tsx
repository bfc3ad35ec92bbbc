import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { UsageJson, UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import type { MarginPeriod } from '../../api/choices.ts';
import { modelMarginsQuery, periodBounds } from '../../api/margins.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { usageCommand } from '../../components/usage-command.ts';
import { paths } from '../../paths.ts';
import { Count } from '../../ui/count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
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

/** A workspace's revenue by model, with the cost at providers. */
export function WorkspaceMargins({ workspace, period, onPeriod }: WorkspaceMarginsProps): ReactNode {
  const bounds = periodBounds(period, useHour());
  const query = useQuery(modelMarginsQuery(workspace, bounds));
  const { data } = query;
  const rows = data && rowsOf(data);
  return (
    <Section
      title="Margin by model"
      lead="What was charged, and what is left of it after providers. Members never see costs."
      actions={<PeriodSelect period={period} onChange={onPeriod} />}
    >
      <QueryTable
        query={query}
        label="Margin by model"
        columns={columnsOf(rows ?? [], data?.total)}
        rows={rows}
        expectedRows={3}
        empty={
          <EmptyState
            cause={`Nothing was charged in ${periodWords(period)}.`}
            detail="A longer time may show more."
            action={
              <TextLink href={paths.requests(workspace)} className="text-control">
                See its requests
              </TextLink>
            }
          />
        }
      />
      {data !== undefined && <UnknownCosts sums={data.total} />}
      <CommandLine
        className="mt-4"
        command={[...usageCommand(workspace, { ...bounds, group_by: 'model' }), '--margin']}
      />
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
