import { type Standing, standingJson } from '../../accounts/standing.ts';
import type { AccessToken } from '../../identity/access-tokens.ts';
import type { Invitation } from '../../identity/invitations.ts';
import type { Member } from '../../identity/members.ts';
import type { OperatorToken } from '../../identity/operator-tokens.ts';
import { ACCESS_TOKEN_PREFIX, OPERATOR_TOKEN_PREFIX } from '../../identity/secrets.ts';
import type { ListedUser, User } from '../../identity/users.ts';
import { limitWith } from '../../resources/raise.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './identity-contract.ts';

// Users, members and tokens as they go out.

export function userJson(user: User) {
  return recordJson(contract.user, { ...user, emailVerified: user.isEmailVerified });
}

/** A user with where they are signed in, and of which workspaces they are a member. */
export function listedUserJson(user: ListedUser) {
  const workspaces = user.workspaces.map(({ id, name, role }) => ({ id, name, role }));
  const { isEmailVerified: emailVerified, sessions } = user;
  return recordJson(contract.listedUser, { ...user, emailVerified, sessions: Number(sessions), workspaces });
}

export function memberJson(member: Member, standing: Standing | undefined) {
  return recordJson(contract.member, {
    ...member,
    standing: standing === undefined ? null : standingJson(standing, limitWith(member.monthlyLimit, member)),
  });
}

export function invitationJson(invitation: Invitation) {
  return recordJson(contract.invitation, { ...invitation, mailed: invitation.isMailed });
}

export function accessTokenJson(token: AccessToken) {
  return recordJson(contract.accessToken, { ...token, maskedToken: `${ACCESS_TOKEN_PREFIX}…${token.lastFour}` });
}

export function operatorTokenJson(token: OperatorToken) {
  return recordJson(contract.operatorToken, {
    ...token,
    maskedToken: `${OPERATOR_TOKEN_PREFIX}…${token.lastFour}`,
    readOnly: token.access !== 'all',
    backup: token.access !== 'read',
  });
}
