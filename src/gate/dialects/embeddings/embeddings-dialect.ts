import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import type { MaybeAsync } from '../../../lib/maybe-async.ts';
import type { BodyFault, BodyResult } from '../../openai/body-fault.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { CompletionRequest, Dialect } from '../dialect.ts';
import { NATIVE_ALONE, nativeRequest } from '../native-request.ts';
import { SeparateInputs } from '../request-input.ts';
import { EMBEDDINGS_USAGE } from '../usage-cost.ts';
import { convertEmbeddings, convertEmbeddingsInPieces } from './embeddings-answer.ts';
import { type EmbeddingsRequest, readEmbeddingsRequest } from './embeddings-request.ts';

// OpenAI's embeddings, sent unchanged to providers that have them.

const NOT_SPOKEN: BodyFault = { message: 'The providers of this model have no embeddings.', param: 'model' };

export const EMBEDDINGS_DIALECT: Dialect = {
  endpoint: 'embeddings',
  path: '/v1/embeddings',
  name: 'embeddings',
  modelKind: 'embedding',
  replyForm: CHAT_REPLY_FORM,
  usageForm: EMBEDDINGS_USAGE,
  ...NATIVE_ALONE,
  nativeOnly: NOT_SPOKEN,
  read(body): BodyResult<CompletionRequest> {
    const result = readEmbeddingsRequest(body);
    if (!result.ok) return result;
    const { inputSizes, encodingFormat } = result.request;
    const input = new SeparateInputs(inputSizes);
    const request = nativeRequest(EMBEDDINGS_DIALECT, result.request, input, (answer) =>
      convert(answer, encodingFormat),
    );
    return { ok: true, request };
  },
};

/** Not every provider gives both encodings. */
function convert(answer: Buffer, wanted: EmbeddingsRequest['encodingFormat']): MaybeAsync<Buffer> {
  return answer.length > LARGE_BYTES ? convertEmbeddingsInPieces(answer, wanted) : convertEmbeddings(answer, wanted);
}
