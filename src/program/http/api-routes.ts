import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlaygroundRequest } from '../../control/admin/playground/playground-routes.ts';
import type { Dialect, ReplyForm } from '../../gate/dialects/dialect.ts';
import { DIALECTS } from '../../gate/dialects/dialects.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Caller } from '../../gate/gateway/caller.ts';
import type { GatewayDeps } from '../../gate/gateway/gateway-deps.ts';
import { serveCompletion } from '../../gate/gateway/serve-completion.ts';
import { serveCount } from '../../gate/gateway/questions/serve-count.ts';
import { serveInputItems } from '../../gate/gateway/questions/serve-input-items.ts';
import { serveKey } from '../../gate/gateway/questions/serve-key.ts';
import { serveModels } from '../../gate/gateway/questions/serve-models.ts';
import { serveQuote } from '../../gate/gateway/questions/serve-quote.ts';
import { serveReceipt } from '../../gate/gateway/questions/serve-receipt.ts';
import { deleteResponse, serveResponse } from '../../gate/gateway/questions/serve-response.ts';
import { rejectRequest } from '../../gate/gateway/reject-request.ts';
import { NodeCaller } from './node-caller.ts';
import type { ServePage } from './pages.ts';
import type { BodyLimits } from './server-limits.ts';

/** Answers one request; path and method are checked already. */
export type NodeHandler = (message: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Handlers of paths outside of the API. */
export interface Mounts {
  readonly admin: NodeHandler;
  readonly live: NodeHandler;
  readonly ready: NodeHandler;
  /** Events of the payment provider; null: none is configured, so there is no such path. */
  readonly stripeWebhook: NodeHandler | null;
  /** Static pages; false if there is none at that path. */
  readonly pages: ServePage;
}

/** What handlers of the public API need. */
export interface ApiParts {
  readonly gate: GatewayDeps;
  readonly limits: BodyLimits;
  readonly isDraining: () => boolean;
}

export interface RouterParts extends ApiParts {
  readonly mounts: Mounts;
}

type ItemMethod = 'GET' | 'DELETE';
type Method = ItemMethod | 'POST';

/** The query is left out if the request has none. */
type ApiHandler = (gate: GatewayDeps, caller: Caller, query?: URLSearchParams) => Promise<void>;

interface ApiRoute {
  readonly method: Method;
  /** The methods of its path, if there are others. */
  readonly allow?: string;
  readonly serve: ApiHandler;
  /** The form of its answers; absent if several APIs have it, so that the caller's headers decide. */
  readonly form?: ReplyForm;
}

const OPENAI_FORM = DIALECTS.chat.replyForm;

const PLAYGROUND_ROUTES: Readonly<Record<PlaygroundRequest['endpoint'], ApiRoute>> = {
  chat: dialectRoute(DIALECTS.chat),
  quote: { method: 'POST', serve: serveQuote },
};

function dialectRoute({ endpoint, replyForm: form }: Dialect): ApiRoute {
  return { method: 'POST', serve: (gate, caller) => serveCompletion(gate, caller, endpoint), form };
}

/** None if the dialect doesn't count. */
function countRoute(endpoint: 'messages' | 'responses', path: string): [string, ApiRoute][] {
  const { counting, replyForm: form } = DIALECTS[endpoint];
  if (counting === null) return [];
  return [[path, { method: 'POST', serve: (gate, caller) => serveCount(gate, caller, endpoint, counting), form }]];
}

const API_ROUTES: ReadonlyMap<string, ApiRoute> = new Map<string, ApiRoute>([
  ...Object.values(DIALECTS).map((dialect): [string, ApiRoute] => [dialect.path, dialectRoute(dialect)]),
  ...countRoute('messages', '/v1/messages/count_tokens'),
  ...countRoute('responses', '/v1/responses/input_tokens'),
  ['/v1/quote', PLAYGROUND_ROUTES.quote],
  ['/v1/key', { method: 'GET', serve: serveKey }],
  ['/v1/models', { method: 'GET', serve: (gate, caller) => serveModels(gate, caller, null) }],
]);

type ItemHandler = (gate: GatewayDeps, caller: Caller, id: string, query: URLSearchParams) => Promise<void>;

/** Handlers of the items below a path, by the rest of the path: without its end, if one is named. */
interface ItemRoute {
  readonly end?: string;
  readonly serve: { readonly GET: ItemHandler; readonly DELETE?: ItemHandler };
  readonly form?: ReplyForm;
}

/** None if the dialect lists nothing. */
function inputRoute(endpoint: 'responses', prefix: string, end: string): [string, ItemRoute][] {
  const { listInput: list, replyForm: form } = DIALECTS[endpoint];
  if (list === null) return [];
  const GET: ItemHandler = (gate, caller, id, query) => serveInputItems(gate, caller, id, { query, list });
  return [[prefix, { end, serve: { GET }, form }]];
}

const API_ITEMS: readonly (readonly [prefix: string, ItemRoute])[] = [
  ...inputRoute('responses', '/v1/responses/', '/input_items'),
  ['/v1/models/', { serve: { GET: serveModels } }],
  ['/v1/receipts/', { serve: { GET: serveReceipt } }],
  ['/v1/responses/', { serve: { GET: serveResponse, DELETE: deleteResponse }, form: DIALECTS.responses.replyForm }],
];

/** Paths that one API alone has, with all that is below them: known here or not. */
const OWN_PATHS = (['messages', 'responses'] as const).map(
  (endpoint) => [DIALECTS[endpoint].path, DIALECTS[endpoint].replyForm] as const,
);

/** The form of refusals where there is no route. */
function formAt(path: string, caller: Caller): ReplyForm {
  const own = OWN_PATHS.find(([root]) => path === root || path.startsWith(`${root}/`));
  return own?.[1] ?? formOfCaller(caller);
}

/** Anthropic's clients name a version of its API in every request. */
function formOfCaller({ anthropicVersion }: Caller): ReplyForm {
  return anthropicVersion === undefined ? OPENAI_FORM : DIALECTS.messages.replyForm;
}

const DRAIN_RETRY_MS = 1_000;

function apiRoute(target: string, method: string): ApiRoute | undefined {
  const path = pathOf(target);
  const exact = API_ROUTES.get(path);
  if (exact !== undefined) return { ...exact, serve: (gate, caller) => exact.serve(gate, caller, queryOf(target)) };
  for (const [prefix, item] of API_ITEMS) {
    const { end = '' } = item;
    const isBelow = path.startsWith(prefix) && path.endsWith(end);
    const id = isBelow ? decoded(path.slice(prefix.length, path.length - end.length)) : null;
    if (id !== null && id !== '') return itemRoute(item, method, id, queryOf(target));
  }
  return undefined;
}

function itemRoute({ serve: handlers, form }: ItemRoute, method: string, id: string, query: URLSearchParams): ApiRoute {
  const known = (Object.keys(handlers) as ItemMethod[]).find((each) => each === method) ?? 'GET';
  const handler = handlers[known] ?? handlers.GET;
  return {
    ...(form && { form }),
    method: known,
    allow: Object.keys(handlers).join(', '),
    serve: (gate, caller) => handler(gate, caller, id, query),
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The path of a request's target, which may be a whole URL, as for a proxy. */
function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] || '/';
}

function queryOf(target: string): URLSearchParams {
  return new URLSearchParams(target.split('?', 2)[1] ?? '');
}

/** Finds the handler of a request. Unknown paths and methods are refused; only the gate reaches models. */
export function route(
  parts: RouterParts,
  requestId: string,
  message: IncomingMessage,
  response: ServerResponse,
): void | Promise<void> {
  const target = message.url ?? '/';
  const method = message.method ?? 'GET';
  const exact = API_ROUTES.get(target);
  if (exact !== undefined) {
    const caller = new NodeCaller(requestId, message, response, parts.limits);
    if (isForWebSocket(message)) {
      caller.answerIn(formAt(target, caller));
      return reject(parts, caller, WEBSOCKET_REFUSAL);
    }
    return afterBody(() => serveApi(parts, exact, method, caller));
  }
  const path = pathOf(target);
  const mounted = mountAt(parts.mounts, path);
  if (mounted !== null) {
    response.setHeader('x-request-id', requestId);
    return mounted(message, response);
  }
  const caller = new NodeCaller(requestId, message, response, parts.limits);
  const found = apiRoute(target, method);
  if (found !== undefined) return afterBody(() => serveApi(parts, found, method, caller));
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && parts.mounts.pages(requestId, path, response)) return undefined;
  caller.answerIn(formAt(path, caller));
  return reject(parts, caller, refuse('NOT_FOUND', nothingAt(method, path)));
}

