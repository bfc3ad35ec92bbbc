import { makeChange } from '../../audit/change.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { guessFrom } from '../attempts.ts';
import type { IdentityParts } from '../identity-parts.ts';
import type { OpenedSession } from '../sessions.ts';
import { beginSession, confirmedSession } from '../sign-in.ts';
import type { UserAct, Visitor } from '../visitor.ts';
import { checkShown, type KeptCredential, type ShownCredential } from './ceremony.ts';
import { type Challenge, makeChallenge, useChallenge } from './challenges.ts';
import { type ChallengeAnswer, knownCredentials, lostChallenge, type PasskeyBeginning } from './passkeys.ts';

// Sign-in by a passkey: two factors together, since the authenticator asks its user for a finger, a face or a PIN.

/** Begins a sign-in by a passkey, of whomever the authenticator knows. */
export async function beginPasskeySignIn(
  { sql, limits }: IdentityParts,
  visitor: Visitor,
): Promise<Challenge | Refusal> {
  return limits.take(guessFrom(visitor)) ?? (await makeChallenge(sql, null));
}

interface FoundPasskey extends KeptCredential {
  readonly id: string;
  readonly userId: string;
}

/** One answer for all that is wrong, so that it says of no passkey whether it is known. */
function wrongPasskey(): Refusal {
  return refuse('UNAUTHENTICATED', 'This passkey is unknown here, or could not be verified.', { param: 'credential' });
}

/** The passkey that has signed the challenge, and its counter since. */
async function provenPasskey(
  { sql }: IdentityParts,
  { party, secret, credential }: ChallengeAnswer<ShownCredential>,
  sessionId: string | null,
): Promise<{ readonly passkey: FoundPasskey; readonly counter: bigint } | Refusal> {
  const challenge = await useChallenge(sql, secret, sessionId);
  if (challenge === null) return lostChallenge();
  const [passkey] = await sql.query<FoundPasskey>(
    `select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter
     from passkeys where credential_id = $1`,
    [Buffer.from(credential.id, 'base64url')],
  );
  if (passkey === undefined || !isOfUser(passkey, credential)) return wrongPasskey();
  const counter = await checkShown({ party, challenge }, passkey, credential);
  return counter === null ? wrongPasskey() : { passkey, counter };
}

function isOfUser({ userId }: FoundPasskey, { userHandle }: ShownCredential): boolean {
  return userHandle === null || Buffer.from(userHandle, 'base64url').toString() === userId;
}

/** Notes a use. False if another authenticator with the same key has used it by then, or its user may not sign in. */
async function countUse(tx: SqlRunner, { id }: FoundPasskey, counter: bigint): Promise<boolean> {
  const [used] = await tx.query(
    `update passkeys set counter = $2, last_used_at = now() from users
     where passkeys.id = $1 and users.id = passkeys.user_id and users.disabled_at is null
       and (passkeys.counter < $2 or (passkeys.counter = 0 and $2 = 0))
     returning passkeys.id`,
    [id, counter],
  );
  return used !== undefined;
}

/** Signs in the user of a passkey. */
export async function signInByPasskey(
  parts: IdentityParts,
  visitor: Visitor,
  answer: ChallengeAnswer<ShownCredential>,
): Promise<OpenedSession | Refusal> {
  const proven = await provenPasskey(parts, answer, null);
  if (isRefusal(proven)) return proven;
  const { passkey, counter } = proven;
  parts.limits.giveBack(guessFrom(visitor));
  return await makeChange(parts.sql, async (tx) => {
    if (!(await countUse(tx, passkey, counter))) return wrongPasskey();
    return await beginSession(tx, passkey.userId, visitor, { by: 'passkey', hasSecondFactor: true });
  });
}

/** Begins to prove again, by one of their passkeys, who the user of a session is. */
export async function beginPasskeyConfirmation(
  { sql }: IdentityParts,
  { actor }: UserAct,
): Promise<PasskeyBeginning | Refusal> {
  const known = await knownCredentials(sql, actor.userId);
  if (known.length === 0) return refuse('NOT_FOUND', 'There is no passkey.');
  return { ...(await makeChallenge(sql, actor.sessionId)), known };
}

/** Proves again who the user of a session is, and gives it a second factor. */
export async function confirmByPasskey(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  answer: ChallengeAnswer<ShownCredential>,
): Promise<OpenedSession | Refusal> {
  const proven = await provenPasskey(parts, answer, act.actor.sessionId);
  if (isRefusal(proven)) return proven;
  const { passkey, counter } = proven;
  if (passkey.userId !== act.actor.userId) return wrongPasskey();
  return await makeChange(parts.sql, async (tx) => {
    if (!(await countUse(tx, passkey, counter))) return wrongPasskey();
    return await confirmedSession(tx, act, visitor, { hasSecondFactor: true });
  });
}
