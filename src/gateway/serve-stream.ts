import type { ChatRequest } from '../openai/chat-request.ts';
import { assert } from '../lib/assert.ts';
import { attemptRoutes } from './attempt-routes.ts';
import { faultRefusal } from './fault-refusal.ts';
import { Relay } from './relay.ts';
import { replyHeaders } from './reply-headers.ts';
import type { AdmittedRequest } from './request.ts';
import { settleFailed } from './settle.ts';
import { StreamReply } from './stream-reply.ts';

/** Answers a stream: the first data event decides between a status of its own and the 200, then everything is relayed. */
export async function serveStream(request: AdmittedRequest, chat: ChatRequest): Promise<void> {
  const { gate, caller, admission } = request;
  const reply = new StreamReply(gate, caller, replyHeaders(request));
  const { beginning, attempts } = await attemptRoutes(gate, admission, caller, { readsOn: request.claim !== null });
  if (beginning.kind === 'gone') {
    settleFailed(request, attempts);
    return;
  }
  if (beginning.kind === 'fault') {
    settleFailed(request, attempts);
    reply.refuse(faultRefusal(admission.model.id, beginning.fault));
    return;
  }
  assert(beginning.kind === 'stream', 'an upstream answers a stream with events');
  await new Relay(request, attempts, beginning.stream, reply, chat).run();
}
