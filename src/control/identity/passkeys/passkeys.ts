import { recordAudit } from '../../audit/audit.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { Sql, SqlRunner } from '../../../lib/sql.ts';
import { newId } from '../../../lib/uuid7.ts';
import { type OpenedSession, renewedIn } from '../sessions.ts';
import type { UserAct, Visitor } from '../visitor.ts';
import { checkMade, type MadeCredential, type RelyingParty } from './ceremony.ts';
import { type Challenge, makeChallenge, useChallenge } from './challenges.ts';

const PASSKEYS_MAX = 20;

/** A passkey as its user sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** The user's passkeys, oldest first. */
export async function listPasskeys(sql: SqlRunner, { actor }: UserAct): Promise<readonly Passkey[]> {
  return await sql.query<Passkey>(`select ${COLUMNS} from passkeys where user_id = $1 order by id`, [actor.userId]);
}

/** What a browser knows of the user's passkeys. */
export interface KnownCredential {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** By what a browser is asked for the user's passkeys, or not to make another one where there is one. */
export async function knownCredentials(sql: SqlRunner, userId: string): Promise<readonly KnownCredential[]> {
  return await sql.query<KnownCredential>(
    'select credential_id as "credentialId", transports from passkeys where user_id = $1 order by id',
    [userId],
  );
}

/** What a browser needs to make a passkey. */
export interface PasskeyBeginning extends Challenge {
  readonly known: readonly KnownCredential[];
}

/** Begins to add a passkey to the user's account. */
export async function beginPasskey(sql: SqlRunner, { actor }: UserAct): Promise<PasskeyBeginning | Refusal> {
  const known = await knownCredentials(sql, actor.userId);
  if (known.length >= PASSKEYS_MAX) return tooMany();
  return { ...(await makeChallenge(sql, actor.sessionId)), known };
}

function tooMany(): Refusal {
  return refuse('CONFLICT', `An account has ${PASSKEYS_MAX} passkeys at most: remove one first.`);
}

/** The refusal of an answer to a challenge that is used or too old. */
export function lostChallenge(): Refusal {
  return refuse('UNAUTHENTICATED', 'That took too long, or was begun in another browser: try again.', {
    param: 'credential',
  });
}

/** The answer to a challenge. */
export interface ChallengeAnswer<Credential> {
  readonly party: RelyingParty;
  /** Of the challenge; null: the browser has none. */
  readonly secret: string | null;
  readonly credential: Credential;
}

/** Adds the passkey that the browser has made. The session gets a new secret, and has a second factor then. */
export async function addPasskey(
  sql: Sql,
  visitor: Visitor,
  act: UserAct,
  { name, party, secret, credential }: ChallengeAnswer<MadeCredential> & { readonly name: string },
): Promise<{ readonly value: Passkey; readonly session: OpenedSession } | Refusal> {
  const { userId, email, sessionId } = act.actor;
  const challenge = await useChallenge(sql, secret, sessionId);
  if (challenge === null) return lostChallenge();
  const made = await checkMade({ party, challenge }, credential);
  if (made === null) {
    return refuse('INVALID_REQUEST', 'The passkey could not be verified.', { param: 'credential' });
  }
  const add = async (tx: SqlRunner): Promise<Passkey | Refusal> => {
    await tx.query('select from users where id = $1 for no key update', [userId]);
    if ((await knownCredentials(tx, userId)).length >= PASSKEYS_MAX) return tooMany();
    const [passkey] = await tx.query<Passkey>(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning ${COLUMNS}`,
      [newId(), userId, made.credentialId, made.publicKey, made.counter, credential.transports, name],
    );
    if (passkey === undefined) return refuse('CONFLICT', 'This passkey is known already.', { param: 'credential' });
    await recordAudit(tx, act, {
      action: 'passkey.add',
      target: { kind: 'user', id: userId, name: email },
      after: { name },
    });
    return passkey;
  };
  return await renewedIn(sql, act, visitor, add, { hasSecondFactor: true });
}

/** Removes one of the user's passkeys. */
export async function removePasskey(sql: Sql, act: UserAct, id: string): Promise<Refusal | null> {
  const { userId, email } = act.actor;
  const removed = await makeChange(sql, async (tx) => {
    const [passkey] = await tx.query<Passkey>(
      `delete from passkeys where id = $1 and user_id = $2 returning ${COLUMNS}`,
      [id, userId],
    );
    if (passkey === undefined) return refuse('NOT_FOUND', 'There is no such passkey.');
    await recordAudit(tx, act, {
      action: 'passkey.remove',
      target: { kind: 'user', id: userId, name: email },
      before: { name: passkey.name },
    });
    return passkey;
  });
  return isRefusal(removed) ? removed : null;
}
