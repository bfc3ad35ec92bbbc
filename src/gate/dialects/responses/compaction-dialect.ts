import { NO_USES } from '../../../domain/uses.ts';
import { assert } from '../../../lib/assert.ts';
import { type BodyFault, type BodyResult, fieldFault } from '../../openai/body-fault.ts';
import type { AnswerStream, CompletionRequest, Dialect, FoundReferences, KeptAnswer } from '../dialect.ts';
import { NATIVE_ALONE } from '../native-request.ts';
import { PromptInput } from '../request-input.ts';
import { RESPONSES_USAGE } from '../usage-cost.ts';
import { expandedBody, ownItems, referencesOf } from './expanded-request.ts';
import { leftOutReasoning } from './foreign-reasoning.ts';
import { faultOfSale, hasHostedTools, saleOf } from './hosted-tools.ts';
import { compactionBody } from './native-body.ts';
import { RESPONSES_REPLY_FORM } from './responses-reply-form.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';

// Compaction of a conversation in the form of Responses: its provider gives back the messages of the user and one item in
// which it has encrypted the rest. Only that provider can read it, so there is no chat request that does the same.

const NOT_SPOKEN: BodyFault = {
  message:
    "The providers of this model don't compact conversations; have a model write a summary by POST /v1/responses.",
  param: 'model',
};

const NOTHING: readonly never[] = Object.freeze([]);

export const COMPACTION_DIALECT: Dialect = {
  endpoint: 'compact',
  path: '/v1/responses/compact',
  name: 'responses',
  modelKind: 'chat',
  replyForm: RESPONSES_REPLY_FORM,
  usageForm: RESPONSES_USAGE,
  ...NATIVE_ALONE,
  nativeOnly: NOT_SPOKEN,
  read: (body) => readCompaction(body),
};

function readCompaction(body: Buffer, before?: ResponsesRequest): BodyResult<CompletionRequest> {
  const result = readResponsesRequest(body, { mayOmitInput: true, ...(before && { before }) });
  if (!result.ok) return result;
  const fault = findFault(result.request);
  return fault === null ? { ok: true, request: compaction(result.request) } : { ok: false, fault };
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

function compaction(request: ResponsesRequest): CompletionRequest {
  const { body, model, size, layout } = request;
  // No tools are sold with a compaction: they are only read.
  const sale = saleOf(request, {});
  return {
    dialect: COMPACTION_DIALECT,
    body,
    model,
    input: new PromptInput(size),
    unknown: request.unknown,
    leftOut: [...sale.leftOut, ...leftOutReasoning(request)],
    text: {
      stream: false,
      choices: 1,
      maxTokens: null,
      isCeiling: false,
      isUncapped: true,
      outputBeside: 0,
      size,
      layout,
      schemaSpan: null,
      openStream(): AnswerStream {
        assert(false, 'a compaction is never streamed');
      },
    },
    chat: null,
    tools: hasHostedTools(request)
      ? { bound: null, usesOfAnswer: null, sell: () => withoutTools(request), usesIn: () => NO_USES }
      : null,
    kept: {
      mayBeKept: false,
      references: referencesOf(request),
      resolve: (found) => resolve(request, found),
      answerOf(): KeptAnswer {
        assert(false, 'a compaction is never kept');
      },
    },
    native: {
      stream: false,
      headers: {},
      unknownBetas: NOTHING,
      body: (edit) => compactionBody(request, edit, sale),
      countBody: (upstreamModel) => compactionBody(request, { upstreamModel }, sale),
      editAnswer: null,
    },
    audio: null,
    tier: request.tier,
    models: null,
  };
}

function withoutTools(request: ResponsesRequest): BodyResult<CompletionRequest> {
  const fault = faultOfSale(request, {});
  return fault === null ? { ok: true, request: compaction(request) } : { ok: false, fault };
}

/** The request with its references replaced. */
function resolve(request: ResponsesRequest, found: FoundReferences | null): BodyResult<CompletionRequest> {
  if (found === null) return { ok: true, request: compaction(request) };
  return readCompaction(expandedBody(request, found.chain, ownItems(request, found.items)), request);
}
