import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { ALERT_COMMANDS, ALERT_RULE_COMMANDS } from '../../../control/operations/alert-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, yesOrNo } from '../text-layout.ts';

type Rule = Awaited<ReturnType<AdminClient['updateAlertRule']>>;

/** `alert list`, and `alert-rule list|create|update|delete`. */
export function addAlertCommands(program: Command, context: CliContext): void {
  const alert = program.command('alert').summary('crossings of thresholds');
  new DeclaredCommands(alert, context, ALERT_COMMANDS).list('alert list', 'There are no alerts.', [
    ['RAISED', 'raised_at'],
    ['RESOLVED', (each) => each.resolved_at ?? 'open'],
    ['KIND', 'kind'],
    ['SUMMARY', 'summary'],
  ]);
  const rule = program.command('alert-rule').summary('thresholds that raise alerts');
  const commands = new DeclaredCommands(rule, context, ALERT_RULE_COMMANDS);
  commands.list('alert-rule list', 'There is no alert rule.', [
    ['NAME', 'name'],
    ['KIND', 'kind'],
    ['THRESHOLD', thresholdOf],
    ['ENABLED', ({ enabled }) => yesOrNo(enabled)],
    ['MAILED TO', recipientsOf],
    ['ID', 'id'],
  ]);
  commands.say('alert-rule create', ruleText);
  commands.say('alert-rule update', ruleText);
  commands.say('alert-rule delete', ({ name }) => `Deleted ${name}.\n`);
}

function ruleText(rule: Rule): string {
  return pairs([
    ['id', rule.id],
    ['name', rule.name],
    ['kind', rule.kind],
    ['threshold', thresholdOf(rule)],
    ['about', rule.subject_name ?? rule.subject_id],
    ['enabled', yesOrNo(rule.enabled)],
    ['mailed to', recipientsOf(rule)],
  ]);
}

function thresholdOf({ threshold_usd: amount, percent, days }: Rule): string | null {
  if (amount !== null) return `${amount} USD`;
  if (percent !== null) return `${percent} %`;
  return days === null ? null : `${days} days`;
}

function recipientsOf({ mail_roles: roles, mail_to: addresses }: Rule): string {
  return [...roles, ...addresses].join(', ');
}
