import type { Quote } from '../../../domain/quote.ts';
import type { ParsedRequest } from '../read.ts';

/** The most output tokens that all choices of a request may be billed for together. */
export function outputMaxOf(asked: ParsedRequest, { cap }: Pick<Quote, 'cap'>): number {
  if (asked.endpoint === 'embeddings') return 0;
  const { choices, outputBeside = 0 } = asked.request;
  return choices * (cap + outputBeside);
}
