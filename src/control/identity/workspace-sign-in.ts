import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import type { Act } from '../../domain/actor.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { signInFailure } from '../../domain/sign-in-failures.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { directoryGroupsOf, hasLeft } from './directory/directory-members.ts';
import { accountOf, isDomainOf } from './domain-accounts.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { giveRole, roleOf } from './group-roles.ts';
import { showMember } from './members.ts';
import { findOwnerOf, insertIdentity, type OpenIdOwner } from './openid-sign-in.ts';
import type { OpenIdUser } from './openid-provider.ts';
import type { OpenedSession } from './sessions.ts';
import { beginSession } from './sign-in.ts';
import type { UserAct, Visitor } from './visitor.ts';
import { lockAccess, type WorkspaceAccess } from './workspace-access.ts';

// Sign-in at the provider that a workspace names. The workspace decides what that provider says, so it is believed about people
// with an address of the workspace's proven domains alone: the owner of a domain also gets the mail of its people.

/** Somebody who has come back from a workspace's provider. */
interface Arrival {
  readonly workspaceId: string;
  readonly person: OpenIdUser;
  /** The user who is already signed in in this browser; null: none. */
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
    const withoutRole = await giveRoleOfGroups(join, owner, person.groups ?? []);
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

/** The account for a first sign-in at this provider: the one with the person's address, or a new one. */
async function adopt(join: Joining, person: OpenIdUser): Promise<OpenIdOwner | Refusal> {
  const { tx, workspaceId, access } = join;
  const email = person.email === null ? null : normalisedEmail(person.email);
  const isVouchedFor = person.isEmailVerified ?? access.trustsAddresses;
  if (email === null || !isVouchedFor) return signInFailure('FORBIDDEN', 'address_not_vouched_for');
  if (!(await isDomainOf(tx, workspaceId, email))) return signInFailure('FORBIDDEN', 'address_not_of_workspace');
  const account = await accountOf(tx, { email, name: person.name });
  if (account === null) return signInFailure('CONFLICT', 'failed');
  const { hasAuthenticator, ...owner } = account;
  if (owner.isOperator) return signInFailure('FORBIDDEN', 'operator_account');
  if (hasAuthenticator && !(await hasProvenCode(join, owner))) return signInFailure('FORBIDDEN', 'company_after_code');
  await insertIdentity(tx, owner.userId, person);
  await recordAudit(tx, actOf(join), {
    action: 'openid.link',
    target: { kind: 'user', id: owner.userId, name: email },
    after: { issuer: person.issuer, subject: person.subject },
  });
  return owner;
}

/**
 * Whether the user of an account with an authenticator is signed in to it with a code. The mail of the account's address is one
 * factor, and its user has asked for two.
 */
async function hasProvenCode({ tx, present }: Joining, { userId }: OpenIdOwner): Promise<boolean> {
  if (present?.actor.userId !== userId) return false;
  const [session] = await tx.query('select from sessions where id = $1 and second_factor_at is not null', [
    present.actor.sessionId,
  ]);
  return session !== undefined;
}

/**
 * Gives a user the role of their groups, and everybody else's if they have none; or refuses who has none here. Where the directory of the
 * company says who is in which group, it counts instead of the provider.
 */
async function giveRoleOfGroups(join: Joining, owner: OpenIdOwner, named: readonly string[]): Promise<Refusal | null> {
  const { tx, workspaceId, access } = join;
  const scope = authorise(actOf(join), 'owners:write', workspaceId);
  assert(!isRefusal(scope), 'a job may do everything');
  if (await hasLeft(tx, workspaceId, owner.userId)) return signInFailure('FORBIDDEN', 'left_company');
  const member = await showMember(tx, scope, owner.userId);
  const present = isRefusal(member) ? null : member.role;
  const groups = (await directoryGroupsOf(tx, { workspaceId, access }, owner.userId)) ?? named;
  const role = roleOf(access, groups, present);
  if (role === null) return signInFailure('FORBIDDEN', 'no_role');
  return await giveRole(tx, scope, owner, { present, role });
}

function actOf({ visitor }: Joining): Act {
  return { actor: { kind: 'job', name: 'single sign-on' }, address: visitor.address, requestId: visitor.requestId };
}
