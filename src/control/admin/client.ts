import { Readable } from 'node:stream';
import { request, type Dispatcher } from 'undici';
import type * as wire from './contract.ts';
import { accountCalls } from './client/account-calls.ts';
import { alertCalls } from './client/alert-calls.ts';
import { type Call, type Page, type PageQuery } from './client/call.ts';
import { identityCalls } from './client/identity-calls.ts';
import { instanceCalls, priceCalls } from './client/instance-calls.ts';
import { ledgerCalls } from './client/ledger-calls.ts';
import { memberCalls } from './client/member-calls.ts';
import { paymentCalls } from './client/payment-calls.ts';
import { streamCalls } from './client/stream-calls.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

// The admin API's client, for the commands. It shares the contract with the server, and no code.

/** The admin API refused the request. The message is for people, `code` and `param` are for programs. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, { message, code, param }: wire.ErrorBody['error']) {
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
}

const PAGE_ITEMS = 200;

/** Verifying a long ledger takes minutes. */
const ANSWER_MS_MAX = 1_800_000;

function isErrorBody(body: unknown): body is wire.ErrorBody {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

async function send(
  { url, token, answerMsMax = ANSWER_MS_MAX }: AdminClientOptions,
  method: Parameters<Call>[0],
  at: string,
  body?: object,
): Promise<Dispatcher.ResponseData> {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const target = `${withoutTrailingSlashes(url)}/admin/v1${at}`;
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await request(target, { method, headers, body: text, headersTimeout: answerMsMax }).catch(
    (cause: unknown) => {
      throw new AdminUnreachable(`no instance answers at ${url}`, { cause });
    },
  );
  if (response.statusCode < 300) return response;
  const answer: unknown = await response.body.json().catch(() => null);
  if (isErrorBody(answer)) throw new AdminRefused(response.statusCode, answer.error);
  throw new AdminUnreachable(`the server at ${url} is not a Faregate instance (HTTP ${response.statusCode})`);
}

/**
 * Creates a client. Workspaces, projects and keys are referred to by id or by name, as in the API's reference. Every
 * method @throws AdminRefused, AdminUnreachable
 */
export function createAdminClient(options: AdminClientOptions) {
  const call: Call = async <Answer>(...sent: Parameters<Call>): Promise<Answer> => {
    const response = await send(options, ...sent);
    return (await response.body.json()) as Answer;
  };
  return {
    ...accountCalls(call),
    ...ledgerCalls(call),
    ...instanceCalls(call),
    ...alertCalls(call),
    ...identityCalls(call),
    ...memberCalls(call),
    ...paymentCalls(call),
    ...priceCalls(call),
    ...streamCalls(async (at) => Readable.toWeb((await send(options, 'GET', at)).body)),
  };
}

/** All items of a list, read page by page. */
export async function readAllPages<Item>(readPage: (page: PageQuery) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage({ limit: PAGE_ITEMS, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

export type AdminClient = ReturnType<typeof createAdminClient>;
