import type { RecurringGrantCreation } from '../../../src/control/admin/ledger/grant-contract.ts';
import type { PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { CREDIT_COMMANDS } from '../../../src/control/operations/credit-commands.ts';
import { commandWords } from './command-words.ts';

const COMMANDS = {
  top_up: 'credit top-up',
  grant: 'credit grant',
  refund: 'credit refund',
  dispute: 'credit dispute',
  adjustment: 'credit adjust',
} as const satisfies Readonly<Record<PostingCreation['kind'], keyof typeof CREDIT_COMMANDS>>;

/** The command of a posting. */
export function postingCommand(
  workspace: string,
  { kind, amount_usd, reason, ...posting }: PostingCreation,
): readonly string[] {
  const won = 'won' in posting && posting.won === true;
  const expires = 'expires_at' in posting ? { expires_at: posting.expires_at } : {};
  return commandWords(CREDIT_COMMANDS, COMMANDS[kind], { workspace, amount_usd, reason, won, ...expires });
}

/** The command of a recurring grant. */
export function recurringCommand(
  workspace: string,
  { once: _once, ...grant }: RecurringGrantCreation,
): readonly string[] {
  const { expires_after_days: days, ...given } = grant;
  return commandWords(CREDIT_COMMANDS, 'credit recurring create', {
    workspace,
    ...given,
    ...(days !== undefined && { expires_after_days: days }),
  });
}
