import type { BodyFault, BodyResult } from '../../openai/body-fault.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { CompletionRequest, Dialect } from '../dialect.ts';
import { NATIVE_ALONE, nativeRequest } from '../native-request.ts';
import { RESULTS_USAGE } from '../usage-cost.ts';
import { RerankInput } from './rerank-input.ts';
import { readRerankRequest } from './rerank-request.ts';

// Orders documents by how well they answer a query. Cohere, Jina and vLLM share this API; requests are sent to them unchanged.

const NOT_SPOKEN: BodyFault = { message: 'The providers of this model do not rerank.', param: 'model' };

export const RERANK_DIALECT: Dialect = {
  endpoint: 'rerank',
  path: '/v1/rerank',
  name: 'rerank',
  modelKind: 'rerank',
  replyForm: CHAT_REPLY_FORM,
  usageForm: RESULTS_USAGE,
  ...NATIVE_ALONE,
  nativeOnly: NOT_SPOKEN,
  read(body): BodyResult<CompletionRequest> {
    const result = readRerankRequest(body);
    if (!result.ok) return result;
    const { querySize, documentSizes } = result.request;
    const input = new RerankInput(querySize, documentSizes);
    return { ok: true, request: nativeRequest(RERANK_DIALECT, result.request, input, null) };
  },
};
