import { readAnswer } from '../../openai/chat-answer.ts';
import type { AnswerResult } from '../answer-translator.ts';
import { toJson, type Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import type { UpstreamFault } from '../upstream.ts';
import { AnswerFrame, faultOfFinish, indexOf, partsOf, type AnswerContext } from './answer-frame.ts';
import { messageOf } from './chat-wire.ts';
import { finishReasonOf } from './finish-reason.ts';
import { logprobsOf } from './logprobs.ts';
import { usageOf } from './usage.ts';

/** A whole answer of `generateContent` as a chat completion. */
export function readPlainAnswer(view: JsonView, status: number, context: AnswerContext): AnswerResult {
  const candidates = view.get('candidates')?.elements() ?? [];
  if (candidates.length === 0) {
    return { ok: false, fault: { kind: 'malformed', status, message: 'the answer has no candidate' } };
  }
  const frame = new AnswerFrame(context, view);
  const choices: Writable[] = [];
  for (const [position, candidate] of candidates.entries()) {
    const reading = readCandidate(frame, candidate, position, status);
    if (!reading.ok) return reading;
    choices.push(reading.choice);
  }
  const usage = usageOf(view.get('usageMetadata'));
  const members = { ...frame.members, object: 'chat.completion', choices };
  const body = toJson(usage === null ? members : { ...members, usage: { ...usage } });
  return { ok: true, body, facts: readAnswer(body) };
}

function readCandidate(
  frame: AnswerFrame,
  candidate: JsonView,
  position: number,
  status: number,
): { readonly ok: true; readonly choice: Writable } | { readonly ok: false; readonly fault: UpstreamFault } {
  const choice = frame.createChoice();
  const reading = choice.add(partsOf(candidate));
  if (!reading.ok) return { ok: false, fault: { kind: 'malformed', status, message: reading.message } };
  const { delta } = reading;
  const rest = choice.close();
  if (rest !== null) delta.calls.push(rest);
  const reason = candidate.get('finishReason')?.text() ?? '';
  const finish = finishReasonOf(reason, choice.hasCalls);
  if (finish === null) return { ok: false, fault: faultOfFinish(status, reason) };
  const logprobs = logprobsOf(candidate.get('logprobsResult')) ?? null;
  const index = indexOf(candidate, position);
  return { ok: true, choice: { index, message: messageOf(delta), logprobs, finish_reason: finish } };
}
