import { createRoute, type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { type Act, isOperator } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Permission } from '../../domain/roles.ts';
import type { UserAct, Visitor } from '../identity/visitor.ts';
import {
  authorise,
  authoriseOperator,
  type OperatorRight,
  type OperatorScope,
  type WorkspaceScope,
} from '../../domain/workspace-scope.ts';
import type { AdminPlaces, PlaceKind } from './admin-places.ts';
import { answerRefusal } from './answers.ts';
import { type ErrorCode, errorAnswers } from './error-answers.ts';

// Every route of the admin API is declared by one of these functions, which decide who may call it. A route's access stands
// in the document, as `x-access` and `x-permission`, so that tests generated from the document call every route as everybody.

/** What the app gives to each request before its route's guard runs. */
export interface AdminEnv {
  readonly Variables: {
    act: Act;
    /** The origin of the request, before its caller is known. */
    visitor: Visitor;
    places: AdminPlaces;
    /** The id of a workspace by its id or name. */
    findWorkspace: (reference: string, which?: { readonly includesClosed: boolean }) => Promise<string | Refusal>;
  };
}

export type AdminApp = OpenAPIHono<AdminEnv>;

interface RouteOptions {
  /** The name of the operation in the document and in clients, in camelCase. */
  readonly operationId: string;
  /** A session must have proved recently who its user is. */
  readonly needsRecentSignIn?: boolean;
  /** It waits for the OpenID provider, which may not answer. */
  readonly waitsForOpenId?: boolean;
  /** It changes something that has a version, and reads `If-Match` (`expectedVersion`). */
  readonly isVersioned?: boolean;
  /**
   * The codes with which it refuses, besides those that follow from the rest of its declaration; or all by which the public
   * API refuses.
   */
  readonly refuses?: readonly ErrorCode[] | 'as the public API';
}

type AnyRoute = Omit<RouteConfig, 'operationId' | 'middleware'> & RouteOptions;

/** A route with its guard. */
type Guarded<Config extends AnyRoute, Path extends string, Variables extends object> = Omit<
  Config,
  'path' | 'middleware'
> & {
  readonly path: Path;
  readonly middleware: MiddlewareHandler<{ Variables: Variables & AdminEnv['Variables'] }>;
  getRoutingPath(): ReturnType<typeof routingPath<Path>>;
};

function routingPath<const Path extends string>(path: Path) {
  return createRoute({ method: 'get', path, responses: {} }).getRoutingPath();
}

/** Where the routes of a workspace begin. */
type InWorkspace<Path extends string> = `/admin/v1/workspaces/{workspace}${Path}`;

/** The parameter of every route of a workspace. */
export const inWorkspace = {
  workspace: z.string().openapi({ description: 'Its id; the operator may use its name.' }),
};

const RECENT_MS = 900_000;

/**
 * Declares a route below `/admin/v1/workspaces/{workspace}`, for members whose role has the permission, for access tokens with
 * that scope, and for the operator. Its handler finds the right in `c.var.scope`. Its parameters include `workspace`.
 */
export function workspaceRoute<const Config extends AnyRoute>(
  permission: Permission,
  config: Config,
): Guarded<Config, InWorkspace<Config['path']>, { scope: WorkspaceScope }> {
  const { needsRecentSignIn = false } = config;
  const middleware = guard<{ scope: WorkspaceScope }>(async (c) => {
    const act = c.get('act');
    const stale = needsRecentSignIn ? staleSignIn(act) : null;
    if (stale !== null) return stale;
    const id = await workspaceIdFor(act, c.req.param('workspace') ?? '', (reference) =>
      // What was done in a workspace can be read after its end, by the operator.
      c.get('findWorkspace')(reference, { includesClosed: permission === 'audit:read' }),
    );
    if (isRefusal(id)) return id;
    const scope = authorise(act, permission, id);
    if (!isRefusal(scope)) c.set('scope', scope);
    return scope;
  });
  return declare(config, `/admin/v1/workspaces/{workspace}${config.path}`, middleware, {
    'x-access': 'workspace',
    'x-permission': permission,
  });
}

/** Declares a route below `/admin/v1` for signed-in users about themselves. Its handler finds the user in `c.var.user`. */
export function personalRoute<const Config extends AnyRoute>(
  config: Config,
): Guarded<Config, `/admin/v1${Config['path']}`, { user: UserAct }> {
  const { needsRecentSignIn = false } = config;
  const middleware = guard<{ user: UserAct }>((c) => {
    const { actor, ...act } = c.get('act');
    if (actor.kind !== 'session') return refuse('FORBIDDEN', 'This is for signed-in users: a token has no account.');
    const stale = needsRecentSignIn ? staleSignIn({ ...act, actor }) : null;
    if (stale === null) c.set('user', { ...act, actor });
    return stale;
  });
  return declare(config, `/admin/v1${config.path}`, middleware, { 'x-access': 'personal' });
}

