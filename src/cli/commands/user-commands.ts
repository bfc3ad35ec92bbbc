import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { table } from '../text-layout.ts';

/** `user list|reset-link|set-up-link`: people with accounts. */
export function addUserCommands(program: Command, context: CliContext): void {
  const user = program.command('user').summary('users: people with accounts');

  user
    .command('list')
    .summary('list the users')
    .option('--search <text>', 'a part of the email address or the name')
    .action(async (own: { readonly search?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listUsers({ ...page, ...own }));
      const rows = data.map((each) => [
        each.email,
        each.name,
        each.is_operator ? 'yes' : 'no',
        each.disabled_at,
        each.id,
      ]);
      context.print(
        options,
        { data },
        table(['EMAIL', 'NAME', 'OPERATOR', 'DISABLED', 'ID'], rows, 'There is no user yet.'),
      );
    });

  user
    .command('reset-link')
    .summary('make a link by which a user sets a new password')
    .argument('<email>')
    .action(async (email: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const made = await client.createUserResetLink(await idOf(client, email));
      context.print(options, made, `${made.link}\n`);
    });

  user
    .command('set-up-link')
    .summary('make a link by which the first owner makes an account')
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createSetUpLink();
      context.print(options, made, `${made.link}\n`);
    });
}

async function idOf(client: AdminClient, email: string): Promise<string> {
  const given = email.toLowerCase();
  const { data } = await client.listUsers({ search: given, limit: 200 });
  const found = data.find((each) => each.email === given);
  if (found === undefined) throw new CliFailure(`there is no user with the email address ${email}`);
  return found.id;
}
