import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { table } from '../text-layout.ts';

type Proofs = Awaited<ReturnType<AdminClient['listProofs']>>;

/** `ledger proofs|seals|corrections`: what is on record of the whole ledger. */
export function addLedgerRecordCommands(ledger: Command, context: CliContext): void {
  ledger
    .command('proofs')
    .summary('list the last proofs, and show how far the one has come that is being made')
    .addHelpText('after', example('ledger proofs'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const proofs = await context.connect(options).listProofs();
      context.print(options, proofs, proofsText(proofs));
    });

  ledger
    .command('seals')
    .summary('list the weeks whose receipts are sealed, with the digests of their totals')
    .addHelpText('after', example('ledger seals'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listSeals(page));
      const headings = ['RECEIPTS FROM', 'TO', 'COUNT', 'CHARGES USD', 'SEALED', 'DROPPED', 'DIGEST'];
      const rows = data.map((each) => [
        each.from.slice(0, 10),
        each.to.slice(0, 10),
        each.receipts,
        each.charges_usd,
        each.sealed_at,
        each.dropped_at,
        each.digest,
      ]);
      context.print(options, { data }, table(headings, rows, 'No receipts are sealed.', ['COUNT', 'CHARGES USD']));
    });

  ledger
    .command('corrections')
    .summary('list the corrections of receipts of all workspaces')
    .addHelpText('after', example('ledger corrections'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listCorrections(page));
      const headings = ['AT', 'WORKSPACE', 'REQUEST', 'AMOUNT USD', 'BY', 'REASON'];
      const rows = data.map((each) => [
        each.posted_at,
        each.workspace_name,
        each.receipt_request_id,
        each.amount_usd,
        each.actor,
        each.reason,
      ]);
      context.print(options, { data }, table(headings, rows, 'No receipt was corrected.', ['AMOUNT USD']));
    });
}

function proofsText({ running, data }: Proofs): string {
  const progress =
    running === null
      ? ''
      : `A proof is being made since ${running.started_at}: ${running.receipts} of about ${running.receipts_expected} receipts.\n`;
  const rows = data.map((each) => [
    each.started_at,
    each.finished_at,
    each.nightly ? 'night' : 'request',
    each.difference_count,
  ]);
  return (
    progress + table(['STARTED', 'FINISHED', 'BY', 'DIFFERENCES'], rows, 'No proof was made yet.', ['DIFFERENCES'])
  );
}
