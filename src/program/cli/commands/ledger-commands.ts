import type { Command } from 'commander';
import { LEDGER_COMMANDS } from '../../../control/operations/ledger-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { printRecords } from '../print-records.ts';
import { table } from '../text-layout.ts';
import { exportedRecords } from './ledger-export.ts';
import { ledgerReportText } from './ledger-report-text.ts';
import { verifyCells } from './verify-cells.ts';
import { proofsText } from './ledger-proofs-text.ts';

/** `ledger verify`: the check that no money was made or lost; and `ledger export|proofs|seals|corrections|seal|rebuild-usage`. */
export function addLedgerCommands(program: Command, context: CliContext): void {
  const ledger = program.command('ledger').summary('verify, export and seal the ledger');
  const commands = new DeclaredCommands(ledger, context, LEDGER_COMMANDS);
  commands.run('ledger verify', async ({ given, options }) => {
    if (given.all_cells === true) return await verifyCells(context, options);
    const report = await context.connect(options).verifyLedger();
    context.print(options, report, ledgerReportText(report));
    if (!report.ok)
      context.complain('the ledger does not add up; save the differences and a backup before you change anything');
  });
  commands.run('ledger export', async ({ given, options }) => {
    const format = options.json === true ? 'ndjson' : 'csv';
    await printRecords(context, await exportedRecords(context.connect(options), given, format));
  });
  commands.say('ledger proofs', proofsText);
  commands.list('ledger seals', 'No receipts are sealed.', [
    ['RECEIPTS FROM', (each) => each.from.slice(0, 10)],
    ['TO', (each) => each.to.slice(0, 10)],
    ['COUNT', 'receipts', 'right'],
    ['CHARGES USD', 'charges_usd', 'right'],
    ['SEALED', 'sealed_at'],
    ['EXPORTED', 'exported_at'],
    ['DROPPED', 'dropped_at'],
    ['DIGEST', 'digest'],
  ]);
  commands.list('ledger corrections', 'No receipt was corrected.', [
    ['AT', 'posted_at'],
    ['WORKSPACE', 'workspace_name'],
    ['REQUEST', 'receipt_request_id'],
    ['AMOUNT USD', 'amount_usd', 'right'],
    ['BY', 'actor'],
    ['REASON', 'reason'],
  ]);
  commands.run('ledger seal', async ({ given: { before, drop }, options, confirm }) => {
    if (drop === true) await confirm(`This drops all receipts of whole weeks before ${before}.`);
    const done = await context.connect(options).sealReceipts({ before, ...definedFields({ drop }) });
    const rows = [...done.sealed.map((name) => [name, 'sealed']), ...done.dropped.map((name) => [name, 'dropped'])];
    context.print(options, done, table(['RECEIPTS', 'NOW'], rows, 'No receipts were sealed.'));
  });
  commands.say('ledger rebuild-usage', () => 'All receipts are counted.\n');
}