/** Declares a route below `/admin/v1` for everybody. Such routes are added before callers are identified. */
export function publicRoute<const Config extends AnyRoute>(
  config: Config,
): Guarded<Config, `/admin/v1${Config['path']}`, object> {
  const kind = config.waitsForOpenId === true ? 'openId' : 'public';
  const middleware: MiddlewareHandler<AdminEnv> = (c, next) => serveInPlace(c, [kind, c.var.visitor.site], next);
  return declare({ ...config, security: [] }, `/admin/v1${config.path}`, middleware, { 'x-access': 'public' });
}

/**
 * Declares a route below `/admin/v1` for the operator alone, with the right to read for GET, and to write otherwise, unless it
 * names another. Its handler finds the right in `c.var.operator`.
 */
export function operatorRoute<const Config extends AnyRoute>(
  config: Config,
  right: OperatorRight = config.method === 'get' ? 'read' : 'write',
): Guarded<Config, `/admin/v1${Config['path']}`, { operator: OperatorScope }> {
  const { needsRecentSignIn = false } = config;
  const middleware = guard<{ operator: OperatorScope }>((c) => {
    const stale = needsRecentSignIn ? staleSignIn(c.get('act')) : null;
    if (stale !== null) return stale;
    const scope = authoriseOperator(c.get('act'), right);
    if (!isRefusal(scope)) c.set('operator', scope);
    return scope;
  });
  return declare(config, `/admin/v1${config.path}`, middleware, { 'x-access': 'operator', 'x-right': right });
}

function declare(
  { needsRecentSignIn, waitsForOpenId: _waits, isVersioned = false, refuses = [], ...config }: AnyRoute,
  path: string,
  middleware: MiddlewareHandler,
  extensions: Readonly<Record<`x-${string}`, string>>,
): never {
  const recent = needsRecentSignIn === true ? { 'x-recent-sign-in': true } : {};
  const { default: _refusals, ...responses } = config.responses;
  const declared = {
    isPublic: extensions['x-access'] === 'public',
    path,
    method: config.method,
    isVersioned,
    hasOnce: takesOnce(config),
    refuses,
  };
  const route = createRoute({
    ...config,
    request: { ...config.request, ...(isVersioned ? { headers: IF_MATCH } : {}) },
    responses: { ...responses, ...errorAnswers(declared) },
    ...extensions,
    ...recent,
    path,
    middleware,
  });
  // Each caller names the route's exact type, which the spread above has lost.
  return route as never;
}

const IF_MATCH = z.object({
  'if-match': z.string().optional().openapi({
    description: 'The version that the change is based on. A session must send one, or `*`.',
    example: '3',
  }),
});

function takesOnce({ request }: AnyRoute): boolean {
  const content = request?.body?.content['application/json'];
  const schema = content !== undefined && 'schema' in content ? content.schema : undefined;
  const options = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema];
  return options.some((option) => option instanceof z.ZodObject && 'once' in option.shape);
}

/** Runs a check before the route: a refusal is the answer, anything else lets the request pass. */
function guard<Variables extends object>(
  check: (c: Context<{ Variables: AdminEnv['Variables'] & Variables }>) => unknown,
): MiddlewareHandler<{ Variables: AdminEnv['Variables'] & Variables }> {
  return async (c, next) => {
    const outcome = await check(c);
    if (isRefusal(outcome)) return answerRefusal(c, outcome);
    return await next();
  };
}

/** Serves the rest of a request in a place, or refuses it. */
export async function serveInPlace(
  c: Context<AdminEnv>,
  [kind, key]: readonly [PlaceKind, string],
  next: Next,
): Promise<Response | void> {
  const refused = await c.var.places.hold(kind, key, async () => {
    await next();
    return null;
  });
  return refused === null ? undefined : answerRefusal(c, refused);
}

/** A name is resolved for the operator only: for others, a name would show which workspaces exist. */
async function workspaceIdFor(
  { actor }: Act,
  reference: string,
  findWorkspace: AdminEnv['Variables']['findWorkspace'],
): Promise<string | Refusal> {
  return isOperator(actor) ? await findWorkspace(reference) : reference.toLowerCase();
}

/** Refuses a session whose user has not proved recently who they are. Tokens are not asked: they can't be. */
export function staleSignIn({ actor }: Act): Refusal | null {
  if (actor.kind !== 'session' || Date.now() - actor.authenticatedAtMs < RECENT_MS) return null;
  return refuse('UNAUTHENTICATED', 'Enter your password again: this needs a sign-in of the last 15 minutes.', {
    param: 'recent_sign_in',
  });
}

interface VersionedRequest {
  readonly req: { header(name: 'if-match'): string | undefined };
  readonly var: { readonly act: Act };
}

/**
 * The version that a change expects, from `If-Match`; null if it may meet any. A session must name one, so that two people
 * who edit the same thing notice each other.
 */
export function expectedVersion({ req, var: { act } }: VersionedRequest): number | null | Refusal {
  const given = req.header('if-match');
  if (given === undefined || given === '*') {
    if (act.actor.kind !== 'session' || given === '*') return null;
    const message = 'Send the version that you have read as the header If-Match.';
    return refuse('INVALID_REQUEST', message, { param: 'if-match' });
  }
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(given)?.[1];
  if (version !== undefined) return Number(version);
  return refuse('INVALID_REQUEST', '"If-Match" must be a version, such as "3".', { param: 'if-match' });
}
