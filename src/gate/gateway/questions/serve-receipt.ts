import type { Principal } from '../../../domain/principal.ts';
import { isRefusal, type Refusal, refuse } from '../../../domain/refusals.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { rejectRequest } from '../reject-request.ts';

const RETRY_MS = 1_000;

/** Answers with the receipt of a request of the calling key. The receipts of other keys are not found. */
export async function serveReceipt(gate: GatewayDeps, caller: Caller, requestId: string): Promise<void> {
  const principal = await authenticate(gate, caller);
  const at = { endpoint: 'receipts', model: null } as const;
  if ('refusal' in principal) return await endUnserved(gate, caller, { ...at, ...principal });
  const receipt = await findOwn(gate, principal, requestId);
  if (isRefusal(receipt)) return rejectRequest(gate, caller, { ...at, principal, refusal: receipt });
  caller.answer(Buffer.from(JSON.stringify({ object: 'receipt', ...receipt })), []);
}

async function findOwn({ receipts }: GatewayDeps, principal: Principal, requestId: string): Promise<object | Refusal> {
  try {
    const receipt = await receipts.find(principal, requestId);
    if (receipt !== null && receipt.keyId === principal.keyId) return receipt.json;
  } catch (fault) {
    if (!(fault instanceof DatabaseUnavailable)) throw fault;
    return refuse('SERVICE_UNAVAILABLE', 'Receipts could not be read. Try again in a moment.', {
      retryAfterMs: RETRY_MS,
    });
  }
  return refuse(
    'NOT_FOUND',
    'This key has no receipt with this request id. Only requests that reached a provider have one.',
  );
}
