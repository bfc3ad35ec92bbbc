import { END_USER_BYTES_MAX } from '../../../domain/end-user.ts';
import { isRefusal, type Refusal, refuse } from '../../../domain/refusals.ts';
import { authenticate } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import { callableModels } from '../choose-model.ts';
import { endUnserved } from '../forward.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { rejectRequest } from '../reject-request.ts';

/** The end user whose limit is asked about; null: no one's. */
function endUserIn(query: URLSearchParams | undefined): string | null | Refusal {
  const name = query?.get('user') ?? '';
  if (name === '') return null;
  if (Buffer.byteLength(name) <= END_USER_BYTES_MAX && !name.includes('\0')) return name;
  return refuse('INVALID_REQUEST', `user must have at most ${END_USER_BYTES_MAX} bytes of text.`, { param: 'user' });
}

/**
 * Answers with the calling key: its limits and its project's, what is left of them, and the models it may call; and how the limit of the
 * end user stands whom the query names.
 */
export async function serveKey(gate: GatewayDeps, caller: Caller, query?: URLSearchParams): Promise<void> {
  const at = { endpoint: 'key', model: null } as const;
  const principal = await authenticate(gate, caller);
  if ('refusal' in principal) return await endUnserved(gate, caller, { ...at, ...principal });
  const endUser = endUserIn(query);
  const key = isRefusal(endUser) ? endUser : await gate.keyReads.read(principal, endUser);
  if (isRefusal(key)) return rejectRequest(gate, caller, { ...at, principal, refusal: key });
  const models = callableModels(gate, principal).map(({ id }) => id);
  caller.answer(Buffer.from(JSON.stringify({ object: 'key', ...key, models })), []);
}
