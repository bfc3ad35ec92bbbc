import { findProjectId } from '../../accounts/references.ts';
import { createKey } from '../../accounts/keys.ts';
import { makeChange } from '../../audit/change.ts';
import { reserveCreation } from '../../audit/once.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { Role } from '../../../domain/roles.ts';
import { authorise, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { IdentityParts } from '../../identity/identity-parts.ts';
import { invitationsOfBatch, limitOnJoining, makeInvitation, type NewInvitation } from '../../identity/invitations.ts';
import { requestedEmail } from '../../identity/set-up.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { newId } from '../../../lib/uuid7.ts';

// Several people invited together: all of them, or none if one cannot be. An answer has secrets that are not shown again, so none is
// left over from a list that was done in part.

/** The people who are invited, and what each gets. */
export interface ColleaguesRequest {
  readonly emails: readonly string[];
  readonly role: Role;
  readonly days?: number | undefined;
  /** What each may spend in a month, nano-USD; null: what the workspace has for those who join. */
  readonly monthlyLimit: NanoUsd | null;
  /** The project in which each gets a key, by id or name; null: no keys are made. */
  readonly keyProject: string | null;
  readonly once: string | null;
}

/** One of them. */
export interface InvitedColleague extends NewInvitation {
  /** The key in full; null: none was asked for, or an earlier answer had it. */
  readonly key: string | null;
}

export interface InvitedColleagues {
  readonly repeated: boolean;
  readonly colleagues: readonly InvitedColleague[];
}

/** Invites them. A key has the monthly limit until its owner has joined, whose limit counts what it was charged by then. */
export async function inviteColleagues(
  parts: IdentityParts,
  scope: WorkspaceScope,
  { emails: given, once, ...wanted }: ColleaguesRequest,
): Promise<InvitedColleagues | Refusal> {
  const emails: string[] = [];
  for (const text of given) {
    const email = requestedEmail(text);
    if (isRefusal(email)) return refuse('INVALID_REQUEST', `"${text}" is not an email address.`, { param: 'emails' });
    if (emails.includes(email)) return refuse('INVALID_REQUEST', `${email} is named twice.`, { param: 'emails' });
    emails.push(email);
  }
  return await makeChange(parts.sql, async (tx) => {
    const id = newId();
    const request = { emails, ...wanted, monthlyLimit: wanted.monthlyLimit?.toString() ?? null };
    const former = await reserveCreation(tx, scope, { kind: 'colleagues', id, once, request });
    if (isRefusal(former)) return former;
    if (former !== null) {
      const made = await invitationsOfBatch(tx, scope, former);
      return { repeated: true, colleagues: made.map((each) => ({ ...each, repeated: true, link: null, key: null })) };
    }
    const colleagues: InvitedColleague[] = [];
    for (const email of emails) {
      const invited = await inviteOne(tx, parts, scope, { ...wanted, email, batchId: id });
      if (isRefusal(invited)) return { ...invited, param: invited.param === 'email' ? 'emails' : invited.param };
      colleagues.push(invited);
    }
    return { repeated: false, colleagues };
  });
}

async function inviteOne(
  tx: SqlRunner,
  parts: IdentityParts,
  scope: WorkspaceScope,
  {
    keyProject,
    ...invitation
  }: Omit<ColleaguesRequest, 'emails' | 'once'> & { readonly email: string; readonly batchId: string },
): Promise<InvitedColleague | Refusal> {
  const { email } = invitation;
  const monthlyLimit = invitation.monthlyLimit ?? (await limitOnJoining(tx, scope, email));
  const key = keyProject === null ? null : await keyFor(tx, scope, { email, monthlyLimit, keyProject });
  if (isRefusal(key)) return key;
  const made = await makeInvitation(tx, parts, scope, { ...invitation, id: newId(), keyId: key?.id ?? null });
  return isRefusal(made) ? made : { ...made, key: key?.key ?? null };
}

/** The key of an invited person, named for their address. */
async function keyFor(
  tx: SqlRunner,
  { act, workspaceId }: WorkspaceScope,
  {
    email,
    monthlyLimit,
    keyProject,
  }: { readonly email: string; readonly monthlyLimit: NanoUsd | null; readonly keyProject: string },
) {
  const scope = authorise(act, 'keys:write', workspaceId);
  if (isRefusal(scope)) return scope;
  const projectId = await findProjectId(tx, scope, keyProject);
  if (isRefusal(projectId)) return { ...projectId, param: 'key_project' };
  const [name = email] = email.split('@');
  return await createKey(tx, scope, projectId, { name: name.slice(0, 100), spendLimit: monthlyLimit, isNobodys: true });
}
