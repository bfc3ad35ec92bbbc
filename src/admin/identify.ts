import { hash, timingSafeEqual } from 'node:crypto';
import type { Act } from '../domain/actor.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';

/** What a request says of its caller. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** The address of the caller's socket; null where it isn't known. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Resolves the caller of a request. */
export type Identify = (credentials: Credentials) => Promise<Act | Refusal>;

const BEARER = /^Bearer +(\S+)$/i;

/** Identifies the operator by the instance's token. Compares hashes, which takes the same time for all values. */
export function identifyOperator(operatorToken: string): Identify {
  const expected = hash('sha256', operatorToken, 'buffer');
  return ({ authorization, address, requestId }) => {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token !== undefined && timingSafeEqual(hash('sha256', token, 'buffer'), expected)) {
      const actor = { kind: 'operator', tokenId: null, name: 'operator', readOnly: false } as const;
      return Promise.resolve({ actor, address, requestId });
    }
    const message = 'The admin API needs the operator token: send "Authorization: Bearer …".';
    return Promise.resolve(refuse('UNAUTHENTICATED', message));
  };
}
