import type { ChatRequest } from '../openai/chat-request.ts';
import { assert } from '../lib/assert.ts';
import { attemptConforming } from './attempt-conforming.ts';
import { attemptRoutes } from './attempt-routes.ts';
import { Relay } from './relay.ts';
import { replyHeaders } from './reply-headers.ts';
import type { AdmittedRequest } from './request.ts';
import { settleFailed } from './settle.ts';
import { StreamReply } from './stream-reply.ts';

/**
 * Answers a stream: a failure before the first data event has its own status; from then on the status is 200, and
 * everything is relayed.
 */
export async function serveStream(request: AdmittedRequest, chat: ChatRequest): Promise<void> {
  const { gate, caller, schema } = request;
  const reply = new StreamReply(gate, caller, replyHeaders(request));
  const { beginning, attempts } = await (schema === null
    ? attemptRoutes(request)
    : attemptConforming(request, chat, schema));
  if (beginning.kind === 'gone' || beginning.kind === 'refused') {
    settleFailed(request, attempts);
    if (beginning.kind === 'refused') reply.refuse(beginning.refusal);
    return;
  }
  assert(beginning.kind === 'stream', 'an upstream answers a stream with events');
  await new Relay(request, attempts, beginning.stream, reply, chat).run();
}
