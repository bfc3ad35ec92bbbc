import { type ChatEdit, editChatBody } from '../../openai/chat-request-edit.ts';
import { runExchange } from '../answer-reader.ts';
import { failedAttempt } from '../failed-attempt.ts';
import type { HttpClient } from '../http/http-client.ts';
import { countTokens } from '../count-tokens.ts';
import type {
  AnswerSink,
  CallBasics,
  CountNative,
  RunningAttempt,
  SendNative,
  Upstream,
  UpstreamFault,
} from '../upstream.ts';
import { EmbeddingsAnswer, OpenAiAnswer, ModerationsAnswer, RerankAnswer } from './openai-answer.ts';
import { CompactionAnswer, ResponsesAnswer } from './responses-answer.ts';

// The common part of all servers that accept OpenAI's bodies. None of the caller's headers are sent: the server gets
// the operator's credentials, and the caller's body with only the necessary fields changed.

/** The headers that authenticate a request, and the secret in them; or why there are none. */
export type Credentials =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly secret: string | null }
  | { readonly ok: false; readonly fault: UpstreamFault };

export type WireEndpoint =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'rerank'
  | 'moderations'
  | 'responses'
  | 'responses/compact'
  | 'responses/input_tokens';

export interface WireSettings extends Pick<
  Upstream,
  | 'name'
  | 'needsCap'
  | 'structuredSupport'
  | 'schemaProvider'
  | 'chatExtras'
  | 'serviceTiers'
  | 'chatExtensions'
  | 'acceptedFields'
> {
  /** The path and query of an endpoint, for the upstream's name of the model. */
  target(endpoint: WireEndpoint, upstreamModel: string): string;
  /** Whether it implements Responses too. */
  readonly speaksResponses: boolean;
  /** Whether it compacts conversations of Responses. */
  readonly compacts: boolean;
  /** Whether it counts the input tokens of Responses. */
  readonly countsTokens?: boolean;
  /** Whether it continues texts, as OpenAI's legacy completions do. */
  readonly hasCompletions: boolean;
  /** Returns the same object as long as the credentials are equal. */
  credentials(): Credentials;
  /** The header that carries our id of the request, into the provider's own log. */
  readonly idHeader: string;
  /** Edits of all chat bodies, in addition to those of each call. */
  readonly edit: Omit<ChatEdit, 'upstreamModel' | 'cap'>;
}

/** How an endpoint's answers are read. */
type AnswerForm = typeof OpenAiAnswer | typeof ResponsesAnswer;

type LetIn = Extract<Credentials, { ok: true }>;

/** The headers of plain calls and of streams, as long as the credentials are these. */
class HeaderPair {
  readonly credentials: LetIn;
  readonly plain: Readonly<Record<string, string>>;
  readonly stream: Readonly<Record<string, string>>;

  constructor(credentials: LetIn) {
    this.credentials = credentials;
    this.plain = { ...credentials.headers, ...GENERAL, accept: 'application/json' };
    this.stream = { ...credentials.headers, ...GENERAL, accept: 'text/event-stream' };
  }
}

const GENERAL = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'faregate' };

/** An upstream that owns the client. */
export function createWireUpstream(settings: WireSettings, client: HttpClient): Upstream {
  const { name, needsCap, structuredSupport, schemaProvider, speaksResponses, compacts, hasCompletions } = settings;
  const { idHeader, edit } = settings;
  let pair: HeaderPair | null = null;

  function post(
    path: string,
    body: readonly Buffer[],
    { requestId, traceHeaders = [] }: CallBasics,
    streamed: boolean,
    sink: AnswerSink,
    Answer: AnswerForm,
  ): RunningAttempt {
    const credentials = settings.credentials();
    if (!credentials.ok) return failedAttempt(credentials.fault, sink);
    if (pair?.credentials !== credentials) pair = new HeaderPair(credentials);
    const { secret } = credentials;
    const headers = streamed ? pair.stream : pair.plain;
    const translator = new Answer(secret);
    return runExchange(
      client,
      { method: 'POST', path, headers, ownHeaders: [idHeader, requestId, ...traceHeaders], body },
      { streamed, sink, secret, translator },
    );
  }

  const native =
    (endpoint: WireEndpoint, Answer: AnswerForm): SendNative =>
    (call, sink) => {
      const { request, upstreamModel, cap, reasoning } = call;
      const body = request.body({ upstreamModel, cap, reasoning });
      return post(settings.target(endpoint, upstreamModel), body, call, request.stream, sink, Answer);
    };

  return {
    name,
    needsCap,
    structuredSupport,
    ...(schemaProvider && { schemaProvider }),
    ...(settings.chatExtras && { chatExtras: settings.chatExtras }),
    ...(settings.serviceTiers && { serviceTiers: settings.serviceTiers }),
    ...(settings.chatExtensions && { chatExtensions: settings.chatExtensions }),
    ...(settings.acceptedFields && { acceptedFields: settings.acceptedFields }),
    ...(settings.countsTokens && { counts: { responses: countBy(settings, client) } }),
    natives: {
      embeddings: native('embeddings', EmbeddingsAnswer),
      rerank: native('rerank', RerankAnswer),
      moderations: native('moderations', ModerationsAnswer),
      ...(speaksResponses && { responses: native('responses', ResponsesAnswer) }),
      ...(compacts && { compact: native('responses/compact', CompactionAnswer) }),
      ...(hasCompletions && { completions: native('completions', OpenAiAnswer) }),
    },
    chat(call, sink) {
      const { request, upstreamModel, cap } = call;
      const body = editChatBody(request, { ...edit, upstreamModel, cap });
      return post(settings.target('chat/completions', upstreamModel), body, call, request.stream, sink, OpenAiAnswer);
    },
    close: (withinMs) => client.close(withinMs),
  };
}

/** Has the provider count the input tokens of Responses. */
function countBy(settings: WireSettings, client: HttpClient): CountNative {
  return ({ request, upstreamModel, requestId }) => {
    const credentials = settings.credentials();
    if (!credentials.ok) return Promise.resolve(null);
    return countTokens(client, {
      method: 'POST',
      path: settings.target('responses/input_tokens', upstreamModel),
      headers: { ...credentials.headers, ...GENERAL, accept: 'application/json' },
      ownHeaders: [settings.idHeader, requestId],
      body: request.countBody(upstreamModel),
    });
  };
}
