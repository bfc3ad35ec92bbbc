import type { Principal } from '../../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../../domain/refusals.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { noResponse, unreadable } from '../recall.ts';
import { rejectRequest } from '../reject-request.ts';

/** Answers with a response that is kept for the calling key's workspace, as it was sent. */
export function serveResponse(gate: GatewayDeps, caller: Caller, responseId: string): Promise<void> {
  return serveKept(gate, caller, async ({ workspaceId }) => {
    const pieces = await gate.responses.read(workspaceId, responseId);
    if (pieces === null) return noResponse(responseId, null);
    if (pieces.reduce((sum, { length }) => sum + length, 0) > LARGE_BYTES) await ownTurn();
    return Buffer.concat(pieces);
  });
}

/** Deletes such a response. Responses that continue it can no longer be continued. */
export function deleteResponse(gate: GatewayDeps, caller: Caller, responseId: string): Promise<void> {
  return serveKept(gate, caller, async ({ workspaceId }) => {
    if (!(await gate.responses.delete(workspaceId, responseId))) return noResponse(responseId, null);
    return Buffer.from(JSON.stringify({ id: responseId, object: 'response', deleted: true }));
  });
}

/** Serves a request about kept responses, which is free but rate-limited per key. */
export async function serveKept(
  gate: GatewayDeps,
  caller: Caller,
  work: (principal: Principal) => Promise<Buffer | Refusal>,
): Promise<void> {
  const at = { endpoint: 'responses', model: null } as const;
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return await endUnserved(gate, caller, { ...at, ...principal });
  const answer = await withinRate(gate, principal, work);
  if (isRefusal(answer)) return rejectRequest(gate, caller, { ...at, principal, refusal: answer });
  caller.answer(answer, []);
}

async function withinRate(
  { responseRate }: GatewayDeps,
  principal: Principal,
  work: (principal: Principal) => Promise<Buffer | Refusal>,
): Promise<Buffer | Refusal> {
  const waitMs = responseRate.take(principal.keyId);
  if (waitMs > 0) {
    const message = `A key may read or delete ${responseRate.perMinute} responses per minute. Retry in ${waitMs} ms.`;
    return refuse('RATE_LIMITED', message, { retryAfterMs: waitMs });
  }
  try {
    return await work(principal);
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable) return unreadable();
    throw fault;
  }
}
