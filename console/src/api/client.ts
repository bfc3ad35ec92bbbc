import type {
  AnswerOf,
  BodyOf,
  BodySchema,
  ParamsOf,
  QueryOf,
  QuerySchema,
} from '../../../src/control/admin/operation-contract.ts';
import { addressOf } from '../../../src/control/operations/operation.ts';
import type { IdAt, OperationId, OperationRoute } from '../../../src/control/operations/operations.ts';
import { type SearchValues, searchOf } from '../paths.ts';
import { ApiError, errorOf, unreachable } from './api-error.ts';
import { sessionGate } from './session-gate.ts';

// The one way to the admin API. Operations are called by their routes, which the compiler compares with their declarations: so the
// console does not load the table.

/** A value that is left out of a query if it is null or empty; a flag may be a boolean. */
type Sent<Value> = Value | null | '' | ('true' extends Value ? boolean : never);

type SentBody<Id extends OperationId> = [BodySchema<Id>] extends [never] ? object : { readonly body: BodyOf<Id> };
type SentQuery<Id extends OperationId> = [QuerySchema<Id>] extends [never]
  ? object
  : { readonly query?: { readonly [Name in keyof QueryOf<Id>]?: Sent<QueryOf<Id>[Name]> } };

/** What an operation is given: the parameters of its path, its body and query, and how it is sent. */
export type ApiRequest<Id extends OperationId> = ParamsOf<Id> &
  SentBody<Id> &
  SentQuery<Id> & {
    /** The version of the thing that is changed, as it was read. */
    readonly version?: number;
    readonly signal?: AbortSignal;
    /** A 401 is the answer to what was given, and says nothing about the session. */
    readonly answersSignIn?: boolean;
  };

type Given<Id extends OperationId> =
  object extends ApiRequest<Id> ? [request?: ApiRequest<Id>] : [request: ApiRequest<Id>];

/** A page of a list; `next_cursor` is null on the last one. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * Calls an operation; resolves with its answer. If the server wants to know again who the user is, they are asked, and the
 * request is repeated. If the session is over, the way leads to the sign-in page.
 * @throws ApiError
 */
export async function callApi<Route extends OperationRoute>(
  route: Route,
  ...given: Given<IdAt<Route>>
): Promise<AnswerOf<IdAt<Route>>> {
  return (await (await fetchApi(route, ...given)).json()) as AnswerOf<IdAt<Route>>;
}

type InWorkspace<Route extends string> = Route extends `${infer Method} ${infer Path}`
  ? `${Method} /workspaces/{workspace}${Path}`
  : never;

/** Routes to the operator's own counterpart of a workspace's things. */
type OwnedRoute = {
  [Route in OperationRoute]: InWorkspace<Route> extends OperationRoute ? Route : never;
}[OperationRoute];

/** The same for what belongs to a workspace, or is the operator's own: then the workspace is null. */
export async function callOwned<Route extends OwnedRoute>(
  route: Route,
  workspace: string | null,
  request: ApiRequest<IdAt<Route>>,
): Promise<AnswerOf<IdAt<Route>>> {
  const answer =
    workspace === null
      ? await fetchSent(route, request)
      : await fetchSent(route.replace(' ', ' /workspaces/{workspace}'), { ...request, workspace });
  return (await answer.json()) as AnswerOf<IdAt<Route>>;
}

/** Calls an operation with a streamed answer. */
export async function fetchApi<Route extends OperationRoute>(
  route: Route,
  ...[request = {} as ApiRequest<IdAt<Route>>]: Given<IdAt<Route>>
): Promise<Response> {
  return await fetchSent(route, request);
}

/** The address of an operation that only reads, for a link or a stream. */
export function addressOfApi<Route extends OperationRoute>(route: Route, request: ApiRequest<IdAt<Route>>): string {
  return sentTo(route, request).address;
}

/** A request as it is sent, for any operation. */
interface SentRequest {
  readonly body?: object;
  readonly query?: SearchValues;
  readonly version?: number;
  readonly signal?: AbortSignal;
  readonly answersSignIn?: boolean;
}

async function fetchSent(route: string, given: object): Promise<Response> {
  // Its caller has checked it as what the operation is given.
  const request = given as SentRequest;
  try {
    return await send(route, request);
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status !== 401 || request.answersSignIn === true) throw fault;
    if (fault.param === 'recent_sign_in' && (await sessionGate().confirm())) {
      return await send(route, request);
    }
    // With a param, the 401 is about something that was given.
    if (fault.param === null) sessionGate().ended();
    throw fault;
  }
}

function sentTo(route: string, given: object): { readonly method: string; readonly address: string } {
  const { query = {}, ...params } = given as SentRequest;
  const { method, path } = addressOf(route, params as Readonly<Record<string, string>>);
  return { method, address: `/admin/v1${path}${searchOf(query)}` };
}

async function send(route: string, request: SentRequest): Promise<Response> {
  const { body, version, signal } = request;
  const { method, address } = sentTo(route, request);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (version !== undefined) headers['if-match'] = `"${version}"`;
  const response = await fetch(address, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((fault: unknown) => {
    if (fault instanceof DOMException && fault.name === 'AbortError') throw fault;
    throw unreachable();
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}
