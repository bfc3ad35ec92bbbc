import type { Operation } from './operation.ts';

export const MEMBER_OPERATIONS = {
  listMembers: {
    route: 'GET /workspaces/{workspace}/members',
    access: 'members:read',
    servesOwn: true,
    tag: 'Members',
    summary: 'List the members of a workspace',
  },
  getMember: {
    route: 'GET /workspaces/{workspace}/members/{user}',
    access: 'members:read',
    servesOwn: true,
    tag: 'Members',
    summary: 'Show a member',
  },
  changeMember: {
    route: 'PATCH /workspaces/{workspace}/members/{user}',
    access: 'members:write',
    tag: 'Members',
    summary: 'Give a member another role or limit; owners are handled by owners',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  removeMember: {
    route: 'DELETE /workspaces/{workspace}/members/{user}',
    access: 'members:write',
    tag: 'Members',
    summary: 'Remove a member and their access tokens; the last owner stays',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  createMemberResetLink: {
    route: 'POST /workspaces/{workspace}/members/{user}/reset-link',
    access: 'owners:write',
    tag: 'Members',
    summary: 'Make a link by which a member sets a new password',
    needsRecentSignIn: true,
  },
  listInvitations: {
    route: 'GET /workspaces/{workspace}/invitations',
    access: 'members:read',
    tag: 'Members',
    summary: 'List the invitations that nobody has accepted',
  },
  createInvitation: {
    route: 'POST /workspaces/{workspace}/invitations',
    access: 'members:write',
    tag: 'Members',
    summary: 'Invite somebody by their email address; an earlier invitation of it ends',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  revokeInvitation: {
    route: 'DELETE /workspaces/{workspace}/invitations/{invitation}',
    access: 'members:write',
    tag: 'Members',
    summary: 'Revoke an invitation',
  },
} as const satisfies Readonly<Record<string, Operation>>;
