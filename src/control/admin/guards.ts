import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isRefusal, refuse } from '../../domain/refusals.ts';
import { networkOf, siteOf } from '../../lib/network.ts';
import { answerRefusal } from './answers.ts';
import { ActorRates } from './actor-rates.ts';
import { type AdminPlaces, placeOf } from './admin-places.ts';
import type { CallerAddresses } from '../../lib/caller-addresses.ts';
import { credentialsOf, type Identify } from './identify.ts';
import { type AdminEnv, serveInPlace } from './route-access.ts';

// The guards of every route of the admin API. The operator token grants everything, so browsers are admitted only from
// the instance's own pages.

/** Of most requests. */
export const BODY_BYTES_MAX = 256 * 1_024;
/** Of a slice of a workspace's rows that arrive. */
const SLICE_BYTES_MAX = 2 * 1_024 * 1_024;
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const BODY_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The path to which the OpenID provider sends browsers back: from its site, which leads to no other path. */
export const OPENID_CALLBACK = '/admin/v1/openid/callback';

/** The same of a workspace's own provider: each has its own, so that the answer of one is never taken for that of another. */
export function callbackOf(workspaceId: string | null): string {
  return workspaceId === null ? OPENID_CALLBACK : `${OPENID_CALLBACK}/${workspaceId}`;
}

const CALLBACKS = /^\/admin\/v1\/openid\/callback(?:\/[0-9a-f-]{36})?$/;

/** The paths of requests to models. */
const PLAYGROUND = /^\/admin\/v1\/workspaces\/[^/]+\/playground\//;

/** The path of rows that another cell sends. */
const ARRIVING_ROWS = /^\/admin\/v1\/arrivals\/[^/]+\/rows(?:\?|$)/;

/** The largest body of a request to a path that isn't to a model. */
export function bodyBytesMaxOf(path: string): number {
  return ARRIVING_ROWS.test(path) ? SLICE_BYTES_MAX : BODY_BYTES_MAX;
}

/** Whether a path is of requests to models, which the gate serves. */
export function isForModel(path: string): boolean {
  return PLAYGROUND.test(path);
}

/** What the server adds to a request; nothing in a test that calls the app itself. */
interface NodeEnv {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** The host of an authority (`name:port`, `[address]:port`), lower-case and without its port; null if it is invalid. */
function hostName(authority: string): string | null {
  const url = URL.parse(`http://${authority}`);
  return url === null || url.pathname !== '/' ? null : url.hostname.replace(/^\[|\]$/g, '');
}

function isSameOrigin(origin: string, authority: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host === URL.parse(`${url.protocol}//${authority}`)?.host;
}

function unknownHost(name: string | null): string {
  const host = name === null ? 'This host name' : `The host name "${name}"`;
  return `${host} is not this instance's: open it by its own address, or name the host in server.public_url.`;
}

/**
 * Refuses requests from pages of other sites, and requests by a host name that isn't the instance's (DNS rebinding). An
 * address, `localhost` and each of `hostNames` are the instance's.
 */
export function onlyOwnPages(hostNames: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const site = c.req.header('sec-fetch-site');
    if (origin === undefined && site === undefined) return await next();
    const authority = c.req.header('host') ?? new URL(c.req.url).host;
    const name = hostName(authority);
    const isOwnName = name !== null && (isIP(name) !== 0 || name === 'localhost' || hostNames.includes(name));
    const isOwnPage =
      (origin === undefined || isSameOrigin(origin, authority)) &&
      ((site ?? 'same-origin') !== 'cross-site' || isReturn(c));
    if (isOwnName && isOwnPage) return await next();
    if (!isOwnName) return answerRefusal(c, refuse('INVALID_REQUEST', unknownHost(name)));
    return answerRefusal(c, refuse('INVALID_REQUEST', 'Pages of other sites may not use the admin API.'));
  };
}

/** Whether the OpenID provider sends a browser back. A page of another site could only begin what its cookie doesn't know. */
function isReturn({ req }: Context): boolean {
  return req.method === 'GET' && CALLBACKS.test(req.path) && req.header('sec-fetch-mode') === 'navigate';
}

/** Names the origin of each request for what follows: its address, behind trusted proxies, and its id; and its places. */
export function namesVisitor(addresses: CallerAddresses, places: AdminPlaces): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    c.set('places', places);
    const { incoming, outgoing } = (c.env ?? {}) as NodeEnv;
    const requestId = outgoing?.getHeader('x-request-id');
    const address = addresses.find(incoming?.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
    c.set('visitor', {
      address,
      network: networkOf(address),
      site: siteOf(address),
      requestId: typeof requestId === 'string' ? requestId : null,
      userAgent: c.req.header('user-agent') ?? null,
    });
    await next();
  };
}

/**
 * What a session does, it does from the instance's own pages: a change says where it comes from, as all browsers do. Programs
 * have tokens.
 */
function isOfOwnPage(c: Context, publicUrl: string | null): boolean {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return true;
  const origin = c.req.header('origin');
  if (origin === undefined) return c.req.header('sec-fetch-site') === 'same-origin';
  const known = publicUrl === null ? null : new URL(publicUrl);
  return known === null || URL.parse(origin)?.host !== known.host || origin === known.origin;
}

/** Identifies the caller of each request for its route. Refuses callers that are unknown, or send too many requests. */
export function onlyIdentified(identify: Identify, publicUrl: string | null): MiddlewareHandler<AdminEnv> {
  const rates = new ActorRates(() => performance.now());
  return async (c, next) => {
    const act = await c.var.places.hold('identification', c.var.visitor.site, () => identify(credentialsOf(c)));
    if (isRefusal(act)) return answerRefusal(c, act);
    if (act.actor.kind === 'session' && !isOfOwnPage(c, publicUrl)) {
      return answerRefusal(c, refuse('FORBIDDEN', 'A session changes things from the pages of this instance alone.'));
    }
    const limited = rates.take(act.actor);
    if (limited !== null) return answerRefusal(c, limited);
    c.set('act', act);
    // Requests to models have places of their own.
    return isForModel(c.req.path) ? await next() : await serveInPlace(c, placeOf(act.actor), next);
  };
}

/** Refuses bodies that aren't declared as JSON. */
export const onlyJson: MiddlewareHandler = async (c, next) => {
  const { req } = c;
  const hasBody = req.header('transfer-encoding') !== undefined || Number(req.header('content-length') ?? 0) > 0;
  const type = req.header('content-type');
  if (!BODY_METHODS.includes(req.method) || (!hasBody && type === undefined) || JSON_TYPE.test(type ?? '')) {
    return await next();
  }
  return answerRefusal(
    c,
    refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON: send "Content-Type: application/json".'),
  );
};

const atMost = (bytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: bytes,
    onError: (c) => answerRefusal(c, refuse('REQUEST_TOO_LARGE', `The body may have ${bytes} bytes at most.`)),
  });

const onlySmall = atMost(BODY_BYTES_MAX);
const onlySlices = atMost(SLICE_BYTES_MAX);

/** Refuses bodies larger than any request of its path needs. Those to models are left for the gate, with its own bound. */
export const onlySmallBodies: MiddlewareHandler = async (c, next) => {
  const { path } = c.req;
  if (isForModel(path)) return await next();
  return await (bodyBytesMaxOf(path) === SLICE_BYTES_MAX ? onlySlices : onlySmall)(c, next);
};
