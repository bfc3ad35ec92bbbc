import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Permission } from '../../domain/roles.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { UserAct } from '../identity/visitor.ts';
import type { Operation } from '../operations/operation.ts';
import { type OperationId, OPERATIONS } from '../operations/operations.ts';
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

type Handler<Id extends OperationId> = (request: ServedRequest<Id>) => Answer<Id> | Promise<Answer<Id>>;

/** Adds the route of an operation. */
export function serve<Id extends OperationId>(app: AdminApp, id: Id, handle: Handler<Id>): void {
  const { isVersioned = false }: Operation = OPERATIONS[id];
  const route = routeOf(id);
  const status = '201' in route.responses ? 201 : 200;
  app.openapi(route, async (c) => {
    const version = isVersioned ? expectedVersion(c) : null;
    if (isRefusal(version)) return answerRefusal(c, version);
    // The route's type does not name its schemas: the operation's does.
    const valid = (target: 'param' | 'query' | 'json'): unknown => c.req.valid(target as never);
    const given = { params: valid('param'), query: valid('query'), body: valid('json'), version, c };
    const answer: unknown = await handle({ ...c.var, ...given } as unknown as ServedRequest<Id>);
    if (answer instanceof Response) return answer;
    if (isRefusal(answer)) return answerRefusal(c, answer);
    return answer instanceof Repeated ? c.json(answer.body, 200) : c.json(answer, status);
  });
}
