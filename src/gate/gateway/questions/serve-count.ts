import type { CompletionEndpoint, CountedRequest, TokenCounting } from '../../dialects/dialect.ts';
import type { Model } from '../../../domain/model.ts';
import type { Principal } from '../../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../../domain/refusals.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { chooseChatModel } from '../choose-model.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { estimateInput } from '../input-estimate.ts';
import { receive } from '../read.ts';
import { resolveReferences } from '../recall.ts';
import { rejectRequest } from '../reject-request.ts';
import { refuseUnknown, unacceptedField } from '../sent-request.ts';
import { routeOrder } from '../attempts/route-order.ts';
import { textOf } from '../text-of.ts';
import { countRefused } from '../take-permit.ts';
import { invalidBody } from '../invalid-body.ts';

/** The header of a count that is not the provider's. */
const ESTIMATE_HEADER = 'x-faregate-estimate';

/**
 * Answers with the input tokens of a request in such a dialect, as its model's provider counts them, else an estimate.
 * Free, and towards no rate limit of the project unless the body is refused: agents count dozens of texts together.
 */
export async function serveCount(
  gate: GatewayDeps,
  caller: Caller,
  endpoint: 'messages' | 'responses',
  counting: TokenCounting,
): Promise<void> {
  const at = { endpoint, model: null };
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return await endUnserved(gate, caller, { ...at, ...principal });
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
  const request = await readCounted(gate, caller, { principal, counting, body });
  if (isRefusal(request)) return reject(await countRefused(gate, principal, request));
  const model = chooseChatModel(gate, principal, request.model);
  if (isRefusal(model)) return reject(model, request.model);
  const unknown = refuseUnknown(gate, model, request);
  if (unknown !== null) return reject(await countRefused(gate, principal, unknown), request.model);
  const counted = await countByProvider(gate, caller, { model, endpoint, request });
  const tokens = counted ?? estimateInput(model.terms, textOf(request).size);
  const headers = counted === null ? [ESTIMATE_HEADER, 'true'] : [];
  caller.answer(Buffer.from(JSON.stringify(counting.answer(tokens))), headers);
}

/** Reads the body, and replaces its references by the items of earlier answers. */
async function readCounted(
  gate: GatewayDeps,
  caller: Caller,
  { principal, counting, body }: { principal: Principal; counting: TokenCounting; body: Buffer },
): Promise<CountedRequest | Refusal> {
  const reading = counting.read(body, caller);
  if (!reading.ok) return invalidBody(reading.fault);
  const { kept } = reading.request;
  if (kept === null || kept.references === null) return reading.request;
  const { references } = kept;
  const resolved = await resolveReferences(gate, caller, principal, { received: body, kept, references });
  return isRefusal(resolved) ? resolved : resolved.request;
}

/** The count of the first provider that is able to count; null if none is. */
async function countByProvider(
  gate: GatewayDeps,
  caller: Caller,
  { model, endpoint, request }: { model: Model; endpoint: CompletionEndpoint; request: CountedRequest },
): Promise<number | null> {
  const nowMs = gate.clock.monotonicMs();
  for (const route of routeOrder(model.routes, gate.random)) {
    const upstream = gate.upstreams.of(route);
    const count = upstream?.counts?.[endpoint];
    if (upstream === undefined || count === undefined || unacceptedField(upstream, request) !== null) continue;
    if (request.native === null || gate.health.of(route).waitMs(nowMs) > 0) continue;
    const { upstreamModel } = route;
    const { contextWindow } = model.terms;
    return await count({ upstreamModel, requestId: caller.requestId, request: request.native, contextWindow });
  }
  return null;
}
