import { LARGE_BYTES } from '../lib/own-turn.ts';
import { convertEmbeddings, convertEmbeddingsInPieces } from '../openai/embeddings-answer.ts';
import { attemptConforming } from './attempt-conforming.ts';
import type { AnswerForm } from './attempt.ts';
import { attemptRoutes } from './attempt-routes.ts';
import { chargeHeader } from './charge-header.ts';
import { readKept } from './keep-response.ts';
import { leftOutHeaders, replyHeaders } from './reply-headers.ts';
import type { AdmittedRequest } from './request.ts';
import { settle, settleFailed, usageOf } from './settle.ts';
import { assert } from '../lib/assert.ts';

/** Answers a plain call: reads the whole answer, charges it, then sends it. A caller that has left is charged too. */
export async function servePlain(request: AdmittedRequest): Promise<void> {
  const { gate, caller, admission, schema, startedMs } = request;
  const { asked } = admission;
  const { beginning, attempts } = await (schema !== null && asked.endpoint !== 'embeddings'
    ? attemptConforming(request, asked.request, schema)
    : attemptRoutes(request));
  if (beginning.kind === 'gone' || beginning.kind === 'refused') {
    settleFailed(request, attempts);
    if (beginning.kind === 'refused') caller.refuse(beginning.refusal);
    return;
  }
  assert(beginning.kind === 'answer', 'an upstream answers a plain call as a whole');
  const { facts, body: answer, form } = beginning;
  const whole = await bodyFor(request, answer, form);
  const kept = asked.keeping === null ? null : await readKept(request, whole);
  const body = kept?.answer ?? whole;
  request.claim?.keep(body);
  const charge = await settle(request, {
    outcome: caller.isGone ? 'abandoned' : 'completed',
    usage: usageOf(request, facts.usage, facts.contentBytes),
    attempts,
    firstEventMs: gate.clock.monotonicMs() - startedMs,
    isWhole: true,
    leftOut: form.leftOut,
    kept,
  });
  caller.answer(body, [...replyHeaders(request), ...leftOutHeaders(form.leftOut), ...chargeHeader(charge)]);
}

/** The answer as the caller is sent it. */
function bodyFor({ admission, caller }: AdmittedRequest, answer: Buffer, form: AnswerForm): Buffer | Promise<Buffer> {
  const { asked } = admission;
  if (asked.endpoint === 'embeddings') return convert(answer, asked.request.encodingFormat);
  return form.isChat ? asked.request.fromChat(answer, caller.requestId) : answer;
}

function convert(answer: Buffer, wanted: 'float' | 'base64'): Buffer | Promise<Buffer> {
  return answer.length > LARGE_BYTES ? convertEmbeddingsInPieces(answer, wanted) : convertEmbeddings(answer, wanted);
}
