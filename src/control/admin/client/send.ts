import { type Dispatcher, request } from 'undici';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';
import type { ErrorBody } from '../contract.ts';

// Requests of the admin API's client, and how they fail.

/** The admin API refused the request. The message is for people, `code` and `param` are for programs. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, { message, code, param }: Omit<ErrorBody['error'], 'type'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** Nothing that speaks the admin API answered at the address. */
export class AdminUnreachable extends Error {
  override readonly name = 'AdminUnreachable';
}

export interface AdminClientOptions {
  /** The instance's address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly token: string;
  /** The time in which an answer must begin, in milliseconds. Default: enough to verify a long ledger. */
  readonly answerMsMax?: number;
  /** The version that a change expects: it is refused if another was made since. Default: any. */
  readonly version?: number | undefined;
}

/** Verifying a long ledger takes minutes. */
const ANSWER_MS_MAX = 1_800_000;

function isErrorBody(body: unknown): body is ErrorBody {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

interface SentRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Below `/admin/v1`. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** Sends a request. @throws AdminRefused, AdminUnreachable */
export async function send(
  { url, token, answerMsMax = ANSWER_MS_MAX, version }: AdminClientOptions,
  { method, path, body }: SentRequest,
): Promise<Dispatcher.ResponseData> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (version !== undefined) headers['if-match'] = `"${version}"`;
  const response = await request(`${withoutTrailingSlashes(url)}/admin/v1${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: answerMsMax,
  }).catch((cause: unknown) => {
    throw new AdminUnreachable(`no instance answers at ${url}`, { cause });
  });
  if (response.statusCode < 300) return response;
  const answer: unknown = await response.body.json().catch(() => null);
  if (isErrorBody(answer)) throw new AdminRefused(response.statusCode, answer.error);
  throw new AdminUnreachable(`the server at ${url} is not a Faregate instance (HTTP ${response.statusCode})`);
}
