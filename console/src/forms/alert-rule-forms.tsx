import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { WORKSPACE_KINDS, type WorkspaceKind } from '../../../src/domain/alert-kinds.ts';
import { type AlertOwner, alertRulesQuery, createAlertRule, reloadAlerts, updateAlertRule } from '../api/alerts.ts';
import { Select } from '../ui/select.tsx';
import { AlertRuleDelete } from './alert-rule-actions.tsx';
import { AlertRuleFields, type RuleEntry, ruleEntryOf, ruleSettingsOf, withNameOf } from './alert-rule-fields.tsx';
import { type ChosenSubject, EACH, RuleSubject } from './alert-rule-subject.tsx';
import { ChangeSheet } from './change-sheet.tsx';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { commandWords } from '../components/command-words.ts';
import { ALERT_RULE_COMMANDS } from '../../../src/control/operations/alert-commands.ts';

const KIND_WORDS: Readonly<Record<WorkspaceKind, string>> = {
  balance_below: 'The balance, by an amount',
  balance_share: 'The balance, by a share of the last top-up',
  runway: 'The balance, by the days that it lasts',
  project_budget: 'Budgets of projects',
  key_limit: 'Limits of keys',
  member_limit: 'Limits of members',
  end_user_limit: 'Limits of end users',
  session_limit: 'Limits of sessions',
  auto_top_up_stopped: 'Automatic top-ups that stop',
};

interface AlertRuleCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Creates an alert rule. */
export function AlertRuleCreate({ workspace, onClose }: AlertRuleCreateProps): ReactNode {
  const [kind, setKind] = useState<WorkspaceKind>('balance_below');
  const [subject, setSubject] = useState<ChosenSubject>(EACH);
  const [entry, setEntry] = useState(() => ruleEntryOf(null));
  const about = { kind, subject_id: subject.id, subject_name: subject.name };
  const body = { kind, ...(subject.id === null ? {} : { subject_id: subject.id }), ...ruleSettingsOf(about, entry) };
  const choose = (chosen: WorkspaceKind): void => {
    setKind(chosen);
    setSubject(EACH);
  };
  return (
    <ResourceForm
      title="Create rule"
      description="An alert is raised when a value crosses the threshold of a rule: once, however long it stays there."
      onClose={onClose}
      dirty={JSON.stringify(entry) !== JSON.stringify(ruleEntryOf(null)) || subject !== EACH}
      action="Create rule"
      command={commandWords(ALERT_RULE_COMMANDS, 'alert-rule create', { workspace, ...body })}
      send={(once) => createAlertRule(workspace, { ...body, once })}
      done={({ name }) => `Rule ${name} is created. It counts within 30 seconds.`}
      reload={(queries) => reloadAlerts(queries, workspace)}
    >
      <ParamField param="kind" label="What it watches">
        <Select
          value={kind}
          onChange={choose}
          options={WORKSPACE_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        />
      </ParamField>
      <RuleSubject workspace={workspace} kind={kind} chosen={subject} onChange={setSubject} />
      <AlertRuleFields owner={workspace} about={about} entry={entry} onChange={setEntry} />
    </ResourceForm>
  );
}

interface AlertRuleUpdateFormProps {
  readonly owner: AlertOwner;
  readonly rule: AlertRuleJson;
  readonly onClose: () => void;
}

/** Changes a rule. Another kind or subject is another rule. */
export function AlertRuleUpdateForm({ owner, rule, onClose }: AlertRuleUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  return (
    <ChangeSheet
      kind="rule"
      title={`Change ${rule.name}`}
      thing={rule}
      rules={{ entryOf: ruleEntryOf, settingsOf: (typed: RuleEntry) => ruleSettingsOf(rule, withNameOf(rule, typed)) }}
      renderFields={(fields) => <AlertRuleFields owner={owner} about={rule} {...fields} />}
      aside={owner !== null && <AlertRuleDelete workspace={owner} rule={rule} onDeleted={onClose} />}
      commandOf={(changes) =>
        commandWords(ALERT_RULE_COMMANDS, 'alert-rule update', { workspace: owner, rule: rule.id, ...changes })
      }
      save={(seen, changes) => updateAlertRule(owner, seen, changes)}
      reload={() => reloadAlerts(queries, owner)}
      load={async () => {
        const { data } = await queries.query({ ...alertRulesQuery(owner), staleTime: 0 });
        return data.find(({ id }) => id === rule.id);
      }}
      onClose={onClose}
    />
  );
}
