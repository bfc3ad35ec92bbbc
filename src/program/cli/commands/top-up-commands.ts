import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { TOP_UP_COMMANDS } from '../../../control/operations/payment-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs } from '../text-layout.ts';

type TopUp = Awaited<ReturnType<AdminClient['showTopUp']>>;

/** `top-up list|show|create|refund`. */
export function addTopUpCommands(program: Command, context: CliContext): void {
  const topUp = program.command('top-up').summary('payments for credit');
  const commands = new DeclaredCommands(topUp, context, TOP_UP_COMMANDS);
  commands.list('top-up list', 'There is no top-up yet.', [
    ['CREATED', 'created_at'],
    ['STATE', 'state'],
    ['CREDIT USD', 'amount_usd', 'right'],
    ['FEE USD', 'fee_usd', 'right'],
    ['TAX USD', 'tax_usd', 'right'],
    ['REFUNDED USD', 'refunded_usd', 'right'],
    ['DISPUTED USD', 'disputed_usd', 'right'],
    ['PROVIDER', 'provider'],
    ['PAYMENT', 'payment'],
    ['WORKSPACE', 'workspace_id'],
    ['ID', 'id'],
  ]);
  commands.say('top-up show', topUpText);
  commands.say('top-up create', topUpText);
  commands.say('top-up refund', topUpText, {
    confirm: ({ workspace, amount_usd: amount }) => {
      const sum = amount === undefined ? 'all that is left of the payment' : `${amount} USD`;
      return `This sends ${sum} back to the payer, and takes its credit from ${workspace}.`;
    },
  });
}

/** A top-up, as text. */
export function topUpText(topUp: TopUp): string {
  return pairs([
    ['id', topUp.id],
    ['state', topUp.failure === null ? topUp.state : `${topUp.state}: ${topUp.failure}`],
    ['credit', `${topUp.amount_usd} USD`],
    ['fee', `${topUp.fee_usd} USD`],
    ['tax', topUp.tax_nano_usd === '0' ? null : `${topUp.tax_usd} USD`],
    ['refunded', `${topUp.refunded_usd} USD`],
    ['disputed', `${topUp.disputed_usd} USD`],
    ['provider', topUp.provider],
    ['payment', topUp.payment],
    ['pay at', topUp.state === 'pending' ? topUp.checkout_url : null],
    ['by', topUp.actor],
    ['created', topUp.created_at],
  ]);
}
