import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { DELIVERY_COMMANDS } from '../../../control/operations/webhook-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs } from '../text-layout.ts';

type Delivery = Awaited<ReturnType<AdminClient['showDelivery']>>;

/** `delivery list|show|resend`: mails and webhooks that were sent, or wait. */
export function addDeliveryCommands(program: Command, context: CliContext): void {
  const delivery = program.command('delivery').summary('mails and webhooks that were sent, or wait');
  const commands = new DeclaredCommands(delivery, context, DELIVERY_COMMANDS);
  commands.list('delivery list', 'Nothing was sent yet.', [
    ['CREATED', 'created_at'],
    ['STATE', ({ state }) => state.replace('_', ' ')],
    ['ATTEMPTS', 'attempts', 'right'],
    ['CHANNEL', 'channel'],
    ['RECIPIENT', 'recipient'],
    ['LAST ANSWER', (each) => each.last_error ?? each.last_status],
    ['ID', 'id'],
  ]);
  commands.say('delivery show', deliveryText);
  commands.say('delivery resend', ({ recipient }) => `It is sent to ${recipient} again.\n`);
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
