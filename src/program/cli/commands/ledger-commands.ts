import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { instant, yesOption } from '../option-values.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { pairs, table } from '../text-layout.ts';
import { addExportCommand } from './ledger-export.ts';
import { addLedgerRecordCommands } from './ledger-records.ts';

type Report = Awaited<ReturnType<AdminClient['verifyLedger']>>;

/** `ledger verify`: the check that no money was made or lost; and `ledger export`: its records. */
export function addLedgerCommands(program: Command, context: CliContext): void {
  const ledger = program.command('ledger').summary('verify, export and seal the ledger');
  ledger
    .command('verify')
    .summary('verify that credit posted − charges = balance, to the nano-USD')
    .addHelpText('after', example('ledger verify'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const report = await context.connect(options).verifyLedger();
      context.print(options, report, reportText(report));
      if (!report.ok)
        context.complain('the ledger does not add up; save the differences and a backup before you change anything');
    });

  addExportCommand(ledger, context);
  addLedgerRecordCommands(ledger, context);
  addSeal(ledger, context);
  ledger
    .command('rebuild-usage')
    .summary('count usage from the receipts again; until it is done, usage is not answered')
    .addHelpText('after', example('ledger rebuild-usage'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      context.print(options, await context.connect(options).rebuildUsage(), 'All receipts are counted.\n');
    });
}

function addSeal(ledger: Command, context: CliContext): void {
  ledger
    .command('seal')
    .summary('seal old receipts: store their totals, so that the receipts can be dropped')
    .argument('<date>', 'receipts of whole weeks before this day', instant)
    .option('--drop', 'drop the sealed receipts; their totals still count in every proof')
    .addOption(yesOption())
    .addHelpText('after', example('ledger seal 2026-01-01 --drop'))
    .action(async (before: string, { drop, yes }: { drop?: true; yes?: true }, command: Command) => {
      const options = globalsOf(command);
      if (drop === true) await context.confirm(`This drops all receipts of whole weeks before ${before}.`, { yes });
      const done = await context.connect(options).sealReceipts({ before, ...definedFields({ drop }) });
      const rows = [...done.sealed.map((name) => [name, 'sealed']), ...done.dropped.map((name) => [name, 'dropped'])];
      context.print(options, done, table(['RECEIPTS', 'NOW'], rows, 'No receipts were sealed.'));
    });
}

function reportText(report: Report): string {
  const sums = pairs([
    ['credit posted', `${report.credit_usd} USD`],
    ['charges', `${report.charges_usd} USD`],
    ['balance', `${report.balance_usd} USD`],
    ['owed', `${report.owed_usd} USD`],
    ['write-offs', `${report.write_offs_usd} USD`],
    ['workspaces', report.workspaces],
    ['receipts', report.receipts],
    ['differences', report.difference_count],
  ]);
  if (report.ok) return `${sums}\nThe ledger adds up, to the last nano-USD.\n`;
  const rows = report.differences.map((each) => [
    each.check,
    each.workspace_id,
    each.subject_id,
    each.expected,
    each.actual,
  ]);
  return `${sums}\n${table(['CHECK', 'WORKSPACE', 'SUBJECT', 'EXPECTED', 'ACTUAL'], rows, 'No difference was listed.')}`;
}
