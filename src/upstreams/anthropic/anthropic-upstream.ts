import type { AnthropicProviderConfig } from '../../config/config.ts';
import { assert } from '../../lib/assert.ts';
import { runExchange } from '../answer-reader.ts';
import { failedAttempt } from '../failed-attempt.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import type { OutgoingRequest } from '../http/request-text.ts';
import type { ChatCall, Upstream, UpstreamFault } from '../upstream.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { messagesBody } from './messages-request.ts';
import { Untranslatable } from './untranslatable.ts';
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts';

// Anthropic's own Messages API, and servers that speak it.

function headersFor({ apiKey, version }: AnthropicProviderConfig, accept: string): Readonly<Record<string, string>> {
  return {
    ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
    'anthropic-version': version,
    'content-type': 'application/json',
    accept,
    'accept-encoding': 'identity',
    'user-agent': 'faregate',
  };
}

/** The request's body, or the fault of a request that can't be said in the API's terms. */
function bodyOf({ request, upstreamModel, cap }: ChatCall, version: string): Buffer | UpstreamFault {
  assert(cap !== null, 'a call of an upstream that needs a cap has none');
  try {
    return messagesBody(request.body, { model: upstreamModel, maxTokens: cap, stream: request.stream, version });
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    const { message: callerMessage, param } = error;
    const message = `the request has what the provider has no word for: ${param ?? 'an unknown field'}`;
    return { kind: 'rejected_request', status: 400, callerMessage, code: null, param, message };
  }
}

/** An upstream for one provider of kind `anthropic`, with a connection pool of its own. */
export function createAnthropicUpstream(provider: AnthropicProviderConfig, timeouts: ClientTimeouts): Upstream {
  const base = new URL(provider.baseUrl);
  const root = withoutTrailingSlashes(base.pathname).replace(/\/v1$/, '');
  const path = `${root}/v1/messages${base.search}`;
  const plainHeaders = headersFor(provider, 'application/json');
  const streamHeaders = headersFor(provider, 'text/event-stream');
  const client = createProviderClient(provider, timeouts);

  return {
    name: provider.name,
    // The API takes no request without one.
    needsCap: true,
    structuredSupport: 'strict',
    chat(call, sink) {
      const body = bodyOf(call, provider.version);
      if (!Buffer.isBuffer(body)) return failedAttempt(body, sink);
      const streamed = call.request.stream;
      const translator = new AnthropicAnswer(provider.apiKey, Math.floor(Date.now() / 1_000));
      const headers = streamed ? streamHeaders : plainHeaders;
      const request: OutgoingRequest = { method: 'POST', path, headers, body: [body] };
      return runExchange(client, request, { streamed, sink, secret: provider.apiKey, translator });
    },
    embeddings: (_call, sink) =>
      failedAttempt({ kind: 'failed', status: 501, message: 'the provider has no embeddings' }, sink),
    close: (withinMs) => client.close(withinMs),
  };
}
