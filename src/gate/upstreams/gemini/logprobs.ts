import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';

/** OpenAI's `logprobs` of a choice for Gemini's `logprobsResult`; undefined if there is none. */
export function logprobsOf(result: JsonView | undefined): Writable | undefined {
  const chosen = result?.get('chosenCandidates')?.elements();
  if (chosen === undefined) return undefined;
  const tops = result?.get('topCandidates')?.elements() ?? [];
  const content = chosen.map((candidate, step) => ({
    ...tokenOf(candidate),
    top_logprobs: (tops[step]?.get('candidates')?.elements() ?? []).map(tokenOf),
  }));
  return { content, refusal: null };
}

function tokenOf(candidate: JsonView): Record<string, Writable> {
  const token = candidate.get('token')?.text() ?? '';
  return { token, logprob: candidate.get('logProbability') ?? 0, bytes: [...Buffer.from(token)] };
}
