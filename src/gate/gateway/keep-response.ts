import type { KeptAnswer } from '../dialects/dialect.ts';
import { assert } from '../../lib/assert.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import type { Keeping } from './read.ts';
import type { AdmittedRequest } from './request.ts';

/** A whole answer that is being kept. */
export interface KeepingAnswer {
  readonly kept: KeptAnswer;
  /** Resolves to true once later requests find it, and to false if it is lost. Never rejects. */
  readonly isKept: Promise<boolean>;
}

/** Starts storing a whole answer. `keeping`: the requests that it continues. */
export async function keepResponse(request: AdmittedRequest, keeping: Keeping, answer: Buffer): Promise<KeepingAnswer> {
  const { parsed } = request.admission;
  if (answer.length > LARGE_BYTES) await ownTurn();
  const facet = parsed.request.kept;
  assert(facet !== null, 'only a request whose answer may be kept has it kept');
  const kept = facet.answerOf(answer);
  return { kept, isKept: store(request, keeping, kept) };
}

async function store(
  { gate, caller: { requestId }, admission: { principal } }: AdmittedRequest,
  keeping: Keeping,
  { entry }: KeptAnswer,
): Promise<boolean> {
  if (entry === null) {
    gate.observer.responseLost(requestId, new Error('the answer has no id, or no output'));
    return false;
  }
  return await gate.responses.keep({ workspaceId: principal.workspaceId, requestId, ...keeping, entry });
}
