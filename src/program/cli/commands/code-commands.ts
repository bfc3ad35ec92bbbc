import type { Command } from 'commander';
import { CODE_COMMANDS } from '../../../control/operations/payment-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { topUpText } from './top-up-commands.ts';

/** `code create|batches|list|cancel|redeem`. */
export function addCodeCommands(program: Command, context: CliContext): void {
  const code = program.command('code').summary('redemption codes for credit');
  const commands = new DeclaredCommands(code, context, CODE_COMMANDS);
  commands.say('code create', ({ id, codes }) => {
    if (codes === null) return `This batch was made before; its codes were shown then: ${id}\n`;
    return codes.map((each) => `${each}\n`).join('');
  });
  commands.list('code batches', 'There is no batch yet.', [
    ['CREATED', 'created_at'],
    ['CODES', 'count', 'right'],
    ['REDEEMED', 'redeemed', 'right'],
    ['CREDIT USD', 'amount_usd', 'right'],
    ['CREDIT IS', ({ sold }) => (sold ? 'sold' : 'granted')],
    ['EXPIRES', 'expires_at'],
    ['STATE', ({ state }) => state.replace('_', ' ')],
    ['REASON', 'reason'],
    ['ID', 'id'],
  ]);
  commands.list('code list', 'There is no code yet.', [
    ['CODE', (each) => `…${each.last_four}`],
    ['CREDIT USD', 'amount_usd', 'right'],
    ['EXPIRES', 'expires_at'],
    ['WORKSPACE', 'workspace_name'],
    ['REDEEMED BY', 'redeemed_by'],
    ['REDEEMED', 'redeemed_at'],
    ['BATCH', 'batch_id'],
  ]);
  commands.say('code cancel', ({ count, redeemed, expires_at: at }) => {
    return `${count - redeemed} of ${count} codes are void since ${at}.\n`;
  });
  commands.say('code redeem', topUpText);
}
