import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { UnservedCaller } from './authenticate.ts';
import type { Caller } from './caller.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { ForwardFailure } from './forwarder.ts';
import { bodyRefusal } from './read.ts';
import { rejectRequest } from './reject-request.ts';
import type { RequestTrace } from './request-trace.ts';

// The end of the path for callers that are not served here. A request of a workspace that lives in another cell is forwarded
// there: nothing is held, counted or charged here.

const RETRY_MS = 1_000;
/** A workspace that has moved more often, ever further from the cell of a key, needs a new key. */
const FORWARDS_MAX = 4;

/** Refuses a caller that may not call, or forwards the request of a workspace that lives in another cell. */
export async function endUnserved(
  gate: GatewayDeps,
  caller: Caller,
  unserved: UnservedCaller & Pick<RefusedRequest, 'endpoint' | 'model'>,
  trace?: Pick<RequestTrace, 'refused'>,
): Promise<void> {
  const refusal = unserved.refusal === null ? await forward(gate, caller, unserved.movedTo) : unserved.refusal;
  const { principal, endpoint, model } = unserved;
  if (refusal !== null) rejectRequest(gate, caller, { principal, endpoint, model, refusal }, trace);
}

async function forward(gate: GatewayDeps, caller: Caller, shard: string): Promise<Refusal | null> {
  const passed = caller.forwardedBy?.split(',', FORWARDS_MAX + 1) ?? [];
  if (passed.includes(shard)) return unavailable(`This workspace is about to live in the cell ${shard}.`);
  if (passed.length >= FORWARDS_MAX) {
    return unavailable(`This workspace has moved on to the cell ${shard}, too far from the cell of its key.`);
  }
  const body = await bodyOf(caller);
  if (body !== null && isRefusal(body)) return body;
  if (caller.isGone) return null;
  const address = gate.addresses.find(caller.peerAddress, caller.forwardedFor);
  const failure = await gate.forwarder.forward({ caller, shard, address, body });
  return failure === null ? null : REFUSALS_OF[failure](shard);
}

/** Null: it has none, or the caller has left. */
async function bodyOf(caller: Caller): Promise<Buffer | Refusal | null> {
  if (caller.bodyBytes === 0) return null;
  const body = await caller.readBody();
  if (Buffer.isBuffer(body)) return body;
  return body === 'gone' ? null : bodyRefusal(body, caller.bodyBytesMax);
}

const REFUSALS_OF: Readonly<Record<ForwardFailure, (shard: string) => Refusal>> = {
  unknown: (shard) => unavailable(`This workspace lives in the cell ${shard}, whose address is not known here yet.`),
  full: (shard) =>
    unavailable(`Too many requests are being forwarded to the cell ${shard}, where this workspace lives.`),
  away: (shard) => unavailable(`This workspace lives in the cell ${shard}, which can't be reached now.`),
  broken: (shard) =>
    unavailable(`This workspace lives in the cell ${shard}, which has taken the request and not answered it.`),
};

function unavailable(why: string): Refusal {
  return refuse('MODEL_UNAVAILABLE', `${why} Try again in a moment.`, { retryAfterMs: RETRY_MS });
}
