import { type Command, Option } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { usd } from '../option-values.ts';
import { pairs } from '../text-layout.ts';

type Settings = Awaited<ReturnType<AdminClient['showPaymentSettings']>>;

interface UpdateOptions {
  readonly enable?: true;
  readonly disable?: true;
  readonly below?: string;
  readonly amount?: string;
  readonly monthMax?: string;
  readonly consent?: true;
}

/** `auto-top-up show|update`: the payment settings of a workspace. */
export function addAutoTopUpCommands(program: Command, context: CliContext): void {
  const auto = program.command('auto-top-up').summary('payments that are made when credit runs low');

  auto
    .command('show')
    .summary('show how a workspace pays, what top-ups cost, and its automatic top-ups')
    .argument('<workspace>', 'id or name')
    .addHelpText('after', example('auto-top-up show acme'))
    .action(async (workspace: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showPaymentSettings(workspace);
      context.print(options, shown, settingsText(shown));
    });

  auto
    .command('update')
    .summary('change the automatic top-ups of a workspace')
    .argument('<workspace>', 'id or name')
    .addOption(new Option('--enable', 'turn them on').conflicts('disable'))
    .option('--disable', 'turn them off')
    .option('--below <usd>', 'top up once the balance is below this amount', usd)
    .option('--amount <usd>', 'the credit of each top-up', usd)
    .option('--month-max <usd>', 'the most that is charged in a month (UTC), fees included', usd)
    .option('--consent', 'the payer agrees to be charged without being asked again')
    .addHelpText('after', example('auto-top-up update acme --enable --below 10 --amount 25 --month-max 100 --consent'))
    .action(async (workspace: string, own: UpdateOptions, command: Command) => {
      const options = globalsOf(command);
      const body = definedFields({
        enabled: own.enable ?? (own.disable === true ? false : undefined),
        threshold_usd: own.below,
        amount_usd: own.amount,
        month_max_usd: own.monthMax,
        consent: own.consent,
      });
      if (Object.keys(body).length === 0) command.error('nothing to change; give an option such as --disable');
      const changed = await context.connect(options).updatePaymentSettings(workspace, body);
      context.print(options, changed, settingsText(changed));
    });
}

function settingsText({ auto_top_up: auto, ...settings }: Settings): string {
  const amount = (value: string | null): string | null => (value === null ? null : `${value} USD`);
  return pairs([
    ['payments by', settings.provider ?? 'none: the operator grants credit'],
    ['top-ups', `${settings.amount_min_usd} to ${settings.amount_max_usd} USD`],
    ['fee', `${settings.fee_percent} %, at least ${settings.fee_min_usd} USD`],
    ['kept means of payment', settings.has_saved_method ? 'yes' : 'no'],
    ['automatic top-ups', auto.enabled ? 'on' : 'off'],
    ['stopped', auto.stop === null ? null : `${auto.stop.replaceAll('_', ' ')}, ${auto.stopped_at}`],
    ['below', amount(auto.threshold_usd)],
    ['amount', amount(auto.amount_usd)],
    ['most a month', amount(auto.month_max_usd)],
    ['consent', auto.consent_at === null ? null : `${auto.consent_by}, ${auto.consent_at}`],
  ]);
}
