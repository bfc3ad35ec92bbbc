import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { USER_COMMANDS } from '../../../control/operations/people-commands.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { yesOrNo } from '../text-layout.ts';

/** `user list|disable|enable|make-operator|unmake-operator|sign-out|reset-link|set-up-link`: people with accounts. */
export function addUserCommands(program: Command, context: CliContext): void {
  const user = program.command('user').summary('users: people with accounts');
  const commands = new DeclaredCommands(user, context, USER_COMMANDS);
  commands.list('user list', 'There is no user yet.', [
    ['EMAIL', 'email'],
    ['NAME', 'name'],
    ['OPERATOR', (each) => yesOrNo(each.is_operator)],
    ['WORKSPACES', ({ workspaces }) => workspaces.map(({ name, role }) => `${name} (${role})`).join(', ')],
    ['LAST SEEN', 'last_seen_at'],
    ['DISABLED', 'disabled_at'],
    ['ID', 'id'],
  ]);
  commands.say('user disable', ({ email }) => `${email} is disabled.\n`, BY_EMAIL);
  commands.say('user enable', ({ email }) => `${email} may sign in again.\n`, BY_EMAIL);
  commands.say('user make-operator', ({ email }) => `${email} is an operator now.\n`, BY_EMAIL);
  commands.say('user unmake-operator', ({ email }) => `${email} is no operator any more.\n`, BY_EMAIL);
  commands.say('user erase', erasureText, {
    ...BY_EMAIL_OR_ID,
    confirm: ({ user: person }) => `This erases ${person} for good. Nobody can bring the person back.`,
  });
  commands.say('user sign-out', ({ ended }, given) => `Ended ${ended} sessions of ${given.user}.\n`, BY_EMAIL);
  commands.say('user reset-link', ({ link }) => `${link}\n`, BY_EMAIL);
  commands.say('user set-up-link', ({ link }) => `${link}\n`);
}

function erasureText({
  email,
  audit_events: events,
  postings,
}: {
  email: string;
  audit_events: number;
  postings: number;
}) {
  return `Erased. ${email} stands in the place of the address, also in ${events} audit events and ${postings} postings of credit.
What stays names the account's id alone: keys that the person made, receipts and audit events.
Backups, exports and archives that were made before still have the person, and so may Stripe and your mail server.
`;
}

/** Of those who are erased no address is known, so they have their ids. */
const BY_EMAIL_OR_ID = {
  find: async (client: AdminClient, { user: given }: { readonly user: string }) =>
    given.includes('@') ? await BY_EMAIL.find(client, { user: given }) : { user: given },
};

/** People name users by their email addresses, the API by their ids. */
const BY_EMAIL = {
  find: async (client: AdminClient, { user: email }: { readonly user: string }) => {
    const given = email.toLowerCase();
    const { data } = await client.listUsers({ search: given, limit: 200 });
    const found = data.find((each) => each.email === given);
    if (found === undefined) throw new CliFailure(`there is no user with the email address ${email}`);
    return { user: found.id };
  },
};
