import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useId } from 'react';
import type { AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { alertRulesQuery, type AlertOwner, reloadAlerts, updateAlertRule } from '../api/alerts.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { alertCommand } from '../components/alert-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { AlertRuleDelete } from './alert-rule-end.tsx';
import { AlertRuleFields, RULE_PARAMS, ruleEntryOf, ruleSettingsOf } from './alert-rule-fields.tsx';
import { useChanges } from './use-changes.ts';

interface AlertRuleUpdateFormProps {
  readonly owner: AlertOwner;
  readonly rule: AlertRuleJson;
  readonly onClose: () => void;
}

/** Changes a rule as it was when the form was opened. Another kind or subject is another rule. */
export function AlertRuleUpdateForm({ owner, rule, onClose }: AlertRuleUpdateFormProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(rule, {
    entryOf: ruleEntryOf,
    settingsOf: (typed) => ruleSettingsOf(rule, typed),
  });
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => updateAlertRule(owner, seen, changes),
    onSuccess: async ({ name }) => {
      showToast(`Rule ${name} is changed.`);
      await reloadAlerts(queries, owner);
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
    else onClose();
  };
  const load = async (): Promise<void> => {
    const { data } = await queries.query({ ...alertRulesQuery(owner), staleTime: 0 });
    const now = data.find(({ id }) => id === rule.id);
    if (now === undefined) onClose();
    else rebase(now);
    reset();
  };
  return (
    <Sheet
      open
      title={`Change ${rule.name}`}
      onClose={onClose}
      dirty={isDirty}
      footer={
        <>
          {owner !== null && <AlertRuleDelete workspace={owner} rule={rule} onDeleted={onClose} />}
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Change rule
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <AlertRuleFields owner={owner} about={rule} entry={entry} onChange={setEntry} error={error} />
        {isVersionConflict(error) ? (
          <VersionConflict thing="rule" onLoad={load} />
        ) : (
          <ProblemPanel error={error} except={RULE_PARAMS} />
        )}
        {isDirty && <CommandLine command={alertCommand.updateRule(owner, rule.id, changes)} />}
      </form>
    </Sheet>
  );
}
