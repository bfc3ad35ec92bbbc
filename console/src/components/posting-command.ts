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
  return commandWords(CREDIT_COMMANDS, COMMANDS[kind], { workspace, amount_usd, reason, won });
}
