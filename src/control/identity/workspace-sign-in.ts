import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import type { Act } from '../../domain/actor.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type Role, ROLES } from '../../domain/roles.ts';
import { signInFailure } from '../../domain/sign-in-failures.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { endAccessTokensOf } from './access-tokens.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { addMember, setRole, showMember } from './members.ts';
import { findOwnerOf, insertIdentity, lockAccount, type OpenIdOwner, shownName } from './openid-sign-in.ts';
import type { OpenIdUser } from './openid-provider.ts';
import { endSessionsOf, type OpenedSession } from './sessions.ts';
import { beginSession } from './sign-in.ts';
import { insertUser } from './users.ts';
import type { UserAct, Visitor } from './visitor.ts';
import { lockAccess, type WorkspaceAccess } from './workspace-access.ts';
import { domainOf } from './workspace-domains.ts';

// Sign-in at the provider that a workspace names. The workspace decides what that provider says, so it is believed about people
// with an address of the workspace's proven domains alone: the owner of a domain also gets the mail of its people.

/** Somebody who has come back from a workspace's provider. */
interface Arrival {
  readonly workspaceId: string;
  readonly person: OpenIdUser;
  /** Who is signed in already in this browser; null: nobody. */
  readonly present: UserAct | null;
}

/**
 * Signs in a user whom the workspace's provider knows, with the role that their groups have there. Somebody new gets the account with
 * their address, or one of their own. What the workspace asks for is read now, not when the sign-in began.
 */
export async function signInAtWorkspace(
  parts: IdentityParts,
  visitor: Visitor,
  { workspaceId, person, present }: Arrival,
): Promise<OpenedSession | Refusal> {
  return await makeChange(parts.sql, async (tx) => {
    const access = await lockAccess(tx, workspaceId);
    const [workspace] = await tx.query(
      'select from workspaces where id = $1 and archived_at is null and closing_at is null',
      [workspaceId],
    );
    if (workspace === undefined || !isIssuer(access, person.issuer)) return signInFailure('FORBIDDEN', 'failed');
    const join = { tx, workspaceId, access, visitor, present };
    const owner = (await findOwnerOf(tx, person)) ?? (await adopt(join, person));
    if (isRefusal(owner)) return owner;
    const refused = await refusalOf(join, owner);
    if (refused !== null) return refused;
    const withoutRole = await giveRole(join, owner, person.groups ?? []);
    if (withoutRole !== null) return withoutRole;
    return await beginSession(tx, owner.userId, visitor, { by: 'openid', providerId: workspaceId });
  });
}

/** A sign-in at a workspace's provider, in a transaction. */
interface Joining {
  readonly tx: SqlRunner;
  readonly workspaceId: string;
  readonly access: WorkspaceAccess;
  readonly visitor: Visitor;
  readonly present: UserAct | null;
}

/** The provider was asked for in this setting's name; the setting may have changed since. */
function isIssuer({ issuer }: WorkspaceAccess, named: string): boolean {
  return issuer !== null && URL.canParse(named) && new URL(named).href === new URL(issuer).href;
}

async function refusalOf({ tx, workspaceId }: Joining, owner: OpenIdOwner): Promise<Refusal | null> {
  if (owner.isDisabled) return signInFailure('FORBIDDEN', 'account_disabled');
  // The workspace would become the operator with them.
  if (owner.isOperator) return signInFailure('FORBIDDEN', 'operator_account');
  if (await isDomainOf(tx, workspaceId, owner.email)) return null;
  return signInFailure('FORBIDDEN', 'address_not_of_workspace');
}

async function isDomainOf(tx: SqlRunner, workspaceId: string, email: string): Promise<boolean> {
  const [proven] = await tx.query(
    'select from workspace_domains where workspace_id = $1 and domain = $2 and proven_at is not null for share',
    [workspaceId, domainOf(email)],
  );
  return proven !== undefined;
}

