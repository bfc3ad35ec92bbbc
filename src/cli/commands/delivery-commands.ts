import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { type CliContext, globalsOf } from '../cli-context.ts';
import { example } from '../example.ts';
import { table } from '../text-layout.ts';

interface ListOptions {
  readonly webhook?: string;
  readonly state?: Awaited<ReturnType<AdminClient['resendDelivery']>>['state'];
}

const OWNER = "id or name; left out: the operator's own";

/** `delivery list|resend`: mails and webhooks that were sent, or wait. */
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
    .command('resend')
    .summary('send a mail or a webhook again')
    .argument('<id>', 'id of the delivery')
    .option('--workspace <workspace>', OWNER)
    .addHelpText('after', example('delivery resend 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11 --workspace acme'))
    .action(async (id: string, own: { readonly workspace?: string }, command: Command) => {
      const options = globalsOf(command);
      const queued = await context.connect(options).resendDelivery(own.workspace ?? null, id);
      context.print(options, queued, `It is sent to ${queued.recipient} again.\n`);
    });
}
