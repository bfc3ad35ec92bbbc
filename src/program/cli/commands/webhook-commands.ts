import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { WEBHOOK_COMMANDS } from '../../../control/operations/webhook-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, yesOrNo } from '../text-layout.ts';
import { deliveryOutcome } from '../webhook-test.ts';

type Webhook = Awaited<ReturnType<AdminClient['updateWebhook']>>;

/** `webhook create|list|update|rotate|delete|test`. */
export function addWebhookCommands(program: Command, context: CliContext): void {
  const webhook = program.command('webhook').summary('endpoints that alerts are sent to');
  const commands = new DeclaredCommands(webhook, context, WEBHOOK_COMMANDS);
  commands.say('webhook create', secretText);
  commands.list('webhook list', 'There are no endpoints.', [
    ['URL', 'url'],
    ['ENABLED', ({ enabled }) => yesOrNo(enabled)],
    ['DESCRIPTION', 'description'],
    ['ID', 'id'],
  ]);
  commands.say('webhook update', (changed) => webhookText(changed));
  commands.say('webhook rotate', secretText);
  commands.say('webhook delete', ({ url }) => `Deleted the endpoint ${url}.\n`);
  commands.run('webhook test', async ({ given, options }) => {
    const tested = { workspace: given.workspace ?? null, id: given.webhook };
    const delivery = await deliveryOutcome(context.connect(options), tested);
    const { recipient, last_status: status, last_error: error } = delivery;
    const outcome = delivery.state === 'sent' ? ` answered ${status}` : `: ${error ?? 'no attempt was made yet'}`;
    context.print(options, delivery, `${recipient}${outcome}.\n`);
    if (delivery.state !== 'sent') context.complain('the endpoint did not receive the test');
  });
}

function webhookText(webhook: Webhook, secret: string | null = null): string {
  return pairs([
    ['id', webhook.id],
    ['url', webhook.url],
    ['enabled', yesOrNo(webhook.enabled)],
    ['description', webhook.description === '' ? null : webhook.description],
    ['former secret', webhook.former_secret_until === null ? null : `until ${webhook.former_secret_until}`],
    ['secret', secret],
  ]);
}

function secretText({ secret, ...webhook }: Webhook & { readonly secret: string | null }): string {
  if (secret === null) return `${webhookText(webhook)}\nIt existed already; its secret was shown then.\n`;
  return `${webhookText(webhook, secret)}\nKeep the secret now: it is not shown again.\n`;
}
