import type { OpenAiProviderConfig, TimeoutConfig } from '../../config/config.ts';
import { editChatBody } from '../../openai/chat-request-edit.ts';
import { editEmbeddingsBody } from '../../openai/embeddings-request.ts';
import { runExchange } from '../answer-reader.ts';
import { createHttpClient } from '../http-client.ts';
import type { AnswerSink, RunningAttempt, Upstream } from '../upstream.ts';
import { OpenAiAnswer } from './openai-answer.ts';
import { profileOf } from './profiles.ts';

// Any server that speaks OpenAI's protocol. Nothing of the caller's headers goes there: it gets the operator's key,
// and the caller's body with the few fields changed that have to be.

function headersFor(provider: OpenAiProviderConfig, accept: string): Readonly<Record<string, string>> {
  return {
    ...(provider.apiKey === null ? {} : { authorization: `Bearer ${provider.apiKey}` }),
    'content-type': 'application/json',
    accept,
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
  };
}

/** An upstream for one provider of kind `openai`, with a connection pool of its own. */
export function createOpenAiUpstream(provider: OpenAiProviderConfig, timeouts: TimeoutConfig): Upstream {
  const base = new URL(provider.baseUrl);
  const path = base.pathname.replace(/\/+$/, '');
  const chatPath = `${path}/chat/completions${base.search}`;
  const embeddingsPath = `${path}/embeddings${base.search}`;
  const plainHeaders = headersFor(provider, 'application/json');
  const streamHeaders = headersFor(provider, 'text/event-stream');
  const { capField, needsCap, padsStreams, structuredSupport, unread } = profileOf(provider);
  const client = createHttpClient(base.origin, {
    connectMs: timeouts.upstreamConnectMs,
    firstByteMs: timeouts.upstreamFirstByteMs,
    idleMs: timeouts.upstreamIdleMs,
  });

  function post(target: string, body: Buffer, requestId: string, streamed: boolean, sink: AnswerSink): RunningAttempt {
    // OpenAI and others log this header; `x-request-id` would be taken for their own, and refused when it comes again.
    const headers = { ...(streamed ? streamHeaders : plainHeaders), 'x-client-request-id': requestId };
    const translator = new OpenAiAnswer(provider.apiKey);
    const request = { method: 'POST', path: target, headers, body } as const;
    return runExchange(client, request, { streamed, sink, secret: provider.apiKey, translator });
  }

  return {
    name: provider.name,
    needsCap,
    structuredSupport,
    chat(call, sink) {
      const { request, upstreamModel, cap, requestId } = call;
      const body = editChatBody(request, {
        upstreamModel,
        capField,
        cap,
        includeUsage: request.stream,
        omitObfuscation: padsStreams,
        leaveOut: unread,
      });
      return post(chatPath, body, requestId, request.stream, sink);
    },
    embeddings(call, sink) {
      const { request, upstreamModel, requestId } = call;
      return post(embeddingsPath, editEmbeddingsBody(request, { upstreamModel }), requestId, false, sink);
    },
    close: (withinMs) => client.close(withinMs),
  };
}
