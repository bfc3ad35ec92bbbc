import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { guessFrom } from './attempts.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { claimLink, deadLink, findLink, makeLink } from './links.ts';
import type { Maker } from './makers.ts';
import { addMember } from './members.ts';
import type { HashClient } from './password-hasher.ts';
import { refusalOfPassword } from './password-rules.ts';
import { beginSession } from './sign-in.ts';
import type { OpenedSession } from './sessions.ts';
import { insertUser } from './users.ts';
import type { Visitor } from './visitor.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';

const SET_UP_LOCK = 4_611_220_105_103_826n;

async function hasOperator(sql: SqlRunner): Promise<boolean> {
  const [user] = await sql.query('select from users where is_operator and disabled_at is null limit 1');
  return user !== undefined;
}

/** Whether the instance has no operator yet, so that a set-up link works. */
export async function isSetUpNeeded(sql: SqlRunner): Promise<boolean> {
  return !(await hasOperator(sql));
}

/** The secret of a new set-up link; null if the instance has been set up. */
export async function makeSetUpLink(sql: Sql, maker: Maker): Promise<string | null> {
  return await sql.transaction(async (tx) =>
    (await hasOperator(tx)) ? null : await makeLink(tx, { purpose: 'set_up', isMailed: false, maker }),
  );
}

/** What a person gives to get an account. */
export interface AccountRequest {
  readonly token: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** The normalised address of a request; or its refusal. */
export function requestedEmail(text: string): string | Refusal {
  return normalisedEmail(text) ?? refuse('INVALID_REQUEST', '"email" must be an email address.', { param: 'email' });
}

/** A password chosen for the account with this address. */
interface NewPassword {
  readonly password: string;
  readonly email: string;
  readonly by: HashClient;
}

/** The hash of a password that is good enough; or the refusal. */
export async function hashOfNew(
  { hasher }: IdentityParts,
  { password, email, by }: NewPassword,
): Promise<string | Refusal> {
  return refusalOfPassword(password, email) ?? (await hasher.hash(password, by));
}

/**
 * Makes the first user, by the set-up link: operator of the instance, owner of its first workspace, and signed in. Of two
 * at the same time, with the same link or with two, one is made.
 */
export async function setUp(
  parts: IdentityParts,
  visitor: Visitor,
  { token, email: given, name, password }: AccountRequest,
): Promise<OpenedSession | Refusal> {
  const refused = parts.limits.take(guessFrom(visitor));
  if (refused !== null) return refused;
  const email = requestedEmail(given);
  if (isRefusal(email)) return email;
  // No hash is computed for a caller without the link.
  const link = await findLink(parts.sql, 'set_up', token);
  if (isRefusal(link)) return link;
  const passwordHash = await hashOfNew(parts, { password, email, by: { isKnown: true, key: link.id } });
  if (isRefusal(passwordHash)) return passwordHash;
  return await makeChange(parts.sql, async (tx) => {
    await takeTransactionLock(tx, SET_UP_LOCK);
    const claimed = await claimLink(tx, 'set_up', token);
    if (isRefusal(claimed)) return claimed;
    if (await hasOperator(tx)) return deadLink();
    const user = { email, name, passwordHash, isEmailVerified: false, isOperator: true };
    const userId = await insertUser(tx, user);
    if (userId === null) return refuse('CONFLICT', 'There is an account with this email address already.');
    const [first] = await tx.query<{ id: string }>(
      'select id from workspaces where archived_at is null order by id limit 1',
    );
    if (first !== undefined) await addMember(tx, { workspaceId: first.id, userId, role: 'owner' });
    const session = await beginSession(tx, userId, visitor, { by: 'link' });
    if (isRefusal(session)) return session;
    assert(session.act.actor.isOperator, 'the first user is the operator');
    await recordAudit(tx, session.act, {
      action: 'instance.set_up',
      target: { kind: 'user', id: userId, name: email },
      after: { operator: true },
    });
    return session;
  });
}
