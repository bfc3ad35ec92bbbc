import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { createAlertRule, reloadAlerts } from '../api/alerts.ts';
import { problemOf } from '../api/api-error.ts';
import { useOnce } from '../api/once.ts';
import { alertCommand } from '../components/alert-command.ts';
import { WORKSPACE_KINDS, type WorkspaceKind } from '../../../src/domain/alert-kinds.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { AlertRuleFields, RULE_PARAMS, ruleEntryOf, ruleSettingsOf } from './alert-rule-fields.tsx';
import { EACH, type ChosenSubject, RuleSubject } from './alert-rule-subject.tsx';

const KIND_WORDS: Readonly<Record<WorkspaceKind, string>> = {
  balance_below: 'The balance, by an amount',
  balance_share: 'The balance, by a share of the last top-up',
  runway: 'The balance, by the days that it lasts',
  project_budget: 'Budgets of projects',
  key_limit: 'Limits of keys',
  auto_top_up_stopped: 'Automatic top-ups that stop',
};

interface AlertRuleCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Creates an alert rule. */
export function AlertRuleCreate({ workspace, onClose }: AlertRuleCreateProps): ReactNode {
  const form = useId();
  const once = useOnce();
  const queries = useQueryClient();
  const [kind, setKind] = useState<WorkspaceKind>('balance_below');
  const [subject, setSubject] = useState<ChosenSubject>(EACH);
  const [entry, setEntry] = useState(() => ruleEntryOf(null));
  const about = { kind, subject_id: subject.id, subject_name: subject.name };
  const body = { kind, ...(subject.id === null ? {} : { subject_id: subject.id }), ...ruleSettingsOf(about, entry) };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createAlertRule(workspace, { ...body, once }),
    onSuccess: async ({ name }) => {
      showToast(`Rule ${name} is created. It counts within 30 seconds.`);
      await reloadAlerts(queries, workspace);
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  const choose = (chosen: WorkspaceKind): void => {
    setKind(chosen);
    setSubject(EACH);
  };
  return (
    <Sheet
      open
      title="Create rule"
      description="An alert is raised when a value crosses the threshold of a rule: once, however long it stays there."
      onClose={onClose}
      dirty={JSON.stringify(entry) !== JSON.stringify(ruleEntryOf(null)) || subject !== EACH}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Create rule
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <Field label="What it watches" error={problemOf(error, 'kind')}>
          <Select
            value={kind}
            onChange={choose}
            options={WORKSPACE_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          />
        </Field>
        {(kind === 'project_budget' || kind === 'key_limit') && (
          <RuleSubject workspace={workspace} kind={kind} chosen={subject} onChange={setSubject} error={error} />
        )}
        <AlertRuleFields owner={workspace} about={about} entry={entry} onChange={setEntry} error={error} />
        <ProblemPanel error={error} except={RULE_PARAMS} />
        <CommandLine command={alertCommand.createRule(workspace, body)} />
      </form>
    </Sheet>
  );
}
