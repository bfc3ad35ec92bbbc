import type { AccessToken } from '../../identity/access-tokens.ts';
import type { Invitation } from '../../identity/invitations.ts';
import type { Member } from '../../identity/members.ts';
import type { OperatorToken } from '../../identity/operator-tokens.ts';
import { ACCESS_TOKEN_PREFIX, OPERATOR_TOKEN_PREFIX } from '../../identity/secrets.ts';
import type { ListedUser, User } from '../../identity/users.ts';

// Users, members and tokens as they go out.

const timeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

export function userJson(user: User) {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.isEmailVerified,
    name: user.name,
    has_password: user.hasPassword,
    has_authenticator: user.hasAuthenticator,
    is_operator: user.isOperator,
    disabled_at: timeOrNull(user.disabledAt),
    created_at: user.createdAt.toISOString(),
    version: user.version,
  };
}

/** A user with where they are signed in, and of which workspaces they are a member. */
export function listedUserJson(user: ListedUser) {
  return {
    ...userJson(user),
    last_seen_at: timeOrNull(user.lastSeenAt),
    sessions: Number(user.sessions),
    workspaces: user.workspaces.map(({ id, name, role }) => ({ id, name, role })),
  };
}

export function memberJson(member: Member) {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    is_last_owner: member.isLastOwner,
    has_authenticator: member.hasAuthenticator,
    disabled_at: timeOrNull(member.disabledAt),
    last_seen_at: timeOrNull(member.lastSeenAt),
    created_at: member.createdAt.toISOString(),
    version: member.version,
  };
}

export function invitationJson(invitation: Invitation) {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    mailed: invitation.isMailed,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  };
}

export function accessTokenJson(token: AccessToken) {
  return {
    id: token.id,
    workspace_id: token.workspaceId,
    name: token.name,
    masked_token: `${ACCESS_TOKEN_PREFIX}…${token.lastFour}`,
    scopes: [...token.scopes],
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: timeOrNull(token.lastUsedAt),
    revoked_at: timeOrNull(token.revokedAt),
  };
}

export function operatorTokenJson(token: OperatorToken) {
  return {
    id: token.id,
    name: token.name,
    masked_token: `${OPERATOR_TOKEN_PREFIX}…${token.lastFour}`,
    read_only: token.access !== 'all',
    backup: token.access !== 'read',
    created_by: token.createdBy,
    created_at: token.createdAt.toISOString(),
    last_used_at: timeOrNull(token.lastUsedAt),
    revoked_at: timeOrNull(token.revokedAt),
  };
}
