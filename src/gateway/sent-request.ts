import type { CompletionRequest, NativeRequest } from '../dialects/dialect.ts';
import type { Model } from '../domain/model.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { andThen, type MaybeAsync } from '../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../lib/own-turn.ts';
import type { BodyFault } from '../openai/body-fault.ts';
import type { ChatRequest } from '../openai/chat-request.ts';
import type { SendNative, Upstream } from '../upstreams/upstream.ts';
import type { Gate } from './gate.ts';
import type { ParsedRequest } from './read.ts';

/** How an upstream is sent a request, and answers: in the caller's dialect if it speaks that, else in chat. */
export type SentRequest = ChatSent | NativeSent;

export interface ChatSent {
  readonly isChat: true;
  readonly chat: ChatRequest;
  /** What of the caller's request isn't sent, by the caller's names. */
  readonly leftOut: readonly string[];
}

interface NativeSent {
  readonly isChat: false;
  readonly native: NativeRequest;
  readonly send: SendNative;
  readonly leftOut: readonly string[];
}

/**
 * The request as this upstream is sent it; the fault of one that it has no words for. Answers by a schema are validated
 * in chat, so a request for one is always sent as chat.
 */
export function requestFor(upstream: Upstream, model: Model, request: CompletionRequest): SentRequest | BodyFault {
  const { native, leftOut, schemaSpan } = request;
  const send = schemaSpan === null ? upstream.natives?.[request.dialect.endpoint] : undefined;
  if (native !== null && send !== undefined) return { isChat: false, native, send, leftOut };
  const form = request.toChat({ extensions: upstream.chatExtensions ?? 'none', reasoning: model.reasoning });
  return form.ok ? { isChat: true, chat: form.chat, leftOut: form.leftOut } : form.fault;
}

/**
 * Refuses a request that none of its model's routes has words for, before anything is spent. Null if one has;
 * synchronously for a request that is never translated.
 */
export function refuseUnsayable(gate: Gate, model: Model, asked: ParsedRequest): MaybeAsync<Refusal | null> {
  if (asked.endpoint === 'embeddings' || asked.request.native === null) return null;
  const { request } = asked;
  return andThen(request.body.length > LARGE_BYTES ? ownTurn() : undefined, () => {
    let first: BodyFault | null = null;
    for (const route of model.routes) {
      const upstream = gate.upstreams.of(route);
      if (upstream === undefined) continue;
      const sent = requestFor(upstream, model, request);
      if (!('message' in sent)) return null;
      first ??= sent;
    }
    return first === null ? null : refuse('INVALID_REQUEST', first.message, { param: first.param });
  });
}
