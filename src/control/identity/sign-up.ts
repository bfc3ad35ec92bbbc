import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { guessFrom } from './attempts.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { claimLink, deadLink, findLink, linkUrl, makeLink } from './links.ts';
import { addMember } from './members.ts';
import { refusalOfMail } from './passwords.ts';
import { makeChange } from '../audit/change.ts';
import type { OpenedSession } from './sessions.ts';
import { hashOfNew } from './set-up.ts';
import { beginSession } from './sign-in.ts';
import { insertUser } from './users.ts';
import type { UserAct, Visitor } from './visitor.ts';

// People who make accounts of their own, if the operator allows it. An address is proven by a mail before there is an
// account, so nobody learns from it which addresses have one, or takes another's.

/** Whether a mail for a new account may be asked for now. */
export function refusalOfSignUp(parts: IdentityParts, visitor: Visitor, email: string): Refusal | null {
  if (!parts.allowsSignUp) return refuse('FORBIDDEN', 'This instance takes no sign-ups: ask for an invitation.');
  if (normalisedEmail(email) === null) {
    return refuse('INVALID_REQUEST', '"email" must be an email address.', { param: 'email' });
  }
  return refusalOfMail(parts, visitor, email);
}

/** Mails a link to create an account, or, to one who has one, that they have. Callers answer before this has run. */
export async function mailSignUp({ sql, sendMail, publicUrl }: IdentityParts, given: string): Promise<void> {
  const email = normalisedEmail(given);
  if (sendMail === null || email === null) return;
  await sql.transaction(async (tx) => {
    const [user] = await tx.query('select from users where email = $1', [email]);
    if (user !== undefined) {
      const text = `Somebody asked for an account for ${email}, which has one: sign in at ${publicUrl()}/sign-in, where you can set a new password, too.`;
      return await sendMail(tx, { to: email, subject: 'You have an account', text });
    }
    const secret = await makeLink(tx, { purpose: 'sign_up', email, isMailed: true, maker: null });
    const text = `To create your account, open this link within a day:\n\n${linkUrl(publicUrl(), 'sign_up', secret)}\n\nIf you did not ask for it, ignore this mail.`;
    return await sendMail(tx, { to: email, subject: 'Create your account', text });
  });
}

/** What makes an account complete. */
export interface SignUp {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** The name of a workspace to make for it; null: none. */
  readonly workspace: string | null;
}

/** Creates the account that a mailed link is for, with a workspace of its own, and signs it in. */
export async function signUp(
  parts: IdentityParts,
  visitor: Visitor,
  { token, name, password, workspace }: SignUp,
): Promise<OpenedSession | Refusal> {
  const refused = parts.limits.take(guessFrom(visitor));
  if (refused !== null) return refused;
  if (!parts.allowsSignUp) return refuse('FORBIDDEN', 'This instance takes no sign-ups: ask for an invitation.');
  const link = await findLink(parts.sql, 'sign_up', token);
  if (isRefusal(link)) return link;
  const email = link.email ?? '';
  const passwordHash = await hashOfNew(parts, { password, email, by: { isKnown: true, key: link.id } });
  if (isRefusal(passwordHash)) return passwordHash;
  return await makeChange(parts.sql, async (tx) => {
    const claimed = await claimLink(tx, 'sign_up', token);
    if (isRefusal(claimed)) return claimed;
    const userId = await insertUser(tx, { email, name, passwordHash, isEmailVerified: claimed.isMailed });
    if (userId === null) return deadLink();
    const session = await beginSession(tx, userId, visitor, { by: 'link' });
    if (isRefusal(session)) return session;
    await recordAudit(tx, session.act, { action: 'user.sign_up', target: { kind: 'user', id: userId, name: email } });
    if (workspace === null) return session;
    return await withWorkspace(parts, tx, session, workspace);
  });
}

async function withWorkspace(
  { openWorkspace }: IdentityParts,
  tx: SqlRunner,
  session: OpenedSession,
  name: string,
): Promise<OpenedSession | Refusal> {
  const workspace = await openWorkspace(tx, session.act, name);
  if (isRefusal(workspace)) return workspace;
  const { actor } = session.act;
  await addMember(tx, { workspaceId: workspace.id, userId: actor.userId, role: 'owner' });
  const roles = new Map([...actor.roles, [workspace.id, 'owner' as const]]);
  const act: UserAct = { ...session.act, actor: { ...actor, roles } };
  return { ...session, act };
}
