import type { AnswerStream, TextFacet } from '../dialects/dialect.ts';
import { assert } from '../../lib/assert.ts';
import { attemptModels } from './attempt-models.ts';
import { estimateInput } from './input-estimate.ts';
import { Relay } from './answers/relay.ts';
import { reportUntried } from './reject-request.ts';
import { replyHeaders } from './answers/reply-headers.ts';
import type { AdmittedRequest } from './request.ts';
import { settleFailed } from './settle.ts';
import { textOf } from './text-of.ts';
import { StreamReply } from './answers/stream-reply.ts';

/**
 * Answers a stream: a failure before the first data event has its own status; from then on the status is 200, and
 * everything is relayed.
 */
export async function serveStream(received: AdmittedRequest, text: TextFacet): Promise<void> {
  const { gate, caller } = received;
  const opened = openStream(received, text);
  const reply = new StreamReply(gate, caller, replyHeaders(received), opened);
  const result = await attemptModels(received, (headers) => reply.expect(headers));
  const { beginning, attempts, affinity, request = received } = result;
  if (beginning.kind === 'gone' || beginning.kind === 'refused') {
    settleFailed(request, attempts, beginning.kind === 'refused' ? beginning.refusal.code : undefined);
    if (beginning.kind === 'gone') return;
    reportUntried(request, attempts, beginning.refusal);
    reply.refuse(beginning.refusal);
    return;
  }
  assert(beginning.kind === 'stream', 'an upstream answers a stream with events');
  const { stream, form } = beginning;
  const native = request === received ? opened : openStream(request, textOf(request.admission.parsed.request));
  const answer = form.isChat ? native.fromChat() : native;
  reply.begin(answer);
  const { leftOut } = form;
  await new Relay(request, attempts, stream, reply, answer, { choices: text.choices, leftOut, affinity }).run();
}

function openStream({ admission, caller }: AdmittedRequest, text: TextFacet): AnswerStream {
  return text.openStream(caller.requestId, estimateInput(admission.model.terms, text.size));
}
