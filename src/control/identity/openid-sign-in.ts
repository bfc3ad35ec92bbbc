import { recordAudit } from '../audit/audit.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { signInFailure } from '../../domain/sign-in-failures.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import type { OpenIdUser } from './openid-provider.ts';
import { makeChange } from '../audit/change.ts';
import type { OpenedSession } from './sessions.ts';
import { beginSession, confirmedSession } from './sign-in.ts';
import { insertUser } from './users.ts';
import type { UserAct, Visitor } from './visitor.ts';

const NAME_MAX = 100;

/** The user of an account at a provider. */
export interface OpenIdOwner {
  readonly userId: string;
  readonly email: string;
  readonly isDisabled: boolean;
  readonly isOperator: boolean;
}

/** The user to whom an account at a provider was linked; null if there is none. */
export async function findOwnerOf(
  sql: SqlRunner,
  { issuer, subject }: Pick<OpenIdUser, 'issuer' | 'subject'>,
): Promise<OpenIdOwner | null> {
  const [owner] = await sql.query<OpenIdOwner>(
    `select user_id as "userId", users.email, users.disabled_at is not null as "isDisabled",
       users.is_operator as "isOperator"
     from user_identities join users on users.id = user_identities.user_id
     where issuer = $1 and subject = $2`,
    [issuer, subject],
  );
  return owner ?? null;
}

/**
 * Signs in the user that the provider knows. Somebody new gets the account with their address, if both the provider and this
 * instance know the address to be theirs, or else an account of their own, if sign-ups are open or they were invited.
 */
export async function signInByOpenId(
  parts: IdentityParts,
  visitor: Visitor,
  person: OpenIdUser,
): Promise<OpenedSession | Refusal> {
  return await makeChange(parts.sql, async (tx) => {
    const owner = (await findOwnerOf(tx, person)) ?? (await adopt(parts, tx, person));
    if (isRefusal(owner)) return owner;
    if (owner.isDisabled) return signInFailure('FORBIDDEN', 'account_disabled');
    return await beginSession(tx, owner.userId, visitor, { by: 'openid' });
  });
}

async function adopt(parts: IdentityParts, tx: SqlRunner, person: OpenIdUser): Promise<OpenIdOwner | Refusal> {
  const email = person.email === null ? null : normalisedEmail(person.email);
  if (email === null || person.isEmailVerified !== true) {
    return signInFailure('FORBIDDEN', 'address_not_vouched_for');
  }
  const known = await lockAccount(tx, email);
  // Somebody may have made the account with an address that isn't theirs, and would share it with its owner.
  if (known?.isVerified === false) return signInFailure('FORBIDDEN', 'account_has_password');
  // The address alone is one factor, and its user has asked for two.
  if (known?.hasAuthenticator === true) return signInFailure('FORBIDDEN', 'account_has_authenticator');
  const owner = known ?? (await newUser(parts, tx, { ...person, email }));
  if (isRefusal(owner)) return owner;
  // Only the same person's request can have been faster, for the same account: its row is locked.
  await insertIdentity(tx, owner.userId, person);
  return owner;
}

/** An account that can be signed in to by its address. */
interface KnownAccount extends OpenIdOwner {
  readonly isVerified: boolean;
  readonly hasAuthenticator: boolean;
}

/** The account with this address, locked; null if there is none. */
export async function lockAccount(tx: SqlRunner, email: string): Promise<KnownAccount | null> {
  const [known] = await tx.query<KnownAccount>(
    `select id as "userId", email, disabled_at is not null as "isDisabled", is_operator as "isOperator",
       email_verified_at is not null as "isVerified",
       exists (
         select from authenticators where authenticators.user_id = users.id and confirmed_at is not null
       ) as "hasAuthenticator"
     from users where email = $1 for update`,
    [email],
  );
  return known ?? null;
}

async function newUser(
  { allowsSignUp }: IdentityParts,
  tx: SqlRunner,
  { email, name }: OpenIdUser & { readonly email: string },
): Promise<OpenIdOwner | Refusal> {
  const [invitation] = await tx.query(
    `select from invitations where email = $1 and accepted_at is null and revoked_at is null and expires_at > now()
     limit 1`,
    [email],
  );
  if (!allowsSignUp && invitation === undefined) {
    return signInFailure('FORBIDDEN', 'no_sign_ups');
  }
  const user = { email, name: shownName({ name }, email), passwordHash: null, isEmailVerified: true };
  const userId = await insertUser(tx, user);
  return userId === null
    ? signInFailure('CONFLICT', 'failed')
    : { userId, email, isDisabled: false, isOperator: false };
}

/** The name of a new account: the provider's, or else the address. */
export function shownName({ name }: Pick<OpenIdUser, 'name'>, email: string): string {
  return (name ?? email).slice(0, NAME_MAX);
}

/** Proves again, by the provider, who the user of a session is. */
export async function confirmByOpenId(
  { sql }: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  person: OpenIdUser,
): Promise<OpenedSession | Refusal> {
  return await makeChange(sql, async (tx) => {
    const owner = await findOwnerOf(tx, person);
    if (owner?.userId !== act.actor.userId) {
      return signInFailure('FORBIDDEN', 'another_account');
    }
    return await confirmedSession(tx, act, visitor);
  });
}

/** Adds the provider's account to the signed-in user's, so that they can sign in by it. */
export async function linkOpenId(sql: Sql, act: UserAct, person: OpenIdUser): Promise<Refusal | null> {
  const { userId, email } = act.actor;
  return await makeChange(sql, async (tx) => {
    const owner = await findOwnerOf(tx, person);
    if (owner?.userId === userId) return null;
    if (owner !== null || !(await insertIdentity(tx, userId, person))) {
      return signInFailure('CONFLICT', 'account_of_another');
    }
    if (person.isEmailVerified === true && person.email !== null && normalisedEmail(person.email) === email) {
      await tx.query('update users set email_verified_at = coalesce(email_verified_at, now()) where id = $1', [userId]);
    }
    await recordAudit(tx, act, {
      action: 'openid.link',
      target: { kind: 'user', id: userId, name: email },
      after: { issuer: person.issuer, subject: person.subject },
    });
    return null;
  });
}

/** False if another request has just inserted it. */
export async function insertIdentity(tx: SqlRunner, userId: string, { issuer, subject }: OpenIdUser): Promise<boolean> {
  const [row] = await tx.query(
    `insert into user_identities (issuer, subject, user_id) values ($1, $2, $3)
     on conflict (issuer, subject) do nothing returning user_id`,
    [issuer, subject, userId],
  );
  return row !== undefined;
}
