import type { CompletionRequest, TextFacet } from '../dialects/dialect.ts';
import type { QuotedContent } from '../../domain/quote.ts';

/** What a quote needs to know of a request's content. A file, as which any unknown part counts, may be audio. */
export function quotedContentOf(
  { size, outputBeside }: Pick<TextFacet, 'size' | 'outputBeside'>,
  audio: CompletionRequest['audio'],
): QuotedContent {
  return {
    isInputSilent: size.audios + size.files === 0,
    isOutputSilent: audio === null,
    outputBeside,
  };
}
