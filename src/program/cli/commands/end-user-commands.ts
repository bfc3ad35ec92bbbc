import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { END_USER_COMMANDS } from '../../../control/operations/end-user-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { raisedText } from '../raised-limit.ts';
import { pairs } from '../text-layout.ts';

type EndUser = Awaited<ReturnType<AdminClient['showEndUser']>>;

/** `end-user update|list|show|unlimit`. */
export function addEndUserCommands(program: Command, context: CliContext): void {
  const endUser = program.command('end-user').summary('end users of projects, by the names that requests give');
  const commands = new DeclaredCommands(endUser, context, END_USER_COMMANDS);
  commands.say('end-user update', endUserText);
  commands.list('end-user list', 'No end user of the project has a limit of their own.', [
    ['NAME', 'name'],
    ['LIMIT', limitText],
    ['USED', 'used_usd', 'right'],
    ['ID', 'id'],
  ]);
  commands.say('end-user show', endUserText);
  commands.say('end-user unlimit', (shown) => `${shown.name}: ${limitText(shown)}.\n`, {
    find: async (client, { project, endUser: name }) => ({
      endUser: (await client.showEndUser(project, { name })).id,
    }),
  });
}

function endUserText(shown: EndUser): string {
  return pairs([
    ['id', shown.id],
    ['name', shown.name],
    ['limit', limitText(shown)],
    ['used', `${shown.used_usd} USD`],
    ['held', `${shown.held_usd} USD`],
    ['left', shown.left_usd === null ? null : `${shown.left_usd} USD until ${shown.resets_at}`],
  ]);
}

function limitText(shown: EndUser): string {
  const limit = shown.limit_usd === null ? 'no limit' : `${shown.limit_usd} USD${raisedText(shown)}`;
  return shown.is_own ? limit : `${limit}, as each end user of the project`;
}
