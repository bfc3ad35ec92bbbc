import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { readAllPages } from '../../../control/admin/client/all-pages.ts';
import { INVITATION_COMMANDS, MEMBER_COMMANDS } from '../../../control/operations/people-commands.ts';
import { CliFailure } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { raisedText } from '../raised-limit.ts';
import { pairs, table, yesOrNo } from '../text-layout.ts';

/** `member list|invite|invite-all|show|role|update|reset-link|remove`. */
export function addMemberCommands(program: Command, context: CliContext): void {
  const member = program.command('member').summary('people who belong to a workspace');
  const commands = new DeclaredCommands(member, context, MEMBER_COMMANDS);
  commands.list('member list', 'The workspace has no member yet.', [
    ['EMAIL', 'email'],
    ['NAME', 'name'],
    ['ROLE', 'role'],
    ['LIMIT A MONTH', 'monthly_limit_usd'],
    ['LAST SEEN', 'last_seen_at'],
    ['ID', 'id'],
  ]);
  commands.say('member invite', ({ id, email, role, expires_at: expires, link, mailed }) => {
    return pairs(Object.entries({ id, email, role, expires, link: link ?? (mailed ? 'mailed' : 'shown before') }));
  });
  commands.say('member invite-all', ({ data }) =>
    table(
      ['EMAIL', 'LINK', 'KEY'],
      data.map(({ email, link, mailed, key }) => [email, link ?? (mailed ? 'mailed' : 'shown before'), key ?? '']),
      'They have joined, or their invitations have ended.',
    ),
  );
  commands.say(
    'member show',
    (shown) =>
      pairs([
        ['id', shown.id],
        ['email', shown.email],
        ['name', shown.name],
        ['role', shown.role],
        ['limit', limitText(shown)],
        ['authenticator', yesOrNo(shown.has_authenticator)],
        ['passkey', yesOrNo(shown.has_passkey)],
        ['disabled', shown.disabled_at],
        ['last seen', shown.last_seen_at ?? 'never'],
        ['member since', shown.created_at],
      ]),
    BY_EMAIL_OR_ID,
  );
  commands.say('member role', ({ email, role }) => `${email} is ${role} now.\n`, BY_EMAIL_OR_ID);
  commands.say('member update', (shown) => `${shown.email}: ${limitText(shown)}.\n`, BY_EMAIL_OR_ID);
  commands.say('member reset-link', ({ link }) => `${link}\n`, BY_EMAIL_OR_ID);
  commands.say('member remove', () => 'Removed.\n', {
    ...BY_EMAIL_OR_ID,
    confirm: ({ user, workspace }) => `This removes ${user} from ${workspace}.`,
  });
}

/** A limit, and how it stands. */
function limitText(member: Awaited<ReturnType<AdminClient['getMember']>>): string {
  const { monthly_limit_usd: limit, standing } = member;
  if (limit === null) return 'no limit';
  return `${limit} USD a month${raisedText(member)}, ${standing?.used_usd ?? '0.00'} USD used`;
}

/** People name members by their email addresses, the API by their ids. */
const BY_EMAIL_OR_ID = {
  find: async (client: AdminClient, { workspace, user }: { readonly workspace: string; readonly user: string }) => {
    const members = await readAllPages((page) => client.listMembers(workspace, page));
    const found = members.find(({ id, email }) => id === user || email === user.toLowerCase());
    if (found === undefined) throw new CliFailure(`${workspace} has no member ${user}`);
    return { user: found.id };
  },
};

/** `invitation list|revoke`. */
export function addInvitationCommands(program: Command, context: CliContext): void {
  const invitation = program.command('invitation').summary('invitations that nobody has accepted yet');
  const commands = new DeclaredCommands(invitation, context, INVITATION_COMMANDS);
  commands.list('invitation list', 'There is no open invitation.', [
    ['EMAIL', 'email'],
    ['ROLE', 'role'],
    ['INVITED BY', (each) => each.invited_by ?? 'operator'],
    ['EXPIRES', 'expires_at'],
    ['ID', 'id'],
  ]);
  commands.say('invitation revoke', () => 'Revoked.\n');
}
