import type { CompletionRequest, FoundReferences, KeptFacet, References } from '../dialects/dialect.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { MaybeAsync } from '../../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Caller } from './caller.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Keeping, ParsedRequest } from './read.ts';
import type { ResponseStore, StoredChain, StoredItems } from './response-store.ts';
import { invalidBody } from './invalid-body.ts';

const RETRY_MS = 1_000;

/** The earlier items that a request refers to, and the requests that its answer continues. */
interface Recalled extends FoundReferences {
  readonly keeping: Keeping;
}

const FIRST: Keeping = Object.freeze({ previousRequestId: null, goesOnFrom: [] });

/**
 * Replaces a request's references to earlier answers by their items, and decides whether its own answer is kept.
 * Synchronous if there are no references.
 */
export function recall(
  gate: GatewayDeps,
  caller: Caller,
  principal: Principal,
  parsed: ParsedRequest,
): MaybeAsync<ParsedRequest | Refusal> {
  const { kept } = parsed.request;
  if (kept === null) return parsed;
  const { references } = kept;
  const isKept = kept.mayBeKept && gate.responses.keepsFor(principal.workspaceId);
  const replace = (resolved: ResolvedRequest | Refusal): ParsedRequest | Refusal =>
    isRefusal(resolved) ? resolved : { ...parsed, ...resolved };
  if (references === null) return isKept ? replace(resolve(kept, null, FIRST)) : parsed;
  const { received } = parsed;
  return resolveReferences(gate, caller, principal, { received, kept, references }).then(replace);
}

/** A request with its references replaced, and what its answer continues; null if the answer isn't kept. */
interface ResolvedRequest {
  readonly request: CompletionRequest;
  readonly keeping: Keeping | null;
}

/** Replaces the references in a body by the items of earlier answers. */
export async function resolveReferences(
  gate: GatewayDeps,
  caller: Caller,
  { workspaceId }: Principal,
  { received, kept, references }: { received: Buffer; kept: KeptFacet; references: References },
): Promise<ResolvedRequest | Refusal> {
  if (gate.responses.keepMs === 0) return nothingKept(references);
  const bytesMax = caller.bodyBytesMax - received.length;
  const found = await find(gate, workspaceId, references, bytesMax);
  if (isRefusal(found)) return found;
  if (found === 'too_large') return tooLarge(references, caller.bodyBytesMax);
  const bytes = bytesOf(found, references);
  if (bytes > bytesMax) return tooLarge(references, caller.bodyBytesMax);
  if (!caller.reserve(received.length + bytes)) {
    const message = 'Too many large requests are being served. Try again in a moment.';
    return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS });
  }
  if (bytes > LARGE_BYTES) await ownTurn();
  const isKept = kept.mayBeKept && gate.responses.keepsFor(workspaceId);
  return resolve(kept, found, isKept ? found.keeping : null);
}

function resolve(kept: KeptFacet, found: FoundReferences | null, keeping: Keeping | null): ResolvedRequest | Refusal {
  const result = kept.resolve(found, keeping !== null);
  if (!result.ok) return invalidBody(result.fault);
  return { request: result.request, keeping };
}

const NO_CHAIN: StoredChain = { items: [], requestIds: [] };
const NO_ITEMS: StoredItems = { items: new Map(), requestIds: [] };

/** Everything that the request refers to; a refusal if any of it isn't found. */
async function find(
  { responses }: GatewayDeps,
  workspaceId: string,
  references: References,
  bytesMax: number,
): Promise<Recalled | Refusal | 'too_large'> {
  const { previous, items: wanted } = references;
  const ids = wanted.map(({ id }) => id);
  try {
    const chain = previous === null ? NO_CHAIN : await findChain(responses, workspaceId, previous, bytesMax);
    if (isRefusal(chain)) return chain;
    const items = ids.length === 0 ? NO_ITEMS : await responses.findItems(workspaceId, ids, bytesMax);
    if (chain === 'too_large' || items === 'too_large') return 'too_large';
    const missing = wanted.find(({ id }) => !items.items.has(id));
    if (missing !== undefined) return noItem(missing.id, missing.param);
    const goesOnFrom = [...chain.requestIds, ...items.requestIds];
    const keeping = { previousRequestId: chain.requestIds.at(-1) ?? null, goesOnFrom };
    return { chain: chain.items, items: items.items, keeping };
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) return unreadable();
    throw fault;
  }
}

async function findChain(
  responses: ResponseStore,
  workspaceId: string,
  previous: string,
  bytesMax: number,
): Promise<StoredChain | Refusal | 'too_large'> {
  const chain = await responses.findChain(workspaceId, previous, bytesMax);
  return chain === 'missing' ? noResponse(previous, 'previous_response_id') : chain;
}

/** An item may be referred to more than once. */
function bytesOf({ chain, items }: FoundReferences, references: References): number {
  const said = chain.reduce((sum, { length }) => sum + length, 0);
  return references.items.reduce((sum, { id }) => sum + (items.get(id)?.length ?? 0), said);
}

function paramOf({ previous, items }: References): string | null {
  return previous === null ? (items[0]?.param ?? null) : 'previous_response_id';
}

function nothingKept(references: References): Refusal {
  const param = paramOf(references);
  const what = references.previous === null ? 'an earlier answer' : 'a response';
  const message = `'${param}' refers to ${what}, and none are kept here; send the whole conversation in 'input'.`;
  return refuse('INVALID_REQUEST', message, { param });
}

function tooLarge(references: References, bytesMax: number): Refusal {
  const param = paramOf(references);
  const message = `The conversation that '${param}' goes on from makes the request longer than ${bytesMax} bytes.`;
  return refuse('INVALID_REQUEST', message, { param });
}

/** The same refusal whether another workspace has the response, or it was deleted, has expired or never existed. */
export function noResponse(id: string, param: string | null): Refusal {
  const what = param === null ? 'Response' : 'Previous response';
  return refuse('NOT_FOUND', `${what} with id '${shown(id)}' not found.`, { param });
}

function noItem(id: string, param: string): Refusal {
  return refuse('NOT_FOUND', `Item with id '${shown(id)}' not found.`, { param });
}

export function unreadable(): Refusal {
  const message = 'Responses could not be read. Nothing was charged; try again in a moment.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS });
}

/** The beginning of an id, short enough to repeat in a message. */
function shown(id: string): string {
  return id.slice(0, 100).toWellFormed();
}
