import type { CompletionRequest } from '../dialects/dialect.ts';
import type { QuotedContent } from '../../domain/quote.ts';

/** What is known of a request's content before it runs. A file, as which any unknown part counts, may be audio. */
export function quotedContentOf({ size, outputBeside, audioFormat }: CompletionRequest): QuotedContent {
  return {
    isInputSilent: size.audios + size.files === 0,
    isOutputSilent: (audioFormat ?? null) === null,
    outputBeside,
  };
}
