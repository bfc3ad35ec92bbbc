import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AlertRuleJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, alertRulesQuery } from '../../api/alerts.ts';
import { conditionSentence, mailedTo } from '../../components/alert-words.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { AlertRuleDisable } from '../../forms/alert-rule-actions.tsx';
import { AlertRuleUpdateForm } from '../../forms/alert-rule-forms.tsx';
import { paths } from '../../paths.ts';
import { actionsColumn, statusColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';
import type { AlertsProps } from './alert-search.ts';
import { commandWords } from '../../components/command-words.ts';
import { ALERT_RULE_COMMANDS } from '../../../../src/control/operations/alert-commands.ts';

/** The rules, in words. */
export function RuleList({ owner, search, onSearch, action }: AlertsProps & { readonly action: ReactNode }): ReactNode {
  const query = useQuery(alertRulesQuery(owner));
  const changed = query.data?.data.find(({ id }) => id === search.change);
  return (
    <>
      <QueryTable
        query={query}
        label="Rules"
        columns={columnsFor(owner)}
        rows={query.data?.data}
        href={({ id }) => paths.alertsOf(owner, { ...search, change: id })}
        moveByKeys
        expectedRows={5}
        empty={
          <EmptyState
            cause="There is no rule, so nothing raises an alert."
            detail="A new workspace gets thirteen rules within half a minute: about its balance, budgets, limits, and automatic top-ups."
            action={action}
          />
        }
      />
      <CommandLine
        className="mt-6"
        command={commandWords(ALERT_RULE_COMMANDS, 'alert-rule list', { workspace: owner })}
      />
      {changed !== undefined && (
        <AlertRuleUpdateForm
          key={changed.id}
          owner={owner}
          rule={changed}
          onClose={() => onSearch({ change: undefined }, true)}
        />
      )}
    </>
  );
}

function columnsFor(owner: AlertOwner): readonly Column<AlertRuleJson>[] {
  return [
    { id: 'name', header: 'Rule', cell: ({ name }) => name, grow: true },
    { id: 'condition', header: 'Alerts when', cell: conditionSentence, from: 'lg' },
    { id: 'mailed', header: 'Mailed to', cell: (rule) => <Mailed owner={owner} rule={rule} />, from: 'xl' },
    statusColumn(({ enabled }) => (enabled ? ['open', 'on'] : ['off', 'off'])),
    actionsColumn((rule) => <AlertRuleDisable owner={owner} rule={rule} />),
  ];
}

function Mailed({ owner, rule }: { readonly owner: AlertOwner; readonly rule: AlertRuleJson }): ReactNode {
  const { mail_roles: roles, mail_to: addresses } = rule;
  const people = owner === null && roles.length > 0 ? ['operators', ...addresses].join(', ') : mailedTo(rule);
  return people ?? <span className="text-text-3">nobody</span>;
}
