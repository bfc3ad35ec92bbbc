import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { onceOption } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';

type OperatorToken = Awaited<ReturnType<AdminClient['listOperatorTokens']>>['data'][number];

/** `token create|list|revoke|rotate`: the operator's tokens. */
export function addTokenCommands(program: Command, context: CliContext): void {
  const token = program.command('token').summary('operator tokens: one for each program that runs the instance');

  addCreation(token, context);
  token
    .command('list')
    .summary('list the operator tokens')
    .addHelpText('after', example('token list'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listOperatorTokens(page));
      const rows = data.map((each) => [
        each.name,
        each.masked_token,
        rightsOf(each, 'everything'),
        each.last_used_at,
        each.revoked_at,
        each.id,
      ]);
      const headings = ['NAME', 'TOKEN', 'MAY DO', 'LAST USED', 'REVOKED', 'ID'];
      context.print(options, { data }, table(headings, rows, 'The instance has its own operator token alone.'));
    });

  token
    .command('revoke')
    .summary('revoke an operator token')
    .argument('<token>', 'its name or id')
    .addHelpText('after', example('token revoke terraform'))
    .action(async (reference: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const revoked = await context.connect(options).revokeOperatorToken(reference);
      context.print(options, revoked, `Revoked ${revoked.name}.\n`);
    });

  token
    .command('rotate')
    .summary("replace the instance's own operator token")
    .description("Replaces the operator token in the instance's data directory; the former one stops within a second.")
    .addHelpText('after', example('token rotate'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const rotated = await context.connect(options).rotateOwnToken();
      context.print(options, rotated, pairs([['token', rotated.token]]));
    });
}

function addCreation(token: Command, context: CliContext): void {
  token
    .command('create')
    .summary('create an operator token')
    .description('Creates an operator token beside the one of the instance. It is shown once.')
    .requiredOption('--name <name>', 'what it is for')
    .option('--read-only', 'a token that changes nothing')
    .addOption(new Option('--backup', 'a read-only token that downloads backups, too').implies({ readOnly: true }))
    .addOption(onceOption())
    .addHelpText('after', example('token create --name terraform --read-only'))
    .action(async (own: { name: string; readOnly?: true; backup?: true; once?: string }, command: Command) => {
      const options = globalsOf(command);
      const { name, readOnly = false, backup, once } = own;
      const body = { name, read_only: readOnly, ...definedFields({ backup, once }) };
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
}

function rightsOf({ read_only: isReadOnly, backup }: OperatorToken, everything: string): string {
  if (!isReadOnly) return everything;
  return backup ? 'read, back up' : 'read';
}
