import type { Dialect } from '../../dialects/dialect.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import { LARGE_BYTES, ownTurn } from '../../../lib/own-turn.ts';
import type { Caller } from '../caller.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { noResponse } from '../recall.ts';
import { serveKept } from './serve-response.ts';
import { invalidBody } from '../invalid-body.ts';

const RETRY_MS = 1_000;

/** Answers with a page of the items that a response was made from, if it is kept for the calling key's workspace. */
export function serveInputItems(
  gate: GatewayDeps,
  caller: Caller,
  responseId: string,
  { query, list }: { readonly query: URLSearchParams; readonly list: NonNullable<Dialect['listInput']> },
): Promise<void> {
  return serveKept(gate, caller, async ({ workspaceId }): Promise<Buffer | Refusal> => {
    const inputs = await gate.responses.findInput(workspaceId, responseId, caller.bodyBytesMax);
    if (inputs === 'missing') return noResponse(responseId, null);
    if (inputs === 'too_large') {
      const message = `The conversation of response '${responseId}' is longer than ${caller.bodyBytesMax} bytes.`;
      return refuse('INVALID_REQUEST', message);
    }
    const bytes = inputs.reduce((sum, { pieces }) => sum + pieces.reduce((all, { length }) => all + length, 0), 0);
    if (!caller.reserve(bytes)) {
      const message = 'Too many large requests are being served. Try again in a moment.';
      return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_MS });
    }
    if (bytes > LARGE_BYTES) await ownTurn();
    const result = list(inputs, query);
    if (result.ok) return result.body;
    return invalidBody(result.fault);
  });
}
