import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deleteAlertRule, reloadAlerts, updateAlertRule } from '../api/alerts.ts';
import { alertCommand } from '../components/alert-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface RuleActionProps {
  readonly rule: AlertRuleJson;
}

/** Turns a rule off, or on again. */
export function AlertRuleDisable({ owner, rule }: RuleActionProps & { readonly owner: AlertOwner }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, enabled } = rule;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => updateAlertRule(owner, rule, { enabled: !enabled }),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(enabled ? `Rule ${name} is disabled.` : `Rule ${name} is enabled. It counts within 30 seconds.`);
      await reloadAlerts(queries, owner);
    },
    // It may have been changed since it was read: confirming again changes it as it is then.
    onError: () => reloadAlerts(queries, owner),
  });
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)} aria-label={`${verb} ${name}`}>
        {verb}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`${verb} ${name}?`}
        action={`${verb} rule`}
        danger={enabled}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          {enabled
            ? 'It raises no alerts, and its open ones are over. They stay in the history.'
            : 'If its value is beyond the threshold now, that is an alert.'}
        </p>
        <CommandLine command={alertCommand.updateRule(owner, id, { enabled: !enabled })} />
      </ConfirmDialog>
    </>
  );
}

/** Deletes a rule of a workspace. */
export function AlertRuleDelete({
  workspace,
  rule,
  onDeleted,
}: {
  readonly workspace: string;
  readonly rule: AlertRuleJson;
  readonly onDeleted: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { id, name } = rule;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => deleteAlertRule(workspace, rule),
    onSuccess: async () => {
      showToast(`Rule ${name} is deleted.`);
      onDeleted();
      await reloadAlerts(queries, workspace);
    },
    onError: () => reloadAlerts(queries, workspace),
  });
  return (
    <>
      <Button className="mr-auto" onClick={() => setIsOpen(true)}>
        Delete rule
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Delete ${name}?`}
        action="Delete rule"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">It raises no more alerts, and its open ones are over. They stay in the history.</p>
        <CommandLine command={alertCommand.deleteRule(workspace, id)} />
      </ConfirmDialog>
    </>
  );
}
