import type { Command } from 'commander';
import type { AdminClient } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { pairs, table } from '../text-layout.ts';

type Report = Awaited<ReturnType<AdminClient['verifyLedger']>>;

/** `ledger verify`: the proof that no money was made or lost. */
export function addLedgerCommands(program: Command, context: CliContext): void {
  program
    .command('ledger')
    .summary('proof of the books')
    .command('verify')
    .summary('prove that credit posted less charges is what is left, to the last nano-USD')
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const report = await context.connect(options).verifyLedger();
      context.print(options, report, reportText(report));
      if (!report.ok)
        context.complain('the ledger does not add up; keep the differences, and a backup, before anything is changed');
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
  return `${sums}\n${table(['CHECK', 'WORKSPACE', 'SUBJECT', 'EXPECTED', 'ACTUAL'], rows, 'No difference was named.')}`;
}
