import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onceOption, usd, yesOption } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';

type TopUp = Awaited<ReturnType<AdminClient['showTopUp']>>;

const RIGHT = ['CREDIT USD', 'FEE USD', 'REFUNDED USD', 'DISPUTED USD'];
const HEADINGS = ['CREATED', 'STATE', ...RIGHT, 'PROVIDER', 'PAYMENT', 'WORKSPACE', 'ID'];
const STATES = ['pending', 'processing', 'expired', 'failed', 'paid'];

interface ListOptions {
  readonly state?: TopUp['state'];
  readonly provider?: string;
}

/** `top-up list|show|create|refund`. */
export function addTopUpCommands(program: Command, context: CliContext): void {
  const topUp = program.command('top-up').summary('payments for credit');

  topUp
    .command('list')
    .summary('list top-ups and what became of them, of one workspace or of all')
    .argument('[workspace]', 'id or name')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--provider <name>', 'only those paid in this way, such as stripe or codes')
    .addHelpText('after', example('top-up list acme --state paid'))
    .action(async (workspace: string | undefined, own: ListOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) =>
        workspace === undefined
          ? client.listPayments({ ...page, ...own })
          : client.listTopUps(workspace, { ...page, ...own }),
      );
      const rows = data.map((each) => [
        each.created_at,
        each.state,
        each.amount_usd,
        each.fee_usd,
        each.refunded_usd,
        each.disputed_usd,
        each.provider,
        each.payment,
        each.workspace_id,
        each.id,
      ]);
      context.print(options, { data }, table(HEADINGS, rows, 'There is no top-up yet.', RIGHT));
    });

  topUp
    .command('show')
    .summary('show a top-up')
    .argument('<workspace>', 'id or name')
    .argument('<top-up>', 'its id')
    .addHelpText('after', example('top-up show acme 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11'))
    .action(async (workspace: string, id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showTopUp(workspace, id);
      context.print(options, shown, topUpText(shown));
    });

  addTopUpChanges(topUp, context);
}

function addTopUpChanges(topUp: Command, context: CliContext): void {
  topUp
    .command('create')
    .summary('buy credit: print the page on which it is paid')
    .argument('<workspace>', 'id or name')
    .argument('<usd>', 'the credit, in whole cents, such as 25', usd)
    .option('--save-method', 'the payer agrees that the means of payment is kept for automatic top-ups')
    .addOption(onceOption())
    .addHelpText('after', example('top-up create acme 25 --save-method'))
    .action(async (workspace: string, amount: string, own: { saveMethod?: true; once?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { amount_usd: amount, ...definedFields({ save_method: own.saveMethod, once: own.once }) };
      const made = await context.connect(options).createTopUp(workspace, body);
      context.print(options, made, topUpText(made));
    });

  topUp
    .command('refund')
    .summary('send money back to the payer, and take its credit back')
    .argument('<workspace>', 'id or name')
    .argument('<top-up>', 'its id')
    .argument('[usd]', 'how much; left out: all that is left, fee included', usd)
    .addOption(onceOption())
    .addOption(yesOption())
    .addHelpText('after', example('top-up refund acme 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11 5 --once ticket-118'))
    .action(
      async (
        workspace: string,
        id: string,
        amount: string | undefined,
        own: { once?: string; yes?: boolean },
        command: Command,
      ) => {
        const options = globalsOf(command);
        const sum = amount === undefined ? 'all that is left of the payment' : `${amount} USD`;
        await context.confirm(`This sends ${sum} back to the payer, and takes its credit from ${workspace}.`, own);
        const body = definedFields({ amount_usd: amount, once: own.once });
        const refunded = await context.connect(options).refundTopUp(workspace, id, body);
        context.print(options, refunded, topUpText(refunded));
      },
    );
}

/** A top-up, as text. */
export function topUpText(topUp: TopUp): string {
  return pairs([
    ['id', topUp.id],
    ['state', topUp.failure === null ? topUp.state : `${topUp.state}: ${topUp.failure}`],
    ['credit', `${topUp.amount_usd} USD`],
    ['fee', `${topUp.fee_usd} USD`],
    ['refunded', `${topUp.refunded_usd} USD`],
    ['disputed', `${topUp.disputed_usd} USD`],
    ['provider', topUp.provider],
    ['payment', topUp.payment],
    ['pay at', topUp.state === 'pending' ? topUp.checkout_url : null],
    ['by', topUp.actor],
    ['created', topUp.created_at],
  ]);
}
