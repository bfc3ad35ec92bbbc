import { isRefusal } from '../../../domain/refusals.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { callableModels } from '../choose-model.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { rejectRequest } from '../reject-request.ts';

/** Answers with the calling key: its limits and its project's, what is left of them, and the models it may call. */
export async function serveKey(gate: GatewayDeps, caller: Caller): Promise<void> {
  const at = { endpoint: 'key', model: null } as const;
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return rejectRequest(gate, caller, { ...at, ...principal });
  const key = await gate.keyReads.read(principal);
  if (isRefusal(key)) return rejectRequest(gate, caller, { ...at, principal, refusal: key });
  const models = callableModels(gate, principal).map(({ id }) => id);
  caller.answer(Buffer.from(JSON.stringify({ object: 'key', ...key, models })), []);
}