/** Serves once node:http has passed on what came with the head: who is refused after a whole body keeps the connection. */
async function afterBody(serve: () => void | Promise<void>): Promise<void> {
  await Promise.resolve();
  await serve();
}

const API_PATHS = Array.from(API_ROUTES, ([path, { method }]) => `${method} ${path}`).join(', ');

/** Names the existing routes for clients that were made for another one. */
function nothingAt(method: string, path: string): string {
  const what = `There is nothing at ${method} ${path.slice(0, 200)}.`;
  return path.startsWith('/v1/') ? `${what} The API has ${API_PATHS}.` : what;
}

/** Agents that prefer a WebSocket fall back on HTTP immediately after this status. */
const WEBSOCKET_REFUSAL = refuse('WEBSOCKET_NOT_SUPPORTED', 'There are no WebSockets here; send a POST request.');

function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function mountAt(mounts: Mounts, path: string): NodeHandler | null {
  if (path === '/livez') return mounts.live;
  if (path === '/readyz') return mounts.ready;
  if (path === '/webhooks/stripe') return mounts.stripeWebhook;
  return path.startsWith('/admin/') || path.startsWith('/scim/') || path === '/metrics' ? mounts.admin : null;
}

/** The handlers of the API's requests without an item in their path, by request line. */
export function apiLines(parts: ApiParts): Map<string, (caller: Caller) => void | Promise<void>> {
  return new Map(
    Array.from(API_ROUTES, ([path, found]) => [
      `${found.method} ${path} HTTP/1.1`,
      (caller) => serveApi(parts, found, found.method, caller),
    ]),
  );
}