/** The account of somebody who signs in there for the first time: the one with their address, or a new one. */
async function adopt(join: Joining, person: OpenIdUser): Promise<OpenIdOwner | Refusal> {
  const { tx, workspaceId, access } = join;
  const email = person.email === null ? null : normalisedEmail(person.email);
  const isVouchedFor = person.isEmailVerified ?? access.trustsAddresses;
  if (email === null || !isVouchedFor) return signInFailure('FORBIDDEN', 'address_not_vouched_for');
  if (!(await isDomainOf(tx, workspaceId, email))) return signInFailure('FORBIDDEN', 'address_not_of_workspace');
  const known = await lockAccount(tx, email);
  if (known?.isOperator === true) return signInFailure('FORBIDDEN', 'operator_account');
  if (known?.isVerified === false) await cleanse(join, known);
  else if (known?.hasAuthenticator === true && !(await hasProvenCode(join, known))) {
    return signInFailure('FORBIDDEN', 'company_after_code');
  }
  const owner = known ?? (await newAccount(tx, person, email));
  if (isRefusal(owner)) return owner;
  await insertIdentity(tx, owner.userId, person);
  await recordAudit(tx, actOf(join), {
    action: 'openid.link',
    target: { kind: 'user', id: owner.userId, name: email },
    after: { issuer: person.issuer, subject: person.subject },
  });
  return owner;
}

/**
 * Whether the user of an account with an authenticator is signed in to it with a code. Whoever has the mail of the account's address
 * has one factor, and its user has asked for two.
 */
async function hasProvenCode({ tx, present }: Joining, { userId }: OpenIdOwner): Promise<boolean> {
  if (present?.actor.userId !== userId) return false;
  const [session] = await tx.query('select from sessions where id = $1 and second_factor_at is not null', [
    present.actor.sessionId,
  ]);
  return session !== undefined;
}

async function newAccount(tx: SqlRunner, person: OpenIdUser, email: string): Promise<OpenIdOwner | Refusal> {
  const user = { email, name: shownName(person, email), passwordHash: null, isEmailVerified: true };
  const userId = await insertUser(tx, user);
  return userId === null
    ? signInFailure('CONFLICT', 'failed')
    : { userId, email, isDisabled: false, isOperator: false };
}

/**
 * Takes from an account all that proves somebody to be its user: nobody has ever proven its address, so it may have been made by
 * another person than whose address it is, and that person would share it.
 */
async function cleanse({ tx }: Joining, { userId }: OpenIdOwner): Promise<void> {
  await tx.query(
    'update users set password_hash = null, email_verified_at = now(), version = version + 1 where id = $1',
    [userId],
  );
  await tx.query('delete from user_identities where user_id = $1', [userId]);
  await tx.query('delete from authenticators where user_id = $1', [userId]);
  await tx.query('delete from recovery_codes where user_id = $1', [userId]);
  await endSessionsOf(tx, userId, null);
  await endAccessTokensOf(tx, userId);
}

/** Gives a user the role of their groups, and everybody else's if they have none; or refuses who has none here. */
async function giveRole(
  join: Joining,
  { userId, email }: OpenIdOwner,
  groups: readonly string[],
): Promise<Refusal | null> {
  const { tx, workspaceId, access } = join;
  const scope = authorise(actOf(join), 'owners:write', workspaceId);
  assert(!isRefusal(scope), 'a job may do everything');
  const member = await showMember(tx, scope, userId);
  const present = isRefusal(member) ? null : member.role;
  const role = roleOf(access, groups, present);
  if (role === null) return signInFailure('FORBIDDEN', 'no_role');
  if (role === present) return null;
  if (present === null) {
    await addMember(tx, { workspaceId, userId, role });
    await recordAudit(tx, scope, {
      action: 'member.add',
      target: { kind: 'member', id: userId, name: email },
      after: { role },
    });
    return null;
  }
  const changed = await setRole(tx, scope, { userId, role, version: null });
  // The last owner stays one.
  return isRefusal(changed) && changed.code !== 'CONFLICT' ? changed : null;
}

/** The role that somebody of these groups has; null: none. */
function roleOf(access: WorkspaceAccess, groups: readonly string[], present: Role | null): Role | null {
  const { groupRoles, defaultRole } = access;
  const others = defaultRole === 'none' ? null : defaultRole;
  const given = Object.values(groupRoles);
  if (given.length === 0) return present ?? others;
  // Whom no group makes an owner, a person has made one.
  if (present === 'owner' && !given.includes('owner')) return present;
  const own = new Set(groups.filter((group) => Object.hasOwn(groupRoles, group)).map((group) => groupRoles[group]));
  return ROLES.find((role) => own.has(role)) ?? others;
}

function actOf({ visitor }: Joining): Act {
  return { actor: { kind: 'job', name: 'single sign-on' }, address: visitor.address, requestId: visitor.requestId };
}
