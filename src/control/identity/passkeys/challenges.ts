import { randomBytes } from 'node:crypto';
import type { SqlRunner } from '../../../lib/sql.ts';
import { linkSecretHash, makeLinkSecret } from '../secrets.ts';

const CHALLENGE_BYTES = 32;
const LIFETIME = '5 minutes';

/** A challenge, and the secret by which the browser that is to sign it is known. */
export interface Challenge {
  readonly challenge: Buffer;
  readonly secret: string;
}

/** Makes a challenge, for a session or for a sign-in. */
export async function makeChallenge(sql: SqlRunner, sessionId: string | null): Promise<Challenge> {
  const { secret, sha256 } = makeLinkSecret();
  const challenge = randomBytes(CHALLENGE_BYTES);
  await sql.query('delete from passkey_challenges where expires_at < now()');
  await sql.query(
    `insert into passkey_challenges (secret_sha256, challenge, session_id, expires_at)
     values ($1, $2, $3, now() + interval '${LIFETIME}')`,
    [sha256, challenge, sessionId],
  );
  return { challenge, secret };
}

/**
 * Uses the challenge of a browser up, whatever becomes of the answer: not in the transaction that this may be the beginning of. Null if it
 * is used, too old, or another session's.
 */
export async function useChallenge(
  sql: SqlRunner,
  secret: string | null,
  sessionId: string | null,
): Promise<Buffer | null> {
  const sha256 = secret === null ? null : linkSecretHash(secret);
  if (sha256 === null) return null;
  const [used] = await sql.query<{ challenge: Buffer; isAlive: boolean }>(
    `delete from passkey_challenges where secret_sha256 = $1 and session_id is not distinct from $2::uuid
     returning challenge, expires_at > now() as "isAlive"`,
    [sha256, sessionId],
  );
  return used?.isAlive === true ? used.challenge : null;
}
