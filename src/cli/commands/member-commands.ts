import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { CliFailure } from '../cli-failure.ts';
import { yesOption } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';

type Role = Awaited<ReturnType<AdminClient['listMembers']>>['data'][number]['role'];

const WORKSPACE = 'id or name';
const MEMBER = 'email address or id';
const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'];

/** `member list|invite|role|remove`, and `invitation list|revoke`. */
export function addMemberCommands(program: Command, context: CliContext): void {
  const member = program.command('member').summary('people who belong to a workspace');
  member
    .command('list')
    .summary('list the members of a workspace')
    .argument('<workspace>', WORKSPACE)
    .action(async (workspace: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listMembers(workspace, page));
      const rows = data.map((each) => [each.email, each.name, each.role, each.last_seen_at, each.id]);
      const headings = ['EMAIL', 'NAME', 'ROLE', 'LAST SEEN', 'ID'];
      context.print(options, { data }, table(headings, rows, 'The workspace has no member yet.'));
    });
  member
    .command('invite')
    .summary('invite somebody to a workspace; the link is mailed, or shown once if there is no mail')
    .argument('<workspace>', WORKSPACE)
    .argument('<email>')
    .addOption(roleOption().makeOptionMandatory())
    .action(async (workspace: string, email: string, { role }: { readonly role: Role }, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createInvitation(workspace, { email, role });
      const facts = pairs([
        ['id', made.id],
        ['email', made.email],
        ['role', made.role],
        ['expires', made.expires_at],
        ['link', made.link ?? 'mailed'],
      ]);
      context.print(options, made, facts);
    });
  addMemberChanges(member, context);
  addInvitationCommands(program, context);
}

function addMemberChanges(member: Command, context: CliContext): void {
  member
    .command('role')
    .summary("change a member's role")
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addOption(roleOption().makeOptionMandatory())
    .action(async (workspace: string, who: string, { role }: { readonly role: Role }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const changed = await client.changeMember(workspace, await idOf(client, workspace, who), { role });
      context.print(options, changed, `${changed.email} is ${changed.role} now.\n`);
    });
  member
    .command('remove')
    .summary('remove a member from a workspace; the account stays')
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addOption(yesOption())
    .action(async (workspace: string, who: string, own: { readonly yes?: boolean }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const id = await idOf(client, workspace, who);
      await context.confirm(`This removes ${who} from ${workspace}.`, own);
      context.print(options, await client.removeMember(workspace, id), 'Removed.\n');
    });
}

function addInvitationCommands(program: Command, context: CliContext): void {
  const invitation = program.command('invitation').summary('invitations that nobody has accepted yet');
  invitation
    .command('list')
    .summary('list the open invitations of a workspace')
    .argument('<workspace>', WORKSPACE)
    .action(async (workspace: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const data = await readAllPages((page) => client.listInvitations(workspace, page));
      const rows = data.map((each) => [each.email, each.role, each.invited_by ?? 'operator', each.expires_at, each.id]);
      const headings = ['EMAIL', 'ROLE', 'INVITED BY', 'EXPIRES', 'ID'];
      context.print(options, { data }, table(headings, rows, 'There is no open invitation.'));
    });
  invitation
    .command('revoke')
    .summary('revoke an invitation: its link ends')
    .argument('<workspace>', WORKSPACE)
    .argument('<invitation>', 'its id')
    .action(async (workspace: string, id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      context.print(options, await context.connect(options).revokeInvitation(workspace, id), 'Revoked.\n');
    });
}

function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(ROLES);
}

async function idOf(client: AdminClient, workspace: string, who: string): Promise<string> {
  const members = await readAllPages((page) => client.listMembers(workspace, page));
  const found = members.find(({ id, email }) => id === who || email === who.toLowerCase());
  if (found === undefined) throw new CliFailure(`${workspace} has no member ${who}`);
  return found.id;
}
