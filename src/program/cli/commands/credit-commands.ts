import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { CREDIT_COMMANDS } from '../../../control/operations/credit-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { addStatementCommand } from './credit-statement.ts';

type Posted = Awaited<ReturnType<AdminClient['postCredit']>>;

/** `credit top-up|grant|refund|dispute|adjust|expiring|recurring|history|statement`. */
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
  commands.list('credit expiring', 'Nothing of the credit will expire.', [
    ['EXPIRES', 'expires_at'],
    ['LEFT USD', 'left_usd', 'right'],
    ['GRANTED USD', 'amount_usd', 'right'],
    ['GRANTED', 'granted_at'],
    ['REASON', 'reason'],
  ]);
  addRecurringCommands(credit, context);
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

/** `credit recurring create|list|end`. */
function addRecurringCommands(credit: Command, context: CliContext): void {
  const recurring = credit.command('recurring').summary('credit that is given at the begin of each period');
  const commands = new DeclaredCommands(recurring, context, CREDIT_COMMANDS);
  commands.say(
    'credit recurring create',
    (grant, { starts = 'now' }) =>
      `Recurring grant ${grant.id}: ${grant.amount_usd} USD each ${grant.period}, ${expiryText(grant)}; ${starts === 'now' ? "this period's is posted, " : ''}next at ${grant.next_at ?? 'no time'}.\n`,
  );
  commands.list('credit recurring list', 'There is no recurring grant.', [
    ['ID', 'id'],
    ['AMOUNT USD', 'amount_usd', 'right'],
    ['PERIOD', 'period'],
    ['EXPIRES', expiryText],
    ['NEXT', ({ next_at: next, ended_at: ended }) => next ?? `ended ${ended}`],
    ['REASON', 'reason'],
  ]);
  commands.say('credit recurring end', ({ ended_at: ended }) => `Ended at ${ended}; it gives nothing more.\n`, {
    confirm: (given) => `This ends the recurring grant ${given.grant} of ${given.workspace}.`,
  });
}

type Recurring = Awaited<ReturnType<AdminClient['createRecurringGrant']>>;

function expiryText({ expires, expires_after_days: days }: Pick<Recurring, 'expires' | 'expires_after_days'>): string {
  if (expires === 'after_days') return `expires after ${days === 1 ? 'a day' : `${days} days`}`;
  return expires === 'never' ? 'never expires' : 'expires with its period';
}

function postedText(posted: Posted): string {
  const was = posted.repeated ? 'This was posted before' : 'Posted';
  return `${was}: ${kindName(posted)} of ${posted.amount_usd} USD; the balance after it is ${posted.balance_usd} USD.\n`;
}

function kindName({ kind }: Pick<Posted, 'kind'>): string {
  return kind.replace('_', '-');
}
