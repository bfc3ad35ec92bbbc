import { createRoute, type OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { type Act, isOperator } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { isReading, type Permission } from '../../domain/roles.ts';
import { authorise, authoriseOperator, type OperatorRight, refusalOfOwnOnly } from '../../domain/workspace-scope.ts';
import type { Visitor } from '../identity/visitor.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationId, OPERATIONS } from '../operations/operations.ts';
import type { AdminPlaces, PlaceKind } from './admin-places.ts';
import { answerRefusal } from './answers.ts';
import { errorAnswers } from './error-answers.ts';
import { type OperationWire, WIRES } from './operation-contract.ts';
import { paramsSchema } from './path-params.ts';

// The route of each operation, with the guard that decides who may call it. A route's access stands in the document, as `x-access`
// and `x-permission`, so that tests generated from the document call every route as everybody.

/** What the app gives to each request before its route's guard runs. */
export interface AdminEnv {
  readonly Variables: {
    act: Act;
    /** The origin of the request, before its caller is known. */
    visitor: Visitor;
    places: AdminPlaces;
    /** The refusal of a change to a workspace that lives in another cell; null if it lives here. */
    refusalOfMoved: (workspaceId: string) => Promise<Refusal | null>;
    /** The id of a workspace by its id or name. */
    findWorkspace: (reference: string, which?: { readonly includesClosed: boolean }) => Promise<string | Refusal>;
  };
}

export type AdminApp = OpenAPIHono<AdminEnv>;

type Guard = MiddlewareHandler<AdminEnv>;

/** The guard of an operation, and how the document names who may call it. */
interface Access {
  readonly guard: Guard;
  readonly extensions: Readonly<Record<`x-${string}`, string>>;
}

const RECENT_MS = 900_000;

/** The route of an operation, as the app adds it. */
export function routeOf(id: OperationId) {
  const operation: Operation = OPERATIONS[id];
  const { params: ownParams, query, body, description, responses }: OperationWire = WIRES[id];
  const { isVersioned = false, needsRecentSignIn = false, refuses = [] } = operation;
  const [method, path] = operation.route.split(' ') as [string, string];
  const params = paramsSchema(path, ownParams);
  const { guard, extensions } = accessOf(operation);
  const isPublic = operation.access === 'public';
  const { default: _refusals, ...answers } = responses;
  const request = {
    ...(params === null ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(isVersioned ? { headers: IF_MATCH } : {}),
  };
  const { access } = operation;
  const declared = {
    isPublic,
    path,
    method: method.toLowerCase(),
    changesWorkspace: access !== 'public' && access !== 'personal' && !isOperatorAccess(access) && !isReading(access),
    isVersioned,
    hasOnce: takesOnce(body),
    refuses,
  };
  return createRoute({
    operationId: id,
    method: method.toLowerCase() as RouteConfig['method'],
    path: `/admin/v1${path}`,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    ...(isPublic ? { security: [] } : {}),
    // A wire's type is its own schemas; that of a route names all that there could be.
    request: request as unknown as NonNullable<RouteConfig['request']>,
    responses: { ...answers, ...errorAnswers(declared) } as RouteConfig['responses'],
    ...extensions,
    ...(needsRecentSignIn ? { 'x-recent-sign-in': true } : {}),
    middleware: guard,
  });
}

function accessOf({ access, servesOwn = false, needsRecentSignIn = false, waitsForOpenId = false }: Operation): Access {
  if (access === 'public') {
    return { guard: publicGuard(waitsForOpenId ? 'openId' : 'public'), extensions: { 'x-access': 'public' } };
  }
  if (access === 'personal') return { guard: personalGuard(needsRecentSignIn), extensions: { 'x-access': 'personal' } };
  if (isOperatorAccess(access)) {
    const right = access.slice('operator:'.length) as OperatorRight;
    return { guard: operatorGuard(right, needsRecentSignIn), extensions: { 'x-access': 'operator', 'x-right': right } };
  }
  return {
    guard: workspaceGuard(access, { servesOwn, needsRecentSignIn }),
    extensions: {
      'x-access': 'workspace',
      'x-permission': access,
      ...(servesOwn ? { 'x-own': 'own things too' } : {}),
    },
  };
}

function isOperatorAccess(access: Operation['access']): access is `operator:${OperatorRight}` {
  return access.startsWith('operator:');
}

/**
 * Lets members pass whose role has the permission, access tokens with that scope, and the operator; sets `scope`. Members who have it for
 * their own things alone pass if the operation says that it keeps to these.
 */
function workspaceGuard(
  permission: Permission,
  { servesOwn, needsRecentSignIn }: { readonly servesOwn: boolean; readonly needsRecentSignIn: boolean },
): Guard {
  return guarded(async (c) => {
    const act = c.get('act');
    const stale = needsRecentSignIn ? staleSignIn(act) : null;
    if (stale !== null) return stale;
    const id = await workspaceIdFor(act, c.req.param('workspace') ?? '', (reference) =>
      // What a workspace had and did can be read after its end, by the operator.
      c.get('findWorkspace')(reference, { includesClosed: isReading(permission) }),
    );
    if (isRefusal(id)) return id;
    const scope = authorise(act, permission, id);
    if (isRefusal(scope)) return scope;
    // What it had and did before can still be read here.
    const moved = isReading(permission) ? null : await c.get('refusalOfMoved')(id);
    const refused = moved ?? (servesOwn ? null : refusalOfOwnOnly(scope));
    if (refused === null) c.set('scope' as never, scope as never);
    return refused;
  });
}

/** Lets signed-in users pass; sets `user`. */
function personalGuard(needsRecentSignIn: boolean): Guard {
  return guarded((c) => {
    const { actor, ...act } = c.get('act');
    if (actor.kind !== 'session') return refuse('FORBIDDEN', 'This is for signed-in users: a token has no account.');
    const stale = needsRecentSignIn ? staleSignIn({ ...act, actor }) : null;
    if (stale === null) c.set('user' as never, { ...act, actor } as never);
    return stale;
  });
}

/** Lets everybody pass. Such routes are added before callers are identified. */
function publicGuard(kind: PlaceKind): Guard {
  return (c, next) => serveInPlace(c, [kind, c.var.visitor.site], next);
}

/** Lets operators pass with this right; sets `operator`. */
function operatorGuard(right: OperatorRight, needsRecentSignIn: boolean): Guard {
  return guarded((c) => {
    const stale = needsRecentSignIn ? staleSignIn(c.get('act')) : null;
    if (stale !== null) return stale;
    const scope = authoriseOperator(c.get('act'), right);
    if (!isRefusal(scope)) c.set('operator' as never, scope as never);
    return scope;
  });
}

const IF_MATCH = z.object({
  'if-match': z.string().optional().openapi({
    description: 'The version that the change is based on. A session must send one, or `*`.',
    example: '3',
  }),
});

function takesOnce(body: OperationWire['body']): boolean {
  const schema = body?.content['application/json'].schema;
  const options = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema];
  return options.some((option) => option instanceof z.ZodObject && 'once' in option.shape);
}

/** Runs a check before the route: a refusal is the answer, anything else lets the request pass. */
function guarded(check: (c: Context<AdminEnv>) => unknown): Guard {
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
