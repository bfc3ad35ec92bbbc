import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Permission } from '../../domain/roles.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { UserAct } from '../identity/visitor.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationId, OPERATIONS } from '../operations/operations.ts';
import { OWNED_OPERATIONS, type OwnedOperationId } from '../operations/owned-operations.ts';
import { answerRefusal } from './answers.ts';
import { expectedVersion } from './expected-version.ts';
import type { AnswerSchema, BodySchema, ParamsOf, QuerySchema } from './operation-contract.ts';
import { type AdminApp, type AdminEnv, routeOf } from './route-access.ts';

// The frame of every operation: its handler is given what the guard and the schemas have let pass, and returns its answer or a
// refusal.

type AccessOf<Id extends OperationId> = (typeof OPERATIONS)[Id]['access'];

/** The right that the guard of an operation has found. */
type Right<Id extends OperationId> =
  AccessOf<Id> extends Permission
    ? { readonly scope: WorkspaceScope }
    : AccessOf<Id> extends `operator:${string}`
      ? { readonly operator: OperatorScope }
      : AccessOf<Id> extends 'personal'
        ? { readonly user: UserAct }
        : object;

/** A request that its guard and its schemas have let pass. */
export type ServedRequest<Id extends OperationId> = Right<Id> & {
  readonly params: ParamsOf<Id>;
  readonly query: z.output<QuerySchema<Id>>;
  readonly body: BodySchema<Id> extends z.ZodType ? z.output<BodySchema<Id>> : unknown;
  /** The version that a change expects; null if it may meet any. */
  readonly version: number | null;
  readonly c: Context<AdminEnv>;
};

/** An answer that repeats that of an earlier request: it has the status 200. */
class Repeated<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** The answer of a creation, or of its repetition. */
export function repeatedIf<Body>(isRepeated: boolean, body: Body): Body | Repeated<Body> {
  return isRepeated ? new Repeated(body) : body;
}

/** A body in JSON, a refusal, or a response that the handler has made itself. */
type Answer<Id extends OperationId> =
  | z.input<AnswerSchema<Id>>
  | Repeated<z.input<AnswerSchema<Id>>>
  | Refusal
  | Response;

type Handler<Request, Result> = (request: Request) => Result | Promise<Result>;
type Represent<Id extends OperationId, Result> = (result: Exclude<Result, Refusal>) => Answer<Id> | Promise<Answer<Id>>;

/** A handler, behind what represents its results. */
type Handling = readonly [Handler<never, unknown>] | readonly [Represent<OperationId, never>, Handler<never, unknown>];

/** Adds the route of an operation. It answers what its handler returns, or what represents that, if it is no refusal. */
export function serve<Id extends OperationId>(
  app: AdminApp,
  id: Id,
  handle: Handler<ServedRequest<Id>, Answer<Id>>,
): void;
export function serve<Id extends OperationId, Result>(
  app: AdminApp,
  id: Id,
  represent: Represent<Id, Result>,
  handle: Handler<ServedRequest<Id>, Result>,
): void;
export function serve(app: AdminApp, id: OperationId, ...handling: Handling): void {
  addRoute(app, id, handling, (request) => request);
}

/** The owner of what an operation is about: a workspace, or the operator. */
export type Owner = WorkspaceScope | OperatorScope;

type OwnedRequest<Id extends OwnedOperationId> = Omit<ServedRequest<Id>, 'scope'> & { readonly owner: Owner };

/** Adds the routes of an operation on what is a workspace's, and of the same one on what is the operator's own. */
export function serveOwned<Id extends OwnedOperationId>(
  app: AdminApp,
  id: Id,
  handle: Handler<OwnedRequest<Id>, Answer<Id>>,
): void;
export function serveOwned<Id extends OwnedOperationId, Result>(
  app: AdminApp,
  id: Id,
  represent: Represent<Id, Result>,
  handle: Handler<OwnedRequest<Id>, Result>,
): void;
export function serveOwned(app: AdminApp, id: OwnedOperationId, ...handling: Handling): void {
  addRoute(app, id, handling, (request) => ({ ...request, owner: request.scope }));
  addRoute(app, OWNED_OPERATIONS[id], handling, (request) => ({ ...request, owner: request.operator }));
}

/** What guards and schemas have let pass, of any operation. */
interface AnyRequest {
  readonly version: number | null;
  readonly scope?: WorkspaceScope;
  readonly operator?: OperatorScope;
}

function addRoute(app: AdminApp, id: OperationId, handling: Handling, given: (request: AnyRequest) => object): void {
  const [represent, handle] = handling.length === 1 ? [null, handling[0]] : handling;
  const { isVersioned = false }: Operation = OPERATIONS[id];
  const route = routeOf(id);
  const status = '201' in route.responses ? 201 : 200;
  app.openapi(route, async (c) => {
    const version = isVersioned ? expectedVersion(c) : null;
    if (isRefusal(version)) return answerRefusal(c, version);
    // The route's type does not name its schemas: the operation's does.
    const valid = (target: 'param' | 'query' | 'json'): unknown => c.req.valid(target as never);
    const read = { params: valid('param'), query: valid('query'), body: valid('json'), version, c };
    const result: unknown = await handle(given({ ...c.var, ...read }) as never);
    if (isRefusal(result)) return answerRefusal(c, result);
    const answer: unknown = represent === null ? result : await represent(result as never);
    if (answer instanceof Response) return answer;
    // The adapter has replaced the global class since this one was made.
    if (answer === RESPONSE_ALREADY_SENT) return RESPONSE_ALREADY_SENT;
    if (isRefusal(answer)) return answerRefusal(c, answer);
    return answer instanceof Repeated ? c.json(answer.body, 200) : c.json(answer, status);
  });
}

/** What follows from a value, which a refusal in its place skips. */
export async function unlessRefused<Value, Result>(
  value: Value | Refusal | Promise<Value | Refusal>,
  go: (value: Value) => Result | Promise<Result>,
): Promise<Result | Refusal> {
  const found = await value;
  return isRefusal(found) ? found : await go(found);
}
