import type { Command } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { table } from '../text-layout.ts';

const CHANGES = [
  ['disable', 'end the sessions of a user, and let nobody sign in as them', { disabled: true }, 'is disabled'],
  ['enable', 'let a disabled user sign in again', { disabled: false }, 'may sign in again'],
  ['make-operator', 'let a user do everything that the operator may', { operator: true }, 'is an operator now'],
  ['unmake-operator', 'leave a user with their workspaces alone', { operator: false }, 'is no operator any more'],
] as const;

/** `user list|sign-out|disable|enable|make-operator|unmake-operator|reset-link|set-up-link`: people with accounts. */
export function addUserCommands(program: Command, context: CliContext): void {
  const user = program.command('user').summary('users: people with accounts');

  user
    .command('list')
    .summary('list the users')
    .option('--search <text>', 'a part of the email address or the name')
    .addHelpText('after', example('user list --search ada'))
    .action(async (own: { readonly search?: string }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listUsers({ ...page, ...own }));
      const rows = data.map((each) => [
        each.email,
        each.name,
        each.is_operator ? 'yes' : 'no',
        each.workspaces.map((workspace) => `${workspace.name} (${workspace.role})`).join(', '),
        each.last_seen_at,
        each.disabled_at,
        each.id,
      ]);
      context.print(
        options,
        { data },
        table(
          ['EMAIL', 'NAME', 'OPERATOR', 'WORKSPACES', 'LAST SEEN', 'DISABLED', 'ID'],
          rows,
          'There is no user yet.',
        ),
      );
    });

  for (const [name, summary, body, done] of CHANGES) {
    user
      .command(name)
      .summary(summary)
      .argument('<email>')
      .addHelpText('after', example(`user ${name} ada@example.com`))
      .action(async (email: string, _own: unknown, command: Command) => {
        const options = globalsOf(command);
        const client = context.connect(options);
        const changed = await client.changeUser(await idOf(client, email), body);
        context.print(options, changed, `${changed.email} ${done}.\n`);
      });
  }

  user
    .command('sign-out')
    .summary('end all sessions of a user')
    .argument('<email>')
    .addHelpText('after', example('user sign-out ada@example.com'))
    .action(async (email: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const done = await client.signUserOut(await idOf(client, email));
      context.print(options, done, `Ended ${done.ended} sessions of ${email}.\n`);
    });

  addLinkCommands(user, context);
}

/** `user reset-link|set-up-link`: links by which people set a password. */
function addLinkCommands(user: Command, context: CliContext): void {
  user
    .command('reset-link')
    .summary('make a link by which a user sets a new password')
    .argument('<email>')
    .addHelpText('after', example('user reset-link ada@example.com'))
    .action(async (email: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const made = await client.createUserResetLink(await idOf(client, email));
      context.print(options, made, `${made.link}\n`);
    });

  user
    .command('set-up-link')
    .summary('make a link by which the first owner creates an account')
    .addHelpText('after', example('user set-up-link'))
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
