import { type SearchValues, searchOf } from '../paths.ts';
import { ApiError, errorOf, unreachable } from './api-error.ts';
import { sessionGate } from './session-gate.ts';

// The one way to the admin API. Paths are relative to /admin/v1.

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface ApiRequest {
  readonly body?: object;
  readonly query?: SearchValues;
  /** The version of the thing that is changed, as it was read. */
  readonly version?: number;
  readonly signal?: AbortSignal;
  /** A 401 is the answer to what was given, and says nothing about the session. */
  readonly answersSignIn?: boolean;
}

/** A page of a list; `next_cursor` is null on the last one. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * Sends a request; resolves with its answer. If the server wants to know again who the user is, they are asked, and the
 * request is repeated. If the session is over, the way leads to the sign-in page.
 * @throws ApiError
 */
export async function callApi<Answer>(method: Method, path: string, request: ApiRequest = {}): Promise<Answer> {
  return (await (await fetchApi(method, path, request)).json()) as Answer;
}

/** The same, for an answer that is read as it arrives. */
export async function fetchApi(method: Method, path: string, request: ApiRequest): Promise<Response> {
  try {
    return await send(method, path, request);
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status !== 401 || request.answersSignIn === true) throw fault;
    if (fault.param === 'recent_sign_in' && (await sessionGate().confirm())) {
      return await send(method, path, request);
    }
    // With a param, the 401 is about something that was given.
    if (fault.param === null) sessionGate().ended();
    throw fault;
  }
}

async function send(method: Method, path: string, request: ApiRequest): Promise<Response> {
  const { body, query = {}, version, signal } = request;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (version !== undefined) headers['if-match'] = `"${version}"`;
  const response = await fetch(`/admin/v1${path}${searchOf(query)}`, {
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
