import type { KeptAnswer } from '../dialects/dialect.ts';
import { assert } from '../lib/assert.ts';
import { LARGE_BYTES, ownTurn } from '../lib/own-turn.ts';
import type { AdmittedRequest } from './request.ts';

/** What is kept of a whole answer, and the answer as its caller is sent it; null if it isn't kept. */
export async function readKept({ admission }: AdmittedRequest, answer: Buffer): Promise<KeptAnswer | null> {
  const { asked } = admission;
  if (asked.keeping === null || asked.endpoint === 'embeddings') return null;
  if (answer.length > LARGE_BYTES) await ownTurn();
  const kept = asked.request.keptAnswer?.(answer);
  assert(kept !== undefined, 'only a dialect that keeps answers lets one be kept');
  return kept;
}

/** Keeps a whole answer. Resolves to true once later requests find it, and to false if it is lost. Never rejects. */
export async function keepResponse({ gate, caller, admission }: AdmittedRequest, kept: KeptAnswer): Promise<boolean> {
  const { asked, principal } = admission;
  const { requestId } = caller;
  if (asked.keeping === null) return false;
  if (kept.entry === null) {
    gate.observer.responseLost(requestId, new Error('the answer has no id, or no output'));
    return false;
  }
  return await gate.responses.keep({
    workspaceId: principal.workspaceId,
    requestId,
    ...asked.keeping,
    entry: kept.entry,
  });
}
