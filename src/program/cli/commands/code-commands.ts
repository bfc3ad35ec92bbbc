import type { Command } from 'commander';
import { readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { countAboveZero, onceOption, usd } from '../option-values.ts';
import { table } from '../text-layout.ts';
import { topUpText } from './top-up-commands.ts';

interface BatchOptions {
  readonly count: number;
  readonly amount: string;
  readonly expires: string;
  readonly reason: string;
  readonly sold?: boolean;
  readonly once?: string;
}

/** `code create|batches|cancel|list|redeem`. */
export function addCodeCommands(program: Command, context: CliContext): void {
  const code = program.command('code').summary('redemption codes for credit');
  code
    .command('create')
    .summary('make a batch of codes; they are shown once')
    .requiredOption('--count <number>', 'how many', countAboveZero)
    .requiredOption('--amount <usd>', 'what each code is worth, such as 5 or 0.25', usd)
    .requiredOption('--expires <date>', 'the day or time (UTC) from which they are void, such as 2027-01-31')
    .option('--reason <text>', 'what they are for', 'redemption codes')
    .option('--sold', 'they are sold, so their credit counts as paid')
    .addOption(onceOption())
    .addHelpText('after', example('code create --count 100 --amount 5 --expires 2027-06-30 --reason "spring fair"'))
    .action(async ({ count, amount, expires, reason, sold = false, once }: BatchOptions, command: Command) => {
      const options = globalsOf(command);
      const order = { count, amount_usd: amount, expires_at: expires, reason, sold, ...definedFields({ once }) };
      const batch = await context.connect(options).createCodeBatch(order);
      const text =
        batch.codes === null
          ? `This batch was made before; its codes were shown then: ${batch.id}\n`
          : batch.codes.map((each) => `${each}\n`).join('');
      context.print(options, batch, text);
    });
  code
    .command('batches')
    .summary('list the batches of codes, and how many of each are redeemed')
    .addHelpText('after', example('code batches'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listCodeBatches(page));
      const rows = data.map((each) => [
        each.created_at,
        each.count,
        each.redeemed,
        each.amount_usd,
        each.sold ? 'sold' : 'granted',
        each.expires_at,
        each.state.replace('_', ' '),
        each.reason,
        each.id,
      ]);
      const headings = ['CREATED', 'CODES', 'REDEEMED', 'CREDIT USD', 'CREDIT IS', 'EXPIRES', 'STATE', 'REASON', 'ID'];
      const right = ['CODES', 'REDEEMED', 'CREDIT USD'];
      context.print(options, { data }, table(headings, rows, 'There is no batch yet.', right));
    });
  addListing(code, context);
  addCancelling(code, context);
  code
    .command('redeem')
    .summary('redeem a code for the credit of a workspace')
    .argument('<workspace>', 'id or name')
    .argument('<code>')
    .addHelpText('after', example('code redeem acme 7K2M-QX4T-9HZD-3VWR'))
    .action(async (workspace: string, text: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const redeemed = await context.connect(options).redeemCode(workspace, { code: text });
      context.print(options, redeemed, topUpText(redeemed));
    });
}

function addCancelling(code: Command, context: CliContext): void {
  code
    .command('cancel')
    .summary('end the codes of a batch that nobody has redeemed')
    .argument('<batch>', 'its id')
    .addHelpText('after', example('code cancel 0198c0de-0000-7000-8000-000000000000'))
    .action(async (id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const batch = await context.connect(options).cancelCodeBatch(id);
      const { count, redeemed, expires_at: at } = batch;
      context.print(options, batch, `${count - redeemed} of ${count} codes are void since ${at}.\n`);
    });
}

function addListing(code: Command, context: CliContext): void {
  code
    .command('list')
    .summary('list codes by their last four characters, and who redeemed them')
    .option('--batch <id>', 'of this batch only')
    .addHelpText('after', example('code list'))
    .action(async (own: { readonly batch?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listCodes({ ...page, ...own }));
      const rows = data.map((each) => [
        `…${each.last_four}`,
        each.amount_usd,
        each.expires_at,
        each.workspace_name,
        each.redeemed_by,
        each.redeemed_at,
        each.batch_id,
      ]);
      const headings = ['CODE', 'CREDIT USD', 'EXPIRES', 'WORKSPACE', 'REDEEMED BY', 'REDEEMED', 'BATCH'];
      context.print(options, { data }, table(headings, rows, 'There is no code yet.', ['CREDIT USD']));
    });
}