/** Serves a model's request for an authenticated caller. */
export function servePlayground(
  parts: ApiParts,
  { endpoint, principal, requestId, incoming, outgoing }: PlaygroundRequest,
): void | Promise<void> {
  const caller = new NodeCaller(requestId, incoming, outgoing, parts.limits, principal);
  return serveApi(parts, PLAYGROUND_ROUTES[endpoint], 'POST', caller);
}

function serveApi(parts: ApiParts, found: ApiRoute, method: string, caller: Caller): void | Promise<void> {
  caller.answerIn(found.form ?? formOfCaller(caller));
  if (method !== found.method) {
    const { allow = found.method } = found;
    return reject(
      parts,
      caller,
      refuse('METHOD_NOT_ALLOWED', `This path does not allow ${method}; use ${allow}.`, { allow }),
    );
  }
  if (parts.isDraining()) {
    return reject(
      parts,
      caller,
      refuse('SERVICE_UNAVAILABLE', 'This server is stopping. Send the request again.', {
        retryAfterMs: DRAIN_RETRY_MS,
        closeConnection: true,
      }),
    );
  }
  return serveOrFail(found.serve, parts.gate, caller);
}

/** Answers with 500 where a bug ends the handler before its answer has begun; rejects where one ends it later. */
function serveOrFail(serve: ApiHandler, gate: GatewayDeps, caller: Caller): void | Promise<void> {
  const fail = (fault: unknown): void => {
    if (caller.hasStarted) throw fault;
    gate.observer.failed(caller.requestId, fault);
    caller.refuse(refuse('INTERNAL_ERROR', 'The gateway failed because of a bug. Nothing was charged.'));
  };
  try {
    return serve(gate, caller).catch(fail);
  } catch (fault) {
    return fail(fault);
  }
}

function reject({ gate }: ApiParts, caller: Caller, refusal: Refusal): void {
  rejectRequest(gate, caller, { principal: null, endpoint: null, model: null, refusal });
}
