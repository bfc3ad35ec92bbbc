import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AUTO_TOP_UP_COMMANDS } from '../../../control/operations/payment-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, yesOrNo } from '../text-layout.ts';

type Settings = Awaited<ReturnType<AdminClient['showPaymentSettings']>>;

/** `auto-top-up show|update`: the payment settings of a workspace. */
export function addAutoTopUpCommands(program: Command, context: CliContext): void {
  const auto = program.command('auto-top-up').summary('payments that are made when credit runs low');
  const commands = new DeclaredCommands(auto, context, AUTO_TOP_UP_COMMANDS);
  commands.say('auto-top-up show', settingsText);
  commands.say('auto-top-up update', settingsText);
}

function settingsText({ auto_top_up: auto, ...settings }: Settings): string {
  const amount = (value: string | null): string | null => (value === null ? null : `${value} USD`);
  return pairs([
    ['payments by', settings.provider ?? 'none: the operator grants credit'],
    ['top-ups', `${settings.amount_min_usd} to ${settings.amount_max_usd} USD`],
    ['fee', `${settings.fee_percent} %, at least ${settings.fee_min_usd} USD`],
    ['kept means of payment', yesOrNo(settings.has_saved_method)],
    ['automatic top-ups', auto.enabled ? 'on' : 'off'],
    ['stopped', auto.stop === null ? null : `${auto.stop.replaceAll('_', ' ')}, ${auto.stopped_at}`],
    ['below', amount(auto.threshold_usd)],
    ['amount', amount(auto.amount_usd)],
    ['most a month', amount(auto.month_max_usd)],
    ['consent', auto.consent_at === null ? null : `${auto.consent_by}, ${auto.consent_at}`],
  ]);
}
