import type { TextFacet } from '../dialects/dialect.ts';
import { assert } from '../../lib/assert.ts';
import { attemptConforming } from './by-schema/attempt-conforming.ts';
import { attemptRoutes } from './attempts/attempt-routes.ts';
import { estimateInput } from './input-estimate.ts';
import { Relay } from './answers/relay.ts';
import { reportUntried } from './reject-request.ts';
import { leftOutHeaders, replyHeaders } from './answers/reply-headers.ts';
import type { AdmittedRequest } from './request.ts';
import { settleFailed } from './settle.ts';
import { StreamReply } from './answers/stream-reply.ts';
import type { AttemptListener } from './attempts/route-attempts.ts';

/**
 * Answers a stream: a failure before the first data event has its own status; from then on the status is 200, and
 * everything is relayed.
 */
export async function serveStream(request: AdmittedRequest, text: TextFacet): Promise<void> {
  const { gate, caller, admission, schema } = request;
  const inputEstimate = estimateInput(admission.model.terms, text.size);
  const native = text.openStream(caller.requestId, inputEstimate);
  const reply = new StreamReply(gate, caller, replyHeaders(request), native);
  const onAttempt: AttemptListener = (sent) => reply.expect(leftOutHeaders(sent.leftOut));
  const { beginning, attempts } = await (schema === null
    ? attemptRoutes(request, onAttempt)
    : attemptConforming(request, admission.parsed.request, schema, onAttempt));
  if (beginning.kind === 'gone' || beginning.kind === 'refused') {
    settleFailed(request, attempts, beginning.kind === 'refused' ? beginning.refusal.code : undefined);
    if (beginning.kind === 'gone') return;
    reportUntried(request, attempts, beginning.refusal);
    reply.refuse(beginning.refusal);
    return;
  }
  assert(beginning.kind === 'stream', 'an upstream answers a stream with events');
  const { stream, form } = beginning;
  const answer = form.isChat ? native.fromChat() : native;
  reply.begin(answer);
  await new Relay(request, attempts, stream, reply, answer, { choices: text.choices, leftOut: form.leftOut }).run();
}
