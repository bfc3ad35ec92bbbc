import type {
  AnswerOf,
  BodyOf,
  BodySchema,
  ParamsOf,
  QueryOf,
  QuerySchema,
} from '../../../src/control/admin/operation-contract.ts';
import { addressOf, type OperationId } from '../../../src/control/operations/operations.ts';
import { OWNED_OPERATIONS, type OwnedOperationId } from '../../../src/control/operations/owned-operations.ts';
import { type SearchValues, searchOf } from '../paths.ts';
import { ApiError, errorOf, unreachable } from './api-error.ts';
import { sessionGate } from './session-gate.ts';

// The one way to the admin API: its operations by their names.

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
export async function callApi<Id extends OperationId>(id: Id, ...given: Given<Id>): Promise<AnswerOf<Id>> {
  return (await (await fetchApi(id, ...given)).json()) as AnswerOf<Id>;
}

/** The same for what belongs to a workspace, or is the operator's own: then the workspace is null. */
export async function callOwned<Id extends OwnedOperationId>(
  id: Id,
  workspace: string | null,
  request: Omit<ApiRequest<Id>, 'workspace'>,
): Promise<AnswerOf<Id>> {
  const answer =
    workspace === null
      ? await fetchSent(OWNED_OPERATIONS[id], request)
      : await fetchSent(id, { ...request, workspace });
  return (await answer.json()) as AnswerOf<Id>;
}

/** Calls an operation whose answer is read as it arrives. */
export async function fetchApi<Id extends OperationId>(
  id: Id,
  ...[request = {} as ApiRequest<Id>]: Given<Id>
): Promise<Response> {
  return await fetchSent(id, request);
}

/** The address of an operation that only reads, for a link or a stream. */
export function addressOfApi<Id extends OperationId>(id: Id, request: ApiRequest<Id>): string {
  return sentTo(id, request).address;
}

/** A request as it is sent, whatever its operation is. */
interface SentRequest {
  readonly body?: object;
  readonly query?: SearchValues;
  readonly version?: number;
  readonly signal?: AbortSignal;
  readonly answersSignIn?: boolean;
}

async function fetchSent(id: OperationId, given: object): Promise<Response> {
  // Its caller has checked it as what the operation is given.
  const request = given as SentRequest;
  try {
    return await send(id, request);
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status !== 401 || request.answersSignIn === true) throw fault;
    if (fault.param === 'recent_sign_in' && (await sessionGate().confirm())) {
      return await send(id, request);
    }
    // With a param, the 401 is about something that was given.
    if (fault.param === null) sessionGate().ended();
    throw fault;
  }
}

function sentTo(id: OperationId, given: object): { readonly method: string; readonly address: string } {
  const { query = {}, ...params } = given as SentRequest;
  const { method, path } = addressOf(id, params as Readonly<Record<string, string>>);
  return { method, address: `/admin/v1${path}${searchOf(query)}` };
}

async function send(id: OperationId, request: SentRequest): Promise<Response> {
  const { body, version, signal } = request;
  const { method, address } = sentTo(id, request);
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
