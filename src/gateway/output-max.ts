import type { CompletionRequest } from '../dialects/dialect.ts';
import type { Quote, QuotedOutput } from '../domain/quote.ts';
import type { ParsedRequest } from './read.ts';

/** What is known of a request's output before it runs, beside its cap. */
export function quotedOutputOf({ outputBeside, audioFormat }: CompletionRequest): QuotedOutput {
  return { outputBeside, isTextAlone: (audioFormat ?? null) === null };
}

/** The most output tokens that all choices of a request may be billed for together. */
export function outputMaxOf(asked: ParsedRequest, { cap }: Pick<Quote, 'cap'>): number {
  if (asked.endpoint === 'embeddings') return 0;
  const { choices, outputBeside = 0 } = asked.request;
  return choices * (cap + outputBeside);
}
