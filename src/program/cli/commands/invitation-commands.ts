import type { Command } from 'commander';
import { readAllPages } from '../../../control/admin/client.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { table } from '../text-layout.ts';

const WORKSPACE = 'id or name';

/** `invitation list|revoke`. */
export function addInvitationCommands(program: Command, context: CliContext): void {
  const invitation = program.command('invitation').summary('invitations that nobody has accepted yet');
  invitation
    .command('list')
    .summary('list the open invitations of a workspace')
    .argument('<workspace>', WORKSPACE)
    .addHelpText('after', example('invitation list acme'))
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
    .addHelpText('after', example('invitation revoke acme 0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11'))
    .action(async (workspace: string, id: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      context.print(options, await context.connect(options).revokeInvitation(workspace, id), 'Revoked.\n');
    });
}
