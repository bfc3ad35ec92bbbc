import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { type CliContext, globalsOf } from '../cli-context.ts';
import { example } from '../example.ts';
import { hoursUpTo, onceOption } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';
import { deliveryOutcome, type TestedWebhook } from '../webhook-test.ts';

type Webhook = Awaited<ReturnType<AdminClient['updateWebhook']>>;

interface OwnerOptions {
  readonly workspace?: string;
}

interface UpdateOptions extends OwnerOptions {
  readonly to?: string;
  readonly description?: string;
  readonly enable?: true;
  readonly disable?: true;
}

const OWNER = "id or name; left out: the operator's own";
const ID = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';

/** `webhook create|list|update|rotate|delete|test`. */
export function addWebhookCommands(program: Command, context: CliContext): void {
  const webhook = program.command('webhook').summary('endpoints that alerts are sent to');
  webhook
    .command('create')
    .summary('create an endpoint; its secret is shown once')
    .argument('<url>', 'an https URL')
    .option('--workspace <workspace>', OWNER)
    .option('--description <text>', 'what it is for')
    .addOption(onceOption())
    .addHelpText('after', example('webhook create https://hooks.example.com/faregate --workspace acme'))
    .action(async (url: string, own: OwnerOptions & { description?: string; once?: string }, command: Command) => {
      const options = globalsOf(command);
      const body = { url, ...definedFields({ description: own.description, once: own.once }) };
      const made = await context.connect(options).createWebhook(own.workspace ?? null, body);
      context.print(options, made, secretText(made));
    });
  webhook
    .command('list')
    .summary('list the endpoints')
    .argument('[workspace]', OWNER)
    .addHelpText('after', example('webhook list acme'))
    .action(async (workspace: string | undefined, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listWebhooks(workspace ?? null, page));
      const rows = data.map((each) => [each.url, each.enabled ? 'yes' : 'no', each.description, each.id]);
      context.print(options, { data }, table(['URL', 'ENABLED', 'DESCRIPTION', 'ID'], rows, 'There are no endpoints.'));
    });
  addWebhookChanges(webhook, context);
  webhook
    .command('test')
    .summary('send a test to an endpoint, and wait for its outcome')
    .argument('<id>', 'id of the endpoint')
    .option('--workspace <workspace>', OWNER)
    .addHelpText('after', example(`webhook test ${ID} --workspace acme`))
    .action(async (id: string, own: OwnerOptions, command: Command) => {
      const options = globalsOf(command);
      const tested: TestedWebhook = { workspace: own.workspace ?? null, id };
      const delivery = await deliveryOutcome(context.connect(options), tested);
      const { recipient, last_status: status, last_error: error } = delivery;
      const outcome = delivery.state === 'sent' ? ` answered ${status}` : `: ${error ?? 'no attempt was made yet'}`;
      context.print(options, delivery, `${recipient}${outcome}.\n`);
      if (delivery.state !== 'sent') context.complain('the endpoint did not receive the test');
    });
}

function addWebhookChanges(webhook: Command, context: CliContext): void {
  webhook
    .command('update')
    .summary('change an endpoint, turn it off or on')
    .argument('<id>', 'id of the endpoint')
    .option('--workspace <workspace>', OWNER)
    // Not --url, which every command has: it names the instance.
    .option('--to <url>', 'another https URL')
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--enable', 'send to it').conflicts('disable'))
    .option('--disable', 'send nothing to it')
    .addHelpText('after', example(`webhook update ${ID} --workspace acme --disable`))
    .action(async (id: string, own: UpdateOptions, command: Command) => {
      const options = globalsOf(command);
      const enabled = own.enable ?? (own.disable === true ? false : undefined);
      const body = definedFields({ url: own.to, description: own.description, enabled });
      if (Object.keys(body).length === 0) command.error('nothing to change; give an option such as --disable');
      const changed = await context.connect(options).updateWebhook(own.workspace ?? null, id, body);
      context.print(options, changed, webhookText(changed));
    });
  webhook
    .command('rotate')
    .summary('give an endpoint another secret, shown once; the former one signs too for a while')
    .argument('<id>', 'id of the endpoint')
    .option('--workspace <workspace>', OWNER)
    .option('--overlap <hours>', 'how long the former secret signs too, 0 to 168; 24 unless given', hoursUpTo(168))
    .addHelpText('after', example(`webhook rotate ${ID} --workspace acme --overlap 48`))
    .action(async (id: string, own: OwnerOptions & { overlap?: number }, command: Command) => {
      const options = globalsOf(command);
      const body = definedFields({ overlap_hours: own.overlap });
      const rotated = await context.connect(options).rotateWebhookSecret(own.workspace ?? null, id, body);
      context.print(options, rotated, secretText(rotated));
    });
  webhook
    .command('delete')
    .summary('delete an endpoint, and give up what waits for it')
    .argument('<id>', 'id of the endpoint')
    .option('--workspace <workspace>', OWNER)
    .addHelpText('after', example(`webhook delete ${ID} --workspace acme`))
    .action(async (id: string, own: OwnerOptions, command: Command) => {
      const options = globalsOf(command);
      const deleted = await context.connect(options).deleteWebhook(own.workspace ?? null, id);
      context.print(options, deleted, `Deleted the endpoint ${deleted.url}.\n`);
    });
}

function webhookText(webhook: Webhook, secret: string | null = null): string {
  return pairs([
    ['id', webhook.id],
    ['url', webhook.url],
    ['enabled', webhook.enabled ? 'yes' : 'no'],
    ['description', webhook.description === '' ? null : webhook.description],
    ['former secret', webhook.former_secret_until === null ? null : `until ${webhook.former_secret_until}`],
    ['secret', secret],
  ]);
}

function secretText({ secret, ...webhook }: Webhook & { readonly secret: string | null }): string {
  if (secret === null) return `${webhookText(webhook)}\nIt existed already; its secret was shown then.\n`;
  return `${webhookText(webhook, secret)}\nKeep the secret now: it is not shown again.\n`;
}
