import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { usd } from '../option-values.ts';
import { table } from '../text-layout.ts';

/** `credit grant|history`. */
export function addCreditCommands(program: Command, context: CliContext): void {
  const credit = program.command('credit').summary("a workspace's credit");

  credit
    .command('grant')
    .summary('give a workspace credit')
    .argument('<workspace>', 'id or name')
    .argument('<usd>', 'amount, such as 5 or 0.25', usd)
    .requiredOption('--reason <text>', 'why; it stands in the ledger')
    .action(async (workspace: string, amount: string, own: { reason: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { amount_usd: amount, reason: own.reason };
      const grant = await context.connect(options).grantCredit(workspace, body);
      context.print(options, grant, `Granted ${grant.amount_usd} USD; the balance is ${grant.balance_usd} USD.\n`);
    });

  credit
    .command('history')
    .summary("list what came to and left a workspace's credit by hand")
    .argument('<workspace>', 'id or name')
    .action(async (workspace: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const list = await context.connect(options).creditHistory(workspace);
      const rows = list.data.map((posting) => [
        posting.posted_at,
        posting.kind,
        posting.amount_usd,
        posting.actor,
        posting.reason,
      ]);
      const headings = ['POSTED', 'KIND', 'AMOUNT USD', 'ACTOR', 'REASON'];
      context.print(options, list, table(headings, rows, 'Nothing was posted yet.', ['AMOUNT USD']));
    });
}
