import type { Act, Actor } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { findAccessToken } from './access-tokens.ts';
import { findOperatorToken } from './operator-tokens.ts';
import { ACCESS_TOKEN_PREFIX } from './secrets.ts';
import { findSession } from './sessions.ts';

/** What a request brings along to say whose it is. */
export interface Presented {
  /** The token of the header `Authorization: Bearer`; null: there is no such header. */
  readonly token: string | null;
  /** The secret of the session's cookie; null: there is none. */
  readonly session: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface IdentifyParts {
  readonly sql: SqlRunner;
  /** Whether it is the instance's own operator token: without the database, for when that is away. */
  readonly isOwnToken: (token: string) => Promise<boolean>;
}

const OWN_TOKEN: Actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };

/**
 * Whose request it is: by a token if there is one, else by the session. A token that counts no more is refused, whatever
 * cookie is beside it. @throws DatabaseUnavailable
 */
export async function identify(
  { sql, isOwnToken }: IdentifyParts,
  { token, session, address, requestId }: Presented,
): Promise<Act | Refusal> {
  const actor =
    token !== null
      ? await actorOfToken(sql, token, isOwnToken)
      : session !== null
        ? await findSession(sql, session, address)
        : null;
  if (actor !== null) return { actor, address, requestId };
  if (token !== null) return refuse('UNAUTHENTICATED', 'The token is unknown, has expired or was revoked.');
  const message = 'Sign in, or send "Authorization: Bearer …" with an access token or the operator token.';
  return refuse('UNAUTHENTICATED', session === null ? message : 'The session has ended: sign in again.');
}

async function actorOfToken(
  sql: SqlRunner,
  token: string,
  isOwnToken: IdentifyParts['isOwnToken'],
): Promise<Actor | null> {
  if (token.startsWith(ACCESS_TOKEN_PREFIX)) return await findAccessToken(sql, token);
  if (await isOwnToken(token)) return OWN_TOKEN;
  return await findOperatorToken(sql, token);
}
