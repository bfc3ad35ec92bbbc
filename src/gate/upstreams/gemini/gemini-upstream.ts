import type { GeminiProviderConfig } from '../../../config/config.ts';
import type { ChatRequest } from '../../openai/chat-request.ts';
import { runExchange } from '../answer-reader.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import type { ParsedLimits } from '../answer-translator.ts';
import { startTranslated } from '../translated-attempt.ts';
import type { Translation } from '../translation.ts';
import type { AnswerSink, RunningAttempt, SendNative, Upstream } from '../upstream.ts';
import { wholeBody } from '../whole-body.ts';
import type { AnswerContext } from './answer-frame.ts';
import { readEmbeddings } from './embeddings.ts';
import { CHAT_LIMITS, EMBEDDINGS_LIMITS, GeminiAnswer, type PlainReader } from './gemini-answer.ts';
import { readPlainAnswer } from './plain-answer.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

// Google's Gemini API. The key is sent in a header, never in a URL.

function headersFor(provider: GeminiProviderConfig, accept: string): Readonly<Record<string, string>> {
  return {
    ...(provider.apiKey === null ? {} : { 'x-goog-api-key': provider.apiKey }),
    'content-type': 'application/json',
    accept,
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
  };
}

/** The provider's path of a model: its id, unless that is a path already, such as that of a tuned model. */
function resourceOf(upstreamModel: string): string {
  return upstreamModel.includes('/') ? upstreamModel : `models/${upstreamModel}`;
}

function encodePath(resource: string): string {
  return resource.split('/').map(encodeURIComponent).join('/');
}

/** How a request is sent, and its answer read. */
interface Exchange {
  readonly traceHeaders: readonly string[] | undefined;
  readonly method: string;
  readonly streamed: boolean;
  readonly context: AnswerContext;
  readonly readPlain: PlainReader;
  readonly parsedLimits: ParsedLimits;
}

/** An upstream for one provider of kind `gemini`, with a connection pool of its own. */
export function createGeminiUpstream(provider: GeminiProviderConfig, timeouts: ClientTimeouts): Upstream {
  const base = new URL(provider.baseUrl);
  const root = withoutTrailingSlashes(base.pathname);
  const query = base.search.replace(/^\?/, '&');
  const plainHeaders = headersFor(provider, 'application/json');
  const streamHeaders = headersFor(provider, 'text/event-stream');
  const client = createProviderClient(provider, timeouts);

  function post(translation: Translation, exchange: Exchange, sink: AnswerSink): RunningAttempt {
    const { traceHeaders, method, streamed, context, readPlain, parsedLimits } = exchange;
    const path = `${root}/${encodePath(resourceOf(context.upstreamModel))}:${method}`;
    const search = streamed ? `?alt=sse${query}` : base.search;
    const headers = streamed ? streamHeaders : plainHeaders;
    const translator = new GeminiAnswer(context, readPlain, provider.apiKey, parsedLimits);
    return startTranslated(translation, sink, (made) =>
      runExchange(
        client,
        { method: 'POST', path: `${path}${search}`, headers, ownHeaders: traceHeaders, body: [made] },
        { streamed, sink, secret: provider.apiKey, translator },
      ),
    );
  }

  const embeddings: SendNative = (call, sink) => {
    const { upstreamModel, requestId, traceHeaders } = call;
    const exchange = {
      traceHeaders,
      method: 'batchEmbedContents',
      streamed: false,
      parsedLimits: EMBEDDINGS_LIMITS,
      context: { choices: 1, parallelCalls: false, upstreamModel, requestId, askedAtMs: Date.now() },
      readPlain: (view, status) => readEmbeddings(view, status, upstreamModel),
    } satisfies Exchange;
    return post(
      { to: 'gemini_embeddings', body: wholeBody(call), resource: resourceOf(upstreamModel) },
      exchange,
      sink,
    );
  };

  return {
    name: provider.name,
    needsCap: false,
    structuredSupport: 'strict',
    chatExtensions: 'gemini',
    schemaProvider: 'gemini',
    chat({ request, upstreamModel, cap, requestId, traceHeaders }, sink) {
      const parallelCalls = !forbidsParallelCalls(request);
      const context = { choices: request.choices, parallelCalls, upstreamModel, requestId, askedAtMs: Date.now() };
      const exchange = {
        traceHeaders,
        method: request.stream ? 'streamGenerateContent' : 'generateContent',
        streamed: request.stream,
        context,
        readPlain: (view, status) => readPlainAnswer(view, status, context),
        parsedLimits: CHAT_LIMITS,
      } satisfies Exchange;
      const { body, maxTokens, choices } = request;
      return post({ to: 'gemini', body, maxTokens, choices, upstreamModel, cap }, exchange, sink);
    },
    natives: { embeddings },
    close: (withinMs) => client.close(withinMs),
  };
}

/** Whether the request allows at most one call in the answer. */
function forbidsParallelCalls({ body, layout }: Pick<ChatRequest, 'body' | 'layout'>): boolean {
  const member = layout.members.find(({ key }) => key === 'parallel_tool_calls');
  return member !== undefined && body.toString('latin1', member.valueStart, member.valueEnd) === 'false';
}
