import type { Act } from '../../domain/actor.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { identify } from '../identity/identify.ts';
import type { Visitor } from '../identity/visitor.ts';
import { NetworkList } from '../../lib/network-list.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { sessionIn } from './identity/session-cookie.ts';

/** The credentials that a request can carry. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** The host and port by which the caller reaches the instance. */
  readonly host: string;
  /** The address of the caller's socket; null where it isn't known. */
  readonly address: string | null;
  readonly requestId: string | null;
}

interface VisitorsRequest {
  readonly req: { header(name: string): string | undefined; readonly url: string };
  readonly var: { readonly visitor: Visitor };
}

/** What a request says of its caller. */
export function credentialsOf(c: VisitorsRequest): Credentials {
  const { address, requestId } = c.var.visitor;
  return {
    authorization: c.req.header('authorization'),
    cookie: c.req.header('cookie'),
    host: c.req.header('host') ?? new URL(c.req.url).host,
    address: address === '' ? null : address,
    requestId,
  };
}

/** Resolves the caller of a request. */
export type Identify = (credentials: Credentials) => Promise<Act | Refusal>;

/** The token of a header; null: there is no header, empty: it has none. */
export function bearerOf(authorization: string | undefined): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? '');
}

const BEARER = /^Bearer +(\S+)$/i;

/** The parts that identify callers in a running instance. */
export interface IdentifyParts {
  readonly sql: SqlRunner;
  /** Whether it is the instance's own operator token; needs no database. */
  readonly isOwnToken: (token: string) => Promise<boolean>;
  readonly publicUrl: string | null;
  /** From where operators are accepted; null or left out: from anywhere. */
  readonly operatorNetworks?: readonly string[] | null;
}

/** Identifies callers by operator token, access token or session. */
export function createIdentify({ sql, isOwnToken, publicUrl, operatorNetworks = null }: IdentifyParts): Identify {
  const networks = operatorNetworks === null ? null : new NetworkList(operatorNetworks);
  return async ({ authorization, cookie, host, address, requestId }) => {
    const token = bearerOf(authorization);
    const session = sessionIn(cookie, host, publicUrl);
    return await identify({ sql, isOwnToken, operatorNetworks: networks }, { token, session, address, requestId });
  };
}
