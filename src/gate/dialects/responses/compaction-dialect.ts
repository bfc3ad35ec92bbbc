import { assert } from '../../../lib/assert.ts';
import { type BodyFault, type BodyResult, fieldFault } from '../../openai/body-fault.ts';
import type { InputSize } from '../../openai/chat-request.ts';
import type { UnknownField } from '../../openai/unknown-fields.ts';
import type {
  AnswerStream,
  ChatForm,
  CompletionRequest,
  Dialect,
  FoundReferences,
  NativeRequest,
  RequestState,
} from '../dialect.ts';
import { RESPONSES_USAGE } from '../usage-cost.ts';
import { expandedBody, ownItems, referencesOf } from './expanded-request.ts';
import { leftOutReasoning } from './foreign-reasoning.ts';
import { faultOfSale, hasHostedTools, saleOf } from './hosted-tools.ts';
import { compactionBody } from './native-body.ts';
import { RESPONSES_REPLY_FORM } from './responses-reply-form.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';

// Compaction of a conversation in the form of Responses: its provider gives back the messages of the user and one item in
// which it has encrypted the rest. Only that provider can read it, so there is no chat request that does the same.

const NO_CHAT: ChatForm = {
  ok: false,
  fault: {
    message:
      "The providers of this model don't compact conversations; have a model write a summary by POST /v1/responses.",
    param: 'model',
  },
};

export const COMPACTION_DIALECT: Dialect = {
  endpoint: 'compact',
  replyForm: RESPONSES_REPLY_FORM,
  usageForm: RESPONSES_USAGE,
  isNativeOnly: true,
  read: (body) => readCompaction(body),
};

function readCompaction(body: Buffer, before?: ResponsesRequest): BodyResult<CompletionRequest> {
  const result = readResponsesRequest(body, { mayOmitInput: true, ...(before && { before }) });
  if (!result.ok) return result;
  const fault = findFault(result.request);
  return fault === null ? { ok: true, request: new Compaction(result.request) } : { ok: false, fault };
}

/** The fault of a field that such a request doesn't have, and that promises what can't be given. */
function findFault({ body, stream, maxTokens, layout }: ResponsesRequest): BodyFault | null {
  if (stream) return fieldFault('stream', "'stream' can't be true here: a compaction is answered as a whole.");
  if (maxTokens !== null) {
    const message = "'max_output_tokens' can't be set here: no provider bounds a compaction by it. Leave it out.";
    return fieldFault('max_output_tokens', message);
  }
  const store = layout.members.find(({ key }) => key === 'store');
  if (store !== undefined && body.toString('latin1', store.valueStart, store.valueEnd) === 'true') {
    return fieldFault('store', "'store' can't be true here: compactions are not kept. Send their output as input.");
  }
  return null;
}

class Compaction implements CompletionRequest {
  readonly dialect = COMPACTION_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream = false;
  readonly choices = 1;
  readonly maxTokens = null;
  readonly isCeiling = false;
  readonly isUncapped = true;
  readonly size: InputSize;
  readonly unknown: readonly UnknownField[];
  readonly schemaSpan = null;
  readonly leftOut: readonly string[];
  readonly usesBound = null;
  readonly native: NativeRequest;
  readonly state: RequestState;
  readonly #request: ResponsesRequest;

  constructor(request: ResponsesRequest) {
    const { body, model, size } = request;
    // Nothing is sold with a compaction: the tools are there to be read.
    const sale = saleOf(request, {});
    this.body = body;
    this.model = model;
    this.size = size;
    this.unknown = request.unknown;
    this.leftOut = [...sale.leftOut, ...leftOutReasoning(request)];
    this.native = {
      stream: false,
      headers: {},
      body: (edit) => compactionBody(request, edit, sale),
      countBody: (upstreamModel) => compactionBody(request, { upstreamModel }, sale),
    };
    this.state = {
      mayBeKept: false,
      references: referencesOf(request),
      resolve: (found) => resolve(request, found),
    };
    this.#request = request;
  }

  get hasHostedTools(): boolean {
    return hasHostedTools(this.#request);
  }

  withTools(): BodyResult<CompletionRequest> {
    const fault = faultOfSale(this.#request, {});
    return fault === null ? { ok: true, request: this } : { ok: false, fault };
  }

  toChat(): ChatForm {
    return NO_CHAT;
  }

  fromChat(): Buffer {
    assert(false, 'a compaction is never translated');
  }

  openStream(): AnswerStream {
    assert(false, 'a compaction is never streamed');
  }
}

/** The request with what it refers to in its place. */
function resolve(request: ResponsesRequest, found: FoundReferences | null): BodyResult<CompletionRequest> {
  if (found === null) return { ok: true, request: new Compaction(request) };
  return readCompaction(expandedBody(request, found.chain, ownItems(request, found.items)), request);
}
