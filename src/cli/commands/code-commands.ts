import type { Command } from 'commander';
import { readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { countAboveZero, onceOption, usd } from '../option-values.ts';
import { table } from '../text-layout.ts';

interface BatchOptions {
  readonly count: number;
  readonly amount: string;
  readonly expires: string;
  readonly reason: string;
  readonly sold?: boolean;
  readonly once?: string;
}

/** `codes create|list`. */
export function addCodeCommands(program: Command, context: CliContext): void {
  const codes = program.command('codes').summary('redemption codes for credit');
  codes
    .command('create')
    .summary('make a batch of codes; they are shown once')
    .requiredOption('--count <number>', 'how many', countAboveZero)
    .requiredOption('--amount <usd>', 'what each code is worth, such as 5 or 0.25', usd)
    .requiredOption('--expires <date>', 'the day or time (UTC) from which they are void, such as 2027-01-31')
    .option('--reason <text>', 'what they are for', 'redemption codes')
    .option('--sold', 'they are sold, so their credit counts as paid')
    .addOption(onceOption())
    .action(async ({ count, amount, expires, reason, sold = false, once }: BatchOptions, command: Command) => {
      const options = globalsOf(command);
      const order = { count, amount_usd: amount, expires_at: expires, reason, sold };
      const batch = await context.connect(options).createCodeBatch(once === undefined ? order : { ...order, once });
      context.print(options, batch, batch.codes.map((code) => `${code}\n`).join(''));
    });
  codes
    .command('list')
    .summary('list codes by their last four characters, and who redeemed them')
    .option('--batch <id>', 'of this batch only')
    .action(async ({ batch }: { readonly batch?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listCodes(batch === undefined ? page : { ...page, batch }));
      const rows = data.map((code) => [
        `…${code.last_four}`,
        code.amount_usd,
        code.expires_at,
        code.workspace_name,
        code.redeemed_by,
        code.redeemed_at,
        code.batch_id,
      ]);
      const headings = ['CODE', 'CREDIT USD', 'EXPIRES', 'WORKSPACE', 'REDEEMED BY', 'REDEEMED', 'BATCH'];
      context.print(options, { data }, table(headings, rows, 'There is no code yet.', ['CREDIT USD']));
    });
}
