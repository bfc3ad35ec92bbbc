import type { Dialect, NativeFacet } from '../dialects/dialect.ts';
import { costWriter, type Settled } from '../dialects/usage-cost.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import type { Admission } from './admit.ts';
import { hasTiers, tierIn } from './answers/answered-tier.ts';
import { usesInAnswer } from './answers/answer-uses.ts';
import type { AnswerForm } from './attempts/attempt.ts';
import { attemptHeaders, attemptModels } from './attempt-models.ts';
import { chargeHeader } from './answers/charge-header.ts';
import { type KeepingAnswer, keepResponse } from './keep-response.ts';
import { reportUntried } from './reject-request.ts';
import { replyHeaders } from './answers/reply-headers.ts';
import { reportsCost } from './answers/reports-cost.ts';
import type { AdmittedRequest } from './request.ts';
import { settle, settleFailed, usageOf } from './settle.ts';
import { translateApart } from '../upstreams/translate-apart.ts';
import { APART_BYTES } from '../upstreams/translated-attempt.ts';
import { assert } from '../../lib/assert.ts';

/** Answers a plain call: reads the whole answer, charges it, then sends it. A caller that has left is charged too. */
export async function servePlain(received: AdmittedRequest): Promise<void> {
  const { beginning, attempts, affinity, request = received } = await attemptModels(received);
  const { gate, caller, admission, startedMs } = request;
  const { parsed } = admission;
  if (beginning.kind === 'gone' || beginning.kind === 'refused') {
    settleFailed(request, attempts, beginning.kind === 'refused' ? beginning.refusal.code : undefined);
    if (beginning.kind === 'gone') return;
    reportUntried(request, attempts, beginning.refusal);
    caller.refuse(beginning.refusal);
    return;
  }
  assert(beginning.kind === 'answer', 'an upstream answers a plain call as a whole');
  const { facts, body: answer, form } = beginning;
  request.trace.finished(answer);
  const counting = usesInAnswer(parsed.request, answer, form);
  const uses = counting instanceof Promise ? await counting : counting;
  const making = bodyFor(request, answer, form);
  const whole = making instanceof Promise ? await making : making;
  request.content?.answered(whole);
  const keeping = parsed.keeping === null ? null : await keepResponse(request, parsed.keeping, whole);
  // Storing runs concurrently with the settlement, unless the receipt takes the answer for repeats.
  const lastBytes = request.claim === null ? null : await bytesBySettlement(admission, sentBody(whole, keeping));
  const settled = await settle(request, {
    outcome: caller.isGone ? 'abandoned' : 'completed',
    usage: usageOf(request, facts.usage, facts),
    uses,
    requests: facts.requests,
    tier: hasTiers(admission) ? tierIn(answer) : undefined,
    attempts,
    firstEventMs: gate.clock.monotonicMs() - startedMs,
    isWhole: true,
    leftOut: form.leftOut,
    affinity,
    keeping: keeping === null ? null : keeping.isKept,
    lastBytes: lastBytes ?? undefined,
  });
  const written = lastBytes ?? bytesBySettlement(admission, sentBody(whole, keeping));
  const write = typeof written === 'function' ? written : await written;
  const headers = replyHeaders(request);
  headers.push(...attemptHeaders(request, form.leftOut), ...chargeHeader(settled.charge));
  caller.answer(write(settled), headers);
}

/** The answer as a function of its settlement, which may add the charge; the same bytes each time. */
function bytesBySettlement(admission: Admission, body: MaybeAsync<Buffer>): MaybeAsync<(settled: Settled) => Buffer> {
  if (!reportsCost(admission)) return andThen(body, (answer) => () => answer);
  const { parsed } = admission;
  const { usageForm } = parsed.request.dialect;
  return andThen(body, (answer) =>
    andThen(answer.length > LARGE_BYTES ? ownTurn() : undefined, () => {
      const write = costWriter(answer, usageForm);
      let written: Buffer | null = null;
      return (settled: Settled) => (written ??= write(settled));
    }),
  );
}

/** The answer; it says whether it is kept. */
function sentBody(whole: Buffer, keeping: KeepingAnswer | null): MaybeAsync<Buffer> {
  if (keeping === null) return whole;
  const { kept } = keeping;
  return keeping.isKept.then((isKept) => (isKept ? kept.answer : kept.unkept()));
}

/** The answer in the caller's dialect. */
function bodyFor({ admission, caller }: AdmittedRequest, answer: Buffer, form: AnswerForm): MaybeAsync<Buffer> {
  const { parsed } = admission;
  const { dialect, chat, native } = parsed.request;
  if (!form.isChat) return parsed.keeping === null ? edited(native, answer) : answer;
  assert(chat !== null, 'a request that was sent in chat has a chat form');
  return answer.length > APART_BYTES && chat.notes !== null
    ? fromChatApart(dialect, answer, chat.notes.ofAnswer(caller.requestId))
    : chat.fromChat(answer, caller.requestId);
}

/** A provider's answer in the caller's dialect, edited for the caller. */
function edited(native: NativeFacet | null, answer: Buffer): MaybeAsync<Buffer> {
  const edit = native?.editAnswer ?? null;
  if (edit === null) return answer;
  return andThen(answer.length > LARGE_BYTES ? ownTurn() : undefined, () => edit(answer));
}

/** Translates a large answer in a thread. */
async function fromChatApart({ endpoint }: Dialect, answer: Buffer, notes: string): Promise<Buffer> {
  const translated = await translateApart({ to: 'caller', endpoint, body: answer, notes }, () => true);
  assert(translated?.ok === true, 'an answer of chat is one in any dialect');
  return translated.made;
}
