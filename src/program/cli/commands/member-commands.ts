import { type Command, Option } from 'commander';
import { type AdminClient, readAllPages } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { CliFailure } from '../cli-failure.ts';
import { onceOption, yesOption } from '../option-values.ts';
import { pairs, table } from '../text-layout.ts';

type Role = Awaited<ReturnType<AdminClient['listMembers']>>['data'][number]['role'];

const WORKSPACE = 'id or name';
const MEMBER = 'email address or id';
const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'];

/** `member list|show|invite|role|reset-link|remove`. */
export function addMemberCommands(program: Command, context: CliContext): void {
  const member = program.command('member').summary('people who belong to a workspace');
  member
    .command('list')
    .summary('list the members of a workspace')
    .argument('<workspace>', WORKSPACE)
    .addHelpText('after', example('member list acme'))
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
    .addOption(onceOption())
    .addHelpText('after', example('member invite acme ada@example.com --role developer'))
    .action(async (workspace: string, email: string, own: { role: Role; once?: string }, command: Command) => {
      const options = globalsOf(command);
      const made = await context.connect(options).createInvitation(workspace, { email, ...own });
      const facts = pairs([
        ['id', made.id],
        ['email', made.email],
        ['role', made.role],
        ['expires', made.expires_at],
        ['link', made.link ?? (made.mailed ? 'mailed' : 'shown before')],
      ]);
      context.print(options, made, facts);
    });
  member
    .command('show')
    .summary('show a member of a workspace')
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addHelpText('after', example('member show acme ada@example.com'))
    .action(async (workspace: string, who: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const shown = await client.getMember(workspace, await idOf(client, workspace, who));
      const facts = pairs([
        ['id', shown.id],
        ['email', shown.email],
        ['name', shown.name],
        ['role', shown.role],
        ['authenticator', shown.has_authenticator ? 'yes' : 'no'],
        ['disabled', shown.disabled_at],
        ['last seen', shown.last_seen_at ?? 'never'],
        ['member since', shown.created_at],
      ]);
      context.print(options, shown, facts);
    });
  addMemberChanges(member, context);
}

function addMemberChanges(member: Command, context: CliContext): void {
  member
    .command('role')
    .summary("change a member's role")
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addOption(roleOption().makeOptionMandatory())
    .addHelpText('after', example('member role acme ada@example.com --role admin'))
    .action(async (workspace: string, who: string, { role }: { readonly role: Role }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const changed = await client.changeMember(workspace, await idOf(client, workspace, who), { role });
      context.print(options, changed, `${changed.email} is ${changed.role} now.\n`);
    });
  member
    .command('reset-link')
    .summary('make a link by which a member sets a new password')
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addHelpText('after', example('member reset-link acme ada@example.com'))
    .action(async (workspace: string, who: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const made = await client.createMemberResetLink(workspace, await idOf(client, workspace, who));
      context.print(options, made, `${made.link}\n`);
    });
  member
    .command('remove')
    .summary('remove a member from a workspace; the account stays')
    .argument('<workspace>', WORKSPACE)
    .argument('<member>', MEMBER)
    .addOption(yesOption())
    .addHelpText('after', example('member remove acme ada@example.com'))
    .action(async (workspace: string, who: string, own: { readonly yes?: boolean }, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      const id = await idOf(client, workspace, who);
      await context.confirm(`This removes ${who} from ${workspace}.`, own);
      context.print(options, await client.removeMember(workspace, id), 'Removed.\n');
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
