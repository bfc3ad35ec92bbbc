import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { AlertJson, AlertRuleJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, alertRulesQuery, alertsQuery } from '../../api/alerts.ts';
import { isUrgent, remedyOf, subjectHref } from '../../components/alert-words.ts';
import { AttentionItems } from '../../components/attention-items.tsx';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { announce } from '../../ui/announcements.ts';
import { timeColumn } from '../../ui/columns.tsx';
import { Duration } from '../../ui/duration.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { AlertsProps } from './alert-search.ts';
import { commandWords } from '../../components/command-words.ts';
import { ALERT_COMMANDS } from '../../../../src/control/operations/alert-commands.ts';

/** What is beyond a threshold now, each with the one action that helps. */
export function OpenAlerts({ owner }: { readonly owner: AlertOwner }): ReactNode {
  const open = useInfiniteQuery(alertsQuery(owner, { isOpen: true, rule: null }));
  const alerts = rowsOf(open);
  const rules = useQuery(alertRulesQuery(owner)).data?.data ?? [];
  useSpokenAlerts(alerts);
  return (
    <Section title="Open">
      <Loaded query={open} room="w-60" />
      {alerts?.length === 0 && (
        <p className="text-control">
          <StatusWord status="open">Nothing is beyond a threshold.</StatusWord>
        </p>
      )}
      {alerts !== undefined && alerts.length > 0 && (
        <AttentionItems
          label="Open alerts"
          workspace={owner}
          items={withoutOutdone(alerts, rules).map((alert) => ({
            id: alert.id,
            tone: isUrgent(alert) ? 'danger' : 'warn',
            text: alert.summary,
            detail: (
              <>
                since <Timestamp at={alert.raised_at} />
              </>
            ),
            action: remedyOf(owner, alert.kind, alert.subject.id),
          }))}
        />
      )}
      <LoadMore list={open} />
    </Section>
  );
}

/** Those that say more than another one says of the same thing: that it is used up, and not that 80 % of it are. */
function withoutOutdone(
  alerts: readonly AlertJson[],
  rules: readonly Pick<AlertRuleJson, 'id' | 'percent'>[],
): readonly AlertJson[] {
  const percents = new Map(rules.map(({ id, percent }) => [id, percent ?? 0]));
  const percentOf = ({ rule_id: rule }: AlertJson): number => percents.get(rule) ?? 0;
  const isOutdone = (alert: AlertJson): boolean =>
    alert.kind !== 'balance_share' &&
    alerts.some(
      (other) =>
        other.kind === alert.kind && other.subject.id === alert.subject.id && percentOf(other) > percentOf(alert),
    );
  return alerts.filter((alert) => !isOutdone(alert));
}

/** Speaks alerts that come while the page is open. */
function useSpokenAlerts(alerts: readonly AlertJson[] | undefined): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (alerts === undefined) return;
    const former = known.current;
    known.current = new Set(alerts.map(({ id }) => id));
    const fresh = former === null ? [] : alerts.filter(({ id }) => !former.has(id));
    if (fresh.length > 0) announce(fresh.map(({ summary }) => summary).join(' '));
  }, [alerts]);
}

/** Alerts that are over. */
export function AlertHistory({ owner, search, onSearch }: AlertsProps): ReactNode {
  const { rule = null } = search;
  const history = useInfiniteQuery(alertsQuery(owner, { isOpen: false, rule }));
  const rules = useQuery(alertRulesQuery(owner)).data?.data ?? [];
  const isListed = rule === null || rules.some(({ id }) => id === rule);
  return (
    <Section title="History" lead="Alerts that are over, for 400 days.">
      <FilterBar label="Filter alerts" onClear={rule === null ? null : () => onSearch({ rule: undefined }, true)}>
        <FilterSelect
          label="Rule"
          all="Any rule"
          className="w-64 max-sm:w-full"
          value={search.rule}
          onChange={(chosen) => onSearch({ rule: chosen }, true)}
          options={[
            ...rules.map(({ id, name }) => ({ value: id, label: name })),
            ...(isListed ? [] : [{ value: rule, label: 'A former rule' }]),
          ]}
        />
      </FilterBar>
      <ListTable
        list={history}
        label="History"
        columns={columnsFor(rules)}
        href={({ kind, subject }) => subjectHref(owner, kind, subject.id)}
        moveByKeys
        expectedRows={3}
        empty={<EmptyState cause={rule === null ? 'No alert is over yet.' : 'No alert of this rule is over yet.'} />}
      />
      <CommandLine className="mt-6" command={commandWords(ALERT_COMMANDS, 'alert list', { workspace: owner, rule })} />
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
    timeColumn('raised', 'Raised', ({ raised_at: at }) => at, { align: 'end' }),
  ];
}
