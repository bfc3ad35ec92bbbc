import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { TOKEN_COMMANDS } from '../../../control/operations/access-commands.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs } from '../text-layout.ts';

type OperatorToken = Awaited<ReturnType<AdminClient['listOperatorTokens']>>['data'][number];

/** `token create|list|revoke|rotate`: the operator's tokens. */
export function addTokenCommands(program: Command, context: CliContext): void {
  const token = program.command('token').summary('operator tokens: one for each program that runs the instance');
  const commands = new DeclaredCommands(token, context, TOKEN_COMMANDS);
  commands.run('token create', async ({ given, options }) => {
    const { name, read_only: readOnly, backup = false, once } = given;
    const body = { name, read_only: readOnly || backup, ...definedFields({ backup: given.backup, once }) };
    const made = await context.connect(options).createOperatorToken(body);
    const facts = pairs([
      ['token', made.token ?? `${made.masked_token}, which was shown before`],
      ['name', made.name],
      ['may', rightsOf(made, 'do everything')],
      ['id', made.id],
    ]);
    const advice = made.token === null ? '' : '\nKeep the token now: it is not shown again.\n';
    context.print(options, made, facts + advice);
  });
  commands.list('token list', 'The instance has its own operator token alone.', [
    ['NAME', 'name'],
    ['TOKEN', 'masked_token'],
    ['MAY DO', (each) => rightsOf(each, 'everything')],
    ['LAST USED', 'last_used_at'],
    ['REVOKED', 'revoked_at'],
    ['ID', 'id'],
  ]);
  commands.say('token revoke', ({ name }) => `Revoked ${name}.\n`);
  commands.say('token rotate', (rotated) => pairs([['token', rotated.token]]));
}

function rightsOf({ read_only: isReadOnly, backup }: OperatorToken, everything: string): string {
  if (!isReadOnly) return everything;
  return backup ? 'read, back up' : 'read';
}
