import type { Quote } from '../../../domain/quote.ts';
import type { ParsedRequest } from '../read.ts';

/** The most output tokens that all choices of a request may be billed for together. */
export function outputMaxOf({ request: { text } }: ParsedRequest, { cap }: Pick<Quote, 'cap'>): number {
  return text === null ? 0 : text.choices * (cap + text.outputBeside);
}
