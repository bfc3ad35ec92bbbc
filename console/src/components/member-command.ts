import type { Role } from '../../../src/domain/roles.ts';

// The commands of members and invitations.

export const memberCommand = {
  invite: (workspace: string, email: string, role: Role) => [
    'member',
    'invite',
    workspace,
    email === '' ? 'EMAIL' : email,
    '--role',
    role,
  ],
  role: (workspace: string, email: string, role: Role) => ['member', 'role', workspace, email, '--role', role],
  remove: (workspace: string, email: string) => ['member', 'remove', workspace, email],
  revoke: (workspace: string, invitation: string) => ['invitation', 'revoke', workspace, invitation],
};
