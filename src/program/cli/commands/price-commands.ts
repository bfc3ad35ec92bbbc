import { type Command, Option } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { percent } from '../option-values.ts';
import { table } from '../text-layout.ts';

type Adjustment = Awaited<ReturnType<AdminClient['adjustPrices']>>;

interface PriceOptions {
  readonly model?: string;
  readonly discount?: string;
  readonly markup?: string;
  readonly clear?: boolean;
}

/** `workspace price`: shows what a workspace pays relative to the list, or changes it. */
export function addPriceCommand(workspace: Command, context: CliContext): void {
  workspace
    .command('price')
    .summary('show, set or clear the discount or mark-up of a workspace')
    .description('Without --discount, --markup or --clear: shows the adjustments of the list price, former ones too.')
    .argument('<workspace>', 'id or name')
    .option('--model <model>', 'for this model only (default: for all models that have none of their own)')
    .addOption(
      new Option('--discount <percent>', 'below the list price').argParser(percent).conflicts(['markup', 'clear']),
    )
    .addOption(new Option('--markup <percent>', 'above the list price').argParser(percent).conflicts('clear'))
    .option('--clear', 'end it')
    .addHelpText('after', example('workspace price acme --discount 10% --model small-chat'))
    .action(async (reference: string, own: PriceOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const change = requestedChange(own);
      if (change === undefined) {
        if (own.model !== undefined) throw new CliFailure('--model takes --discount, --markup or --clear');
        const data = await readAllPages((page) => client.listPriceAdjustments(reference, page));
        context.print(options, { data }, adjustmentsText(data));
        return;
      }
      const body = { ...definedFields({ model: own.model }), change_percent: change };
      const adjustment = await client.adjustPrices(reference, body);
      context.print(options, adjustment, outcomeText(adjustment));
    });
}

/** The percentage to set, null to clear it; undefined if the command only shows. */
function requestedChange({ discount, markup, clear = false }: PriceOptions): string | null | undefined {
  if (clear) return null;
  return discount === undefined ? markup : `-${discount}`;
}

function outcomeText({ model, change_percent: change, ended_at: ended }: Adjustment): string {
  const what = model ?? 'all models without an adjustment of their own';
  if (ended !== null) return `Ended the adjustment of ${signed(change)} for ${what}; it holds for new requests.\n`;
  return `The price of ${what} is the list price ${signed(change)} for new requests, within a second.\n`;
}

function adjustmentsText(data: readonly Adjustment[]): string {
  const rows = data.map((each) => [each.model ?? '(all)', signed(each.change_percent), each.started_at, each.ended_at]);
  const none = 'This workspace pays list prices.';
  return table(['MODEL', 'CHANGE', 'FROM', 'TO'], rows, none, ['CHANGE']);
}

function signed(change: string): string {
  return change.startsWith('-') ? `${change} %` : `+${change} %`;
}
