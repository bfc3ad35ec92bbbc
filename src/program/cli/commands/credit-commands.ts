import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onceOption, signedUsd, usd, yesOption } from '../option-values.ts';
import { table } from '../text-layout.ts';
import { addStatementCommand } from './credit-statement.ts';

type Body = Parameters<AdminClient['postCredit']>[1];
type Posting = Awaited<ReturnType<AdminClient['listPostings']>>['data'][number];

interface PostingOptions {
  readonly reason: string;
  readonly once?: string;
  readonly won?: boolean;
  readonly yes?: boolean;
}

/** `credit top-up|grant|refund|dispute|adjust|history|statement`. */
export function addCreditCommands(program: Command, context: CliContext): void {
  const credit = program.command('credit').summary("a workspace's credit");
  const add = (name: string, summary: string, read: (text: string) => string, body: (own: PostingOptions) => Kind) =>
    credit
      .command(name)
      .summary(summary)
      .argument('<workspace>', 'id or name')
      .argument('<usd>', 'amount, such as 5 or 0.25', read)
      .requiredOption('--reason <text>', 'the reason, kept in the ledger')
      .addOption(onceOption())
      .addHelpText('after', example(`credit ${name} acme 25 --reason "invoice 118" --once invoice-118`))
      .action(async (workspace: string, amount: string, own: PostingOptions, command: Command) => {
        const { reason, once } = own;
        if (name === 'refund') await context.confirm(`This takes ${amount} USD of credit away from ${workspace}.`, own);
        const rest = { amount_usd: amount, reason, ...definedFields({ once }) };
        await postCredit(context, command, workspace, { ...body(own), ...rest });
      });

  add('top-up', 'add credit that was paid for', usd, () => ({ kind: 'top_up' }));
  add('grant', 'give a workspace credit', usd, () => ({ kind: 'grant' }));
  add('refund', 'take back credit for a refunded payment', usd, () => ({ kind: 'refund' })).addOption(yesOption());
  add('dispute', 'take back credit for a disputed payment', usd, ({ won }) =>
    won === true ? { kind: 'dispute', won } : { kind: 'dispute' },
  ).option('--won', 'the dispute was won: restore its credit');
  add('adjust', 'add credit, or take it back with an amount below zero', signedUsd, () => ({ kind: 'adjustment' }));
  addHistory(credit, context);
  addStatementCommand(credit, context);
}

type Kind = { readonly kind: 'top_up' | 'grant' | 'refund' | 'adjustment' } | { kind: 'dispute'; won?: true };

async function postCredit(context: CliContext, command: Command, workspace: string, body: Body): Promise<void> {
  const options = globalsOf(command);
  const posted = await context.connect(options).postCredit(workspace, body);
  const was = posted.repeated ? 'This was posted before' : 'Posted';
  const text = `${was}: ${kindName(posted)} of ${posted.amount_usd} USD; the balance after it is ${posted.balance_usd} USD.\n`;
  context.print(options, posted, text);
}

function addHistory(credit: Command, context: CliContext): void {
  credit
    .command('history')
    .summary("list the postings to a workspace's credit")
    .argument('<workspace>', 'id or name')
    .addHelpText('after', example('credit history acme'))
    .action(async (workspace: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listPostings(workspace, page));
      const rows = data.map((posting) => [
        posting.posted_at,
        kindName(posting),
        posting.amount_usd,
        posting.balance_usd,
        posting.actor,
        posting.reason,
      ]);
      const headings = ['POSTED', 'KIND', 'AMOUNT USD', 'BALANCE USD', 'ACTOR', 'REASON'];
      const text = table(headings, rows, 'There is no posting yet.', ['AMOUNT USD', 'BALANCE USD']);
      context.print(options, { data }, text);
    });
}

function kindName({ kind }: Pick<Posting, 'kind'>): string {
  return kind.replace('_', '-');
}
