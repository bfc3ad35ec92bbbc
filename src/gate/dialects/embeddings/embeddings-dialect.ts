import { LARGE_BYTES } from '../../../lib/own-turn.ts';
import type { MaybeAsync } from '../../../lib/maybe-async.ts';
import type { BodyFault, BodyResult } from '../../openai/body-fault.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { CompletionRequest, Dialect } from '../dialect.ts';
import { SeparateInputs } from '../request-input.ts';
import { EMBEDDINGS_USAGE } from '../usage-cost.ts';
import { convertEmbeddings, convertEmbeddingsInPieces } from './embeddings-answer.ts';
import { editEmbeddingsBody, type EmbeddingsRequest, readEmbeddingsRequest } from './embeddings-request.ts';

// OpenAI's embeddings, sent unchanged to providers that have them.

const NOT_SPOKEN: BodyFault = { message: 'The providers of this model have no embeddings.', param: 'model' };

const NOTHING: readonly never[] = Object.freeze([]);

export const EMBEDDINGS_DIALECT: Dialect = {
  endpoint: 'embeddings',
  path: '/v1/embeddings',
  name: 'embeddings',
  modelKind: 'embedding',
  replyForm: CHAT_REPLY_FORM,
  usageForm: EMBEDDINGS_USAGE,
  fieldNames: {},
  nativeOnly: NOT_SPOKEN,
  counting: null,
  listInput: null,
  answerFromChat: null,
  choiceReading: null,
  read(body): BodyResult<CompletionRequest> {
    const result = readEmbeddingsRequest(body);
    return result.ok ? { ok: true, request: embeddingsCompletion(result.request) } : result;
  },
};

function embeddingsCompletion(request: EmbeddingsRequest): CompletionRequest {
  const { body, model, inputSizes, unknown, encodingFormat } = request;
  return {
    dialect: EMBEDDINGS_DIALECT,
    body,
    model,
    input: new SeparateInputs(inputSizes),
    unknown,
    leftOut: NOTHING,
    text: null,
    chat: null,
    tools: null,
    kept: null,
    native: {
      stream: false,
      headers: {},
      unknownBetas: NOTHING,
      body: (edit) => editEmbeddingsBody(request, edit),
      countBody: (upstreamModel) => editEmbeddingsBody(request, { upstreamModel }),
      editAnswer: (answer) => convert(answer, encodingFormat),
    },
    audio: null,
  };
}

/** Not every provider gives both encodings. */
function convert(answer: Buffer, wanted: EmbeddingsRequest['encodingFormat']): MaybeAsync<Buffer> {
  return answer.length > LARGE_BYTES ? convertEmbeddingsInPieces(answer, wanted) : convertEmbeddings(answer, wanted);
}
