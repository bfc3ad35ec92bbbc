import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CREDIT_COMMANDS } from '../../../control/operations/credit-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { addStatementCommand } from './credit-statement.ts';

type Posted = Awaited<ReturnType<AdminClient['postCredit']>>;

/** `credit top-up|grant|refund|dispute|adjust|history|statement`. */
export function addCreditCommands(program: Command, context: CliContext): void {
  const credit = program.command('credit').summary("a workspace's credit");
  const commands = new DeclaredCommands(credit, context, CREDIT_COMMANDS);
  commands.say('credit top-up', postedText);
  commands.say('credit grant', postedText);
  commands.say('credit refund', postedText, {
    confirm: (given) => `This takes ${given.amount_usd} USD of credit away from ${given.workspace}.`,
  });
  commands.say('credit dispute', postedText);
  commands.say('credit adjust', postedText);
  commands.list('credit history', 'There is no posting yet.', [
    ['POSTED', 'posted_at'],
    ['KIND', kindName],
    ['AMOUNT USD', 'amount_usd', 'right'],
    ['BALANCE USD', 'balance_usd', 'right'],
    ['ACTOR', 'actor'],
    ['REASON', 'reason'],
  ]);
  addStatementCommand(credit, context);
}

function postedText(posted: Posted): string {
  const was = posted.repeated ? 'This was posted before' : 'Posted';
  return `${was}: ${kindName(posted)} of ${posted.amount_usd} USD; the balance after it is ${posted.balance_usd} USD.\n`;
}

function kindName({ kind }: Pick<Posted, 'kind'>): string {
  return kind.replace('_', '-');
}
