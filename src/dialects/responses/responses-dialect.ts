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
import { carryToChat, type CarriedRequest } from './to-chat.ts';

// OpenAI's Responses.

const SCHEMA_PARAM = 'text.format.schema';

const NOTHING: readonly string[] = Object.freeze([]);

export const RESPONSES_DIALECT: Dialect = {
  endpoint: 'responses',
  replyForm: RESPONSES_REPLY_FORM,
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
  readonly #forms = new Map<
    ChatTarget['extensions'],
    { readonly form: ChatForm; readonly carried: CarriedRequest | null }
  >();
  #carried: CarriedRequest | null = null;

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
    let made = this.#forms.get(extensions);
    if (made === undefined) {
      made = carried(this.body, extensions);
      this.#forms.set(extensions, made);
    }
    this.#carried = made.carried ?? this.#carried;
    return made.form;
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
      settings: this.#carried?.settings ?? settingsOf({}),
      tools: this.#carried?.tools ?? new Map(),
    };
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function carried(
  body: Buffer,
  extensions: ChatTarget['extensions'],
): { readonly form: ChatForm; readonly carried: CarriedRequest | null } {
  try {
    const made = carryToChat(body, extensions);
    const chat = readChatRequest(made.body);
    if (!chat.ok) return { form: { ok: false, fault: chat.fault }, carried: null };
    return { form: { ok: true, chat: chat.request, leftOut: made.leftOut }, carried: made };
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    return { form: { ok: false, fault: { message: error.message, param: error.param } }, carried: null };
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
