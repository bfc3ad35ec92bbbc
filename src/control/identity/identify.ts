import { type Act, type Actor, isOperator } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { NetworkList } from '../../lib/network-list.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { findAccessToken } from './access-tokens.ts';
import { findOperatorToken } from './operator-tokens.ts';
import { ACCESS_TOKEN_PREFIX } from './secrets.ts';
import { findSession } from './sessions.ts';

/** The credentials of a request. */
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
  /** From where operators are accepted; null: from anywhere. */
  readonly operatorNetworks: NetworkList | null;
}

const OWN_TOKEN: Actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'all' };

/**
 * Whose request it is: by a token if there is one, else by the session. A token that counts no more is refused, whatever
 * cookie is beside it. @throws DatabaseUnavailable
 */
export async function identify(
  { sql, isOwnToken, operatorNetworks }: IdentifyParts,
  { token, session, address, requestId }: Presented,
): Promise<Act | Refusal> {
  const actor =
    token !== null
      ? await actorOfToken({ sql, isOwnToken }, token, address)
      : session !== null
        ? await findSession(sql, session, address)
        : null;
  if (actor !== null && operatorNetworks !== null && isOperator(actor) && !operatorNetworks.has(address ?? '')) {
    const message = `Operators of this instance are not accepted from ${address ?? 'there'}: see identity.operator_networks.`;
    return refuse('FORBIDDEN', message, { param: 'network' });
  }
  if (actor !== null) return { actor, address, requestId };
  if (token !== null) return refuse('UNAUTHENTICATED', 'The token is unknown, has expired or was revoked.');
  const message = 'Sign in, or send "Authorization: Bearer …" with an access token or the operator token.';
  return refuse('UNAUTHENTICATED', session === null ? message : 'The session has ended: sign in again.');
}

async function actorOfToken(
  { sql, isOwnToken }: Pick<IdentifyParts, 'sql' | 'isOwnToken'>,
  token: string,
  address: string | null,
): Promise<Actor | null> {
  if (token.startsWith(ACCESS_TOKEN_PREFIX)) return await findAccessToken(sql, token, address);
  if (await isOwnToken(token)) return OWN_TOKEN;
  return await findOperatorToken(sql, token);
}
