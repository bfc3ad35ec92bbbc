import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { alertRulesQuery, alertsQuery } from '../../api/alerts.ts';
import { alertCommand } from '../../components/alert-command.ts';
import { subjectHref } from '../../components/alert-words.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Section } from '../../ui/section.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { AlertsProps } from './alert-search.ts';

/** Alerts that are over. */
export function AlertHistory({ owner, search, onSearch, onNavigate }: AlertsProps): ReactNode {
  const { rule = null } = search;
  const history = useInfiniteQuery(alertsQuery(owner, { isOpen: false, rule }));
  const rules = useQuery(alertRulesQuery(owner)).data?.data ?? [];
  const isListed = rule === null || rules.some(({ id }) => id === rule);
  return (
    <Section title="History" lead="Alerts that are over, for 400 days.">
      <FilterBar label="Filter alerts" onClear={rule === null ? null : () => onSearch({ rule: undefined }, true)}>
        <Select
          aria-label="Rule"
          className="w-64 max-sm:w-full"
          value={rule ?? ''}
          onChange={(chosen) => onSearch({ rule: chosen === '' ? undefined : chosen }, true)}
          options={[
            { value: '', label: 'Any rule' },
            ...rules.map(({ id, name }) => ({ value: id, label: name })),
            ...(isListed ? [] : [{ value: rule, label: 'A former rule' }]),
          ]}
        />
      </FilterBar>
      <Table
        label="History"
        columns={columnsFor(rules)}
        rows={history.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ kind, subject }) => subjectHref(owner, kind, subject.id)}
        onNavigate={onNavigate}
        moveByKeys
        loading={history.isPlaceholderData}
        expectedRows={3}
        error={problemFrom(history.error)}
        onRetry={() => void history.refetch()}
        empty={<EmptyState cause={rule === null ? 'No alert is over yet.' : 'No alert of this rule is over yet.'} />}
      />
      <LoadMore list={history} />
      <div className="mt-6">
        <CommandLine command={alertCommand.list(owner, { isOpen: false, rule })} />
      </div>
    </Section>
  );
}

type Rules = readonly { readonly id: string; readonly name: string }[];

function columnsFor(rules: Rules): readonly Column<AlertJson>[] {
  const names = new Map(rules.map(({ id, name }) => [id, name]));
  return [
    { id: 'summary', header: 'What had crossed', cell: ({ summary }) => summary, grow: true },
    { id: 'rule', header: 'Rule', cell: ({ rule_id: id }) => names.get(id) ?? 'a former rule', from: 'xl' },
    {
      id: 'lasted',
      header: 'Lasted',
      align: 'end',
      cell: ({ raised_at: from, resolved_at: to }) =>
        to === null ? 'open' : <Duration ms={Date.parse(to) - Date.parse(from)} />,
    },
    { id: 'raised', header: 'Raised', align: 'end', cell: ({ raised_at: at }) => <Timestamp at={at} /> },
  ];
}
