import type { ReactNode } from 'react';
import type { AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, deleteAlertRule, reloadAlerts, updateAlertRule } from '../api/alerts.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { commandWords } from '../components/command-words.ts';
import { ALERT_RULE_COMMANDS } from '../../../src/control/operations/alert-commands.ts';

interface RuleDisableProps {
  readonly owner: AlertOwner;
  readonly rule: AlertRuleJson;
}

/** Turns a rule off, or on again. */
export function AlertRuleDisable({ owner, rule }: RuleDisableProps): ReactNode {
  const { id, name, enabled } = rule;
  const verb = enabled ? 'Disable' : 'Enable';
  return (
    <ConfirmAction
      kind="quiet"
      label={verb}
      aria-label={`${verb} ${name}`}
      title={`${verb} ${name}?`}
      action={`${verb} rule`}
      danger={enabled}
      command={commandWords(ALERT_RULE_COMMANDS, 'alert-rule update', {
        workspace: owner,
        rule: id,
        enabled: !enabled,
      })}
      send={() => updateAlertRule(owner, rule, { enabled: !enabled })}
      done={(changed) =>
        changed.enabled ? `Rule ${name} is enabled. It counts within 30 seconds.` : `Rule ${name} is disabled.`
      }
      reload={(queries) => reloadAlerts(queries, owner)}
      isVersioned
    >
      {enabled
        ? 'It raises no alerts, and its open ones are over. They stay in the history.'
        : 'If its value is beyond the threshold now, that is an alert.'}
    </ConfirmAction>
  );
}

interface RuleDeleteProps {
  readonly workspace: string;
  readonly rule: AlertRuleJson;
  readonly onDeleted: () => void;
}

/** Deletes a rule of a workspace. */
export function AlertRuleDelete({ workspace, rule, onDeleted }: RuleDeleteProps): ReactNode {
  const { id, name } = rule;
  return (
    <ConfirmAction
      className="mr-auto"
      action="Delete rule"
      title={`Delete ${name}?`}
      command={commandWords(ALERT_RULE_COMMANDS, 'alert-rule delete', { workspace, rule: id })}
      send={() => deleteAlertRule(workspace, rule)}
      done={() => `Rule ${name} is deleted.`}
      onDone={onDeleted}
      reload={(queries) => reloadAlerts(queries, workspace)}
      isVersioned
    >
      It raises no more alerts, and its open ones are over. They stay in the history.
    </ConfirmAction>
  );
}
