import type { GeminiProviderConfig } from '../../config/config.ts';
import type { BodyFault } from '../../openai/body-fault.ts';
import { runExchange } from '../answer-reader.ts';
import { failedAttempt } from '../failed-attempt.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import type { ParsedLimits } from '../answer-translator.ts';
import type { AnswerSink, RunningAttempt, Upstream, UpstreamFault } from '../upstream.ts';
import type { AnswerContext } from './answer-frame.ts';
import { translateChat, type TranslatedRequest } from './chat-request.ts';
import { readEmbeddings, translateEmbeddings } from './embeddings.ts';
import { CHAT_LIMITS, EMBEDDINGS_LIMITS, GeminiAnswer, type PlainReader } from './gemini-answer.ts';
import { readPlainAnswer } from './plain-answer.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

// Google's Gemini API. The key travels in a header, never in an address.

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

/** The fault of a request that can't be put in the provider's words. */
function faultOfRequest({ message: callerMessage, param }: BodyFault): UpstreamFault {
  const message = `the provider's API has no words for the request: ${param ?? 'its body'}`;
  return { kind: 'rejected_request', status: 400, callerMessage, code: null, param, message };
}

/** An upstream for one provider of kind `gemini`, with a connection pool of its own. */
export function createGeminiUpstream(provider: GeminiProviderConfig, timeouts: ClientTimeouts): Upstream {
  const base = new URL(provider.baseUrl);
  const root = withoutTrailingSlashes(base.pathname);
  const query = base.search.replace(/^\?/, '&');
  const plainHeaders = headersFor(provider, 'application/json');
  const streamHeaders = headersFor(provider, 'text/event-stream');
  const client = createProviderClient(provider, timeouts);

  interface Exchange {
    readonly method: string;
    readonly streamed: boolean;
    readonly context: AnswerContext;
    readonly readPlain: PlainReader;
    readonly parsedLimits: ParsedLimits;
  }

  function post(translated: TranslatedRequest, exchange: Exchange, sink: AnswerSink): RunningAttempt {
    if (!translated.ok) return failedAttempt(faultOfRequest(translated.fault), sink);
    const { method, streamed, context, readPlain, parsedLimits } = exchange;
    const path = `${root}/${encodePath(resourceOf(context.upstreamModel))}:${method}`;
    const search = streamed ? `?alt=sse${query}` : base.search;
    const request = {
      method: 'POST',
      path: `${path}${search}`,
      headers: streamed ? streamHeaders : plainHeaders,
      body: [translated.made],
    } as const;
    const translator = new GeminiAnswer(context, readPlain, provider.apiKey, parsedLimits);
    return runExchange(client, request, { streamed, sink, secret: provider.apiKey, translator });
  }

  return {
    name: provider.name,
    needsCap: false,
    structuredSupport: 'strict',
    schemaProvider: 'gemini',
    chat({ request, upstreamModel, cap, requestId }, sink) {
      const context = { choices: request.choices, upstreamModel, requestId, askedAtMs: Date.now() };
      const exchange = {
        method: request.stream ? 'streamGenerateContent' : 'generateContent',
        streamed: request.stream,
        context,
        readPlain: (view, status) => readPlainAnswer(view, status, context),
        parsedLimits: CHAT_LIMITS,
      } satisfies Exchange;
      return post(translateChat(request, upstreamModel, cap), exchange, sink);
    },
    embeddings({ request, upstreamModel, requestId }, sink) {
      const exchange = {
        method: 'batchEmbedContents',
        streamed: false,
        parsedLimits: EMBEDDINGS_LIMITS,
        context: { choices: 1, upstreamModel, requestId, askedAtMs: Date.now() },
        readPlain: (view, status) => readEmbeddings(view, status, upstreamModel),
      } satisfies Exchange;
      return post(translateEmbeddings(request, resourceOf(upstreamModel)), exchange, sink);
    },
    close: (withinMs) => client.close(withinMs),
  };
}
