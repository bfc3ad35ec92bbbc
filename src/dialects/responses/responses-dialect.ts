import { assert } from '../../lib/assert.ts';
import type { BodyResult } from '../../openai/body-fault.ts';
import { readChatRequest, type InputSize } from '../../openai/chat-request.ts';
import { type JsonMember, type ObjectEdit, spliceObject, splicedPieces } from '../../openai/json-edit.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type {
  AnswerStream,
  ChatForm,
  ChatTarget,
  CompletionRequest,
  Dialect,
  NativeEdit,
  NativeRequest,
  SchemaSpan,
} from '../dialect.ts';
import { responseOf, type ResponseContext } from './from-chat.ts';
import { settingsOf } from './response-object.ts';
import { RESPONSES_REPLY_FORM } from './responses-reply-form.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';
import { NativeResponseStream } from './responses-stream.ts';
import { type CarriedNotes, carryToChat } from './to-chat.ts';

// OpenAI's Responses.

const SCHEMA_PARAM = 'text.format.schema';

const NOTHING: readonly string[] = Object.freeze([]);

export const RESPONSES_DIALECT: Dialect = {
  endpoint: 'responses',
  replyForm: RESPONSES_REPLY_FORM,
  fieldNames: {
    messages: 'input',
    logprobs: 'top_logprobs',
    max_completion_tokens: 'max_output_tokens',
    reasoning_effort: 'reasoning.effort',
    response_format: 'text.format',
    verbosity: 'text.verbosity',
  },
  isTranslatedApart: true,
  read(body): BodyResult<CompletionRequest> {
    const result = readResponsesRequest(body);
    return result.ok ? { ok: true, request: new ResponsesCompletion(result.request) } : result;
  },
};

class ResponsesCompletion implements CompletionRequest {
  readonly dialect = RESPONSES_DIALECT;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly choices = 1;
  readonly maxTokens: number | null;
  readonly isCeiling = false;
  readonly size: InputSize;
  readonly schemaSpan: SchemaSpan | null;
  readonly leftOut: readonly string[];
  readonly native: NativeRequest;
  readonly #createdAt = seconds();
  readonly #forms = new Map<ChatTarget['extensions'], ChatForm>();
  #notes: CarriedNotes | null = null;

  constructor(request: ResponsesRequest) {
    const { body, model, stream, maxTokens, size, schema, hostedTools } = request;
    this.body = body;
    this.model = model;
    this.stream = stream;
    this.maxTokens = maxTokens;
    this.size = size;
    this.schemaSpan = schema === null ? null : { param: SCHEMA_PARAM, ...schema };
    this.leftOut = hostedTools?.types ?? NOTHING;
    this.native = { body: (edit) => nativeBody(request, edit), headers: {}, stream };
  }

  toChat({ extensions }: ChatTarget): ChatForm {
    let form = this.#forms.get(extensions);
    if (form === undefined) {
      form = chatForm(this.body, extensions);
      this.#forms.set(extensions, form);
      if (form.ok && form.notes !== undefined) this.takeNotes(form.notes);
    }
    return form;
  }

  /** They are the same for all targets. */
  takeNotes(notes: object): void {
    this.#notes = notes as CarriedNotes;
  }

  fromChat(completion: Buffer, requestId: string): Buffer {
    const response = responseOf(completion, this.#contextOf(requestId), seconds());
    assert(response !== null, 'an answer of chat that has been read has a choice');
    return response;
  }

  openStream(requestId: string): AnswerStream {
    return new NativeResponseStream(() => this.#contextOf(requestId), this.model);
  }

  #contextOf(requestId: string): ResponseContext {
    return {
      key: requestId.replaceAll(/[^0-9a-zA-Z]/g, ''),
      createdAt: this.#createdAt,
      // Only what is translated repeats them: a body that passes as it is isn't parsed for the event that breaks it off.
      settings: this.#notes?.settings ?? settingsOf({}),
      tools: this.#notes?.tools ?? new Map(),
    };
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function chatForm(body: Buffer, extensions: ChatTarget['extensions']): ChatForm {
  try {
    const { body: made, leftOut, notes } = carryToChat(body, extensions);
    const reading = readChatRequest(made);
    return reading.ok ? { ok: true, chat: reading.request, leftOut, notes } : reading;
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    return { ok: false, fault: { message: error.message, param: error.param } };
  }
}

/** The caller's body with the edits, without tools that aren't for sale, and so that the provider keeps nothing of it. */
function nativeBody(request: ResponsesRequest, { upstreamModel, cap }: NativeEdit): readonly Buffer[] {
  const { body, layout, model, hostedTools } = request;
  const memberOf = (key: string): JsonMember | undefined => layout.members.find((member) => member.key === key);
  const edits: ObjectEdit[] = [];
  const set = (key: string, value: Buffer | string): void => {
    const member = memberOf(key);
    if (member === undefined) edits.push({ kind: 'insert', key, value });
    else if (!body.subarray(member.valueStart, member.valueEnd).equals(Buffer.from(value))) {
      edits.push({ kind: 'replace', member, value });
    }
  };
  if (model !== upstreamModel) set('model', JSON.stringify(upstreamModel));
  if (cap !== null) set('max_output_tokens', String(cap));
  set('store', 'false');
  if (hostedTools !== null) {
    const member = memberOf('tools');
    if (hostedTools.rest !== null) set('tools', hostedTools.rest);
    else if (member !== undefined) edits.push({ kind: 'remove', member });
  }
  return splicedPieces(body, spliceObject(layout, edits));
}
