import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { type CliContext, globalsOf } from '../cli-context.ts';
import { example } from '../example.ts';
import { pairs, table } from '../text-layout.ts';

type Delivery = Awaited<ReturnType<AdminClient['showDelivery']>>;

interface ListOptions {
  readonly webhook?: string;
  readonly state?: Delivery['state'];
}

const OWNER = "id or name; left out: the operator's own";
const ID = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';

/** `delivery list|show|resend`: mails and webhooks that were sent, or wait. */
export function addDeliveryCommands(program: Command, context: CliContext): void {
  const delivery = program.command('delivery').summary('mails and webhooks that were sent, or wait');
  delivery
    .command('list')
    .summary('list the mails and webhook deliveries, newest first')
    .argument('[workspace]', OWNER)
    .option('--webhook <id>', 'only those of this endpoint')
    .addOption(new Option('--state <state>', 'only those in this state').choices(['waiting', 'sent', 'given_up']))
    .addHelpText('after', example('delivery list acme --state given_up'))
    .action(async (workspace: string | undefined, own: ListOptions, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listDeliveries(workspace ?? null, { ...page, ...own }));
      const rows = data.map((each) => [
        each.created_at,
        each.state.replace('_', ' '),
        each.attempts,
        each.channel,
        each.recipient,
        each.last_error ?? each.last_status,
        each.id,
      ]);
      const headings = ['CREATED', 'STATE', 'ATTEMPTS', 'CHANNEL', 'RECIPIENT', 'LAST ANSWER', 'ID'];
      context.print(options, { data }, table(headings, rows, 'Nothing was sent yet.', ['ATTEMPTS']));
    });
  delivery
    .command('show')
    .summary('show a mail or a webhook: how often it was tried, and what came of it')
    .argument('<id>', 'id of the delivery')
    .option('--workspace <workspace>', OWNER)
    .addHelpText('after', example(`delivery show ${ID} --workspace acme`))
    .action(async (id: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showDelivery(own.workspace ?? null, id);
      context.print(options, shown, deliveryText(shown));
    });
  delivery
    .command('resend')
    .summary('send a mail or a webhook again')
    .argument('<id>', 'id of the delivery')
    .option('--workspace <workspace>', OWNER)
    .addHelpText('after', example(`delivery resend ${ID} --workspace acme`))
    .action(async (id: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const queued = await context.connect(options).resendDelivery(own.workspace ?? null, id);
      context.print(options, queued, `It is sent to ${queued.recipient} again.\n`);
    });
}

function deliveryText(delivery: Delivery): string {
  return pairs([
    ['id', delivery.id],
    ['channel', delivery.channel],
    ['recipient', delivery.recipient],
    ['subject', delivery.subject],
    ['state', delivery.state.replace('_', ' ')],
    ['attempts', String(delivery.attempts)],
    ['created', delivery.created_at],
    ['next attempt', delivery.next_attempt_at],
    ['finished', delivery.finished_at],
    ['last status', delivery.last_status === null ? null : String(delivery.last_status)],
    ['last error', delivery.last_error],
  ]);
}
