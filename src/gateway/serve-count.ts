import { readCounted } from '../dialects/messages/messages-dialect.ts';
import type { CompletionRequest, NativeRequest } from '../dialects/dialect.ts';
import type { Model } from '../domain/model.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import { LARGE_BYTES, ownTurn } from '../lib/own-turn.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { chooseChatModel } from './choose-model.ts';
import type { Gate } from './gate.ts';
import { receive } from './read.ts';
import { rejectRequest } from './reject-request.ts';
import { routeOrder } from './route-order.ts';
import { countRefused } from './take-permit.ts';

/** The header of a count that the provider hasn't made. */
const ESTIMATE_HEADER = 'x-faregate-estimate';

/** A text's bytes for each token, and what an image or a file may come to where the model doesn't say. */
const BYTES_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_600;
const FILE_TOKENS = 3_000;

/** What is counted. */
type Counted = Pick<CompletionRequest, 'model' | 'size'> & { readonly native: NativeRequest };

/**
 * Answers with the input tokens of a message request, as the model's provider counts them, or an estimate. Costs nothing,
 * and counts towards no rate limit of the project unless the body is refused: agents count dozens of texts together.
 */
export async function serveCount(gate: Gate, caller: Caller): Promise<void> {
  const at = { endpoint: 'messages', model: null } as const;
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return rejectRequest(gate, caller, { ...at, ...principal });
  const reject = (refusal: Refusal, model: string | null = null): void =>
    rejectRequest(gate, caller, { ...at, principal, model, refusal });

  const waitMs = gate.countRate.take(principal.keyId);
  if (waitMs > 0) {
    const message = `A key may have tokens counted ${gate.countRate.perMinute} times per minute. Retry in ${waitMs} ms.`;
    return reject(refuse('RATE_LIMITED', message, { retryAfterMs: waitMs }));
  }
  const body = await receive(caller);
  if (body === null) return;
  if (isRefusal(body)) return reject(await countRefused(gate, principal, body));
  if (body.length > LARGE_BYTES) await ownTurn();
  const reading = readCounted(body, caller);
  if (!reading.ok) {
    const { message, param } = reading.fault;
    return reject(await countRefused(gate, principal, refuse('INVALID_REQUEST', message, { param })));
  }
  const model = chooseChatModel(gate, principal, reading.request.model);
  if (isRefusal(model)) return reject(model, reading.request.model);
  const counted = await countByProvider(gate, caller, model, reading.request);
  const tokens = counted ?? estimateOf(model, reading.request);
  const headers = counted === null ? [ESTIMATE_HEADER, 'true'] : [];
  caller.answer(Buffer.from(JSON.stringify({ input_tokens: tokens })), headers);
}

/** Asks the first provider that can be asked; null if none counts. */
async function countByProvider(gate: Gate, caller: Caller, model: Model, counted: Counted): Promise<number | null> {
  const nowMs = gate.clock.monotonicMs();
  for (const route of routeOrder(model.routes, gate.random)) {
    const upstream = gate.upstreams.of(route);
    if (upstream?.countTokens === undefined || gate.health.of(route).waitMs(nowMs) > 0) continue;
    const { upstreamModel } = route;
    const { terms, reasoning } = model;
    const call = { upstreamModel, requestId: caller.requestId, request: counted.native, reasoning };
    return await upstream.countTokens({ ...call, contextWindow: terms.contextWindow });
  }
  return null;
}

function estimateOf({ terms }: Model, { size }: Counted): number {
  const { imageTokens, fileTokens } = terms.media;
  const media = size.images * (imageTokens ?? IMAGE_TOKENS) + size.files * (fileTokens ?? FILE_TOKENS);
  return Math.min(Math.ceil(size.textBytes / BYTES_PER_TOKEN) + media, terms.contextWindow);
}
