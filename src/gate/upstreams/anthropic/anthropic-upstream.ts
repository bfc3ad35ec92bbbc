import type { AnthropicProviderConfig } from '../../../config/config.ts';
import { betasIn, isKnownBeta } from '../../dialects/messages/known-betas.ts';
import { assert } from '../../../lib/assert.ts';
import { runExchange } from '../answer-reader.ts';
import { failedAttempt } from '../failed-attempt.ts';
import { type ClientTimeouts, createProviderClient } from '../provider-client.ts';
import { startTranslated } from '../translated-attempt.ts';
import type { SendNative, Upstream } from '../upstream.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { countTokens } from '../count-tokens.ts';
import { NativeAnswer } from './native-answer.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';

// Anthropic's own Messages API, and servers that implement it.

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

/** The betas that enlarge a model's context beyond the one that is sold, and the context without them. */
const LARGER_CONTEXT = /^context-1m-/;
const USUAL_CONTEXT = 200_000;
const NONE: ReadonlySet<string> = new Set();

/** The caller's headers, without unreviewed betas, and without one by which the input could exceed the hold. */
function soldHeaders(
  headers: Readonly<Record<string, string>>,
  contextWindow: number,
  acceptedFields: ReadonlySet<string> = NONE,
): Readonly<Record<string, string>> {
  const { 'anthropic-beta': betas, ...rest } = headers;
  if (betas === undefined) return headers;
  const all = betasIn(betas);
  const isSold = (beta: string): boolean => contextWindow > USUAL_CONTEXT || !LARGER_CONTEXT.test(beta);
  const kept = all.filter((beta) => isSold(beta) && (isKnownBeta(beta) || acceptedFields.has(beta)));
  if (kept.length === all.length) return headers;
  return kept.length === 0 ? rest : { ...rest, 'anthropic-beta': kept.join(',') };
}

/** An upstream for one provider of kind `anthropic`, with a connection pool of its own. */
export function createAnthropicUpstream(provider: AnthropicProviderConfig, timeouts: ClientTimeouts): Upstream {
  const base = new URL(provider.baseUrl);
  const root = withoutTrailingSlashes(base.pathname).replace(/\/v1$/, '');
  const path = `${root}/v1/messages${base.search}`;
  const plainHeaders = headersFor(provider, 'application/json');
  const streamHeaders = headersFor(provider, 'text/event-stream');
  const client = createProviderClient(provider, timeouts);
  const acceptedFields = provider.acceptFields && new Set(provider.acceptFields);
  const sold = (of: Readonly<Record<string, string>>, contextWindow: number): Readonly<Record<string, string>> =>
    soldHeaders(of, contextWindow, acceptedFields);

  const messages: SendNative = ({ request, upstreamModel, cap, contextWindow, reasoning, traceHeaders }, sink) => {
    const { stream: streamed } = request;
    const body = request.body({ upstreamModel, cap, reasoning });
    const headers = { ...(streamed ? streamHeaders : plainHeaders), ...sold(request.headers, contextWindow) };
    return runExchange(
      client,
      { method: 'POST', path, headers, ownHeaders: traceHeaders, body },
      { streamed, sink, secret: provider.apiKey, translator: new NativeAnswer(provider.apiKey) },
    );
  };

  const embeddings: SendNative = (_call, sink) =>
    failedAttempt({ kind: 'failed', status: 501, message: 'the provider has no embeddings' }, sink);

  return {
    name: provider.name,
    ...(acceptedFields && { acceptedFields }),
    natives: { messages, embeddings },
    serviceTiers: ['fast'],
    counts: {
      messages: ({ request, upstreamModel, contextWindow }) =>
        countTokens(client, {
          method: 'POST',
          path: `${root}/v1/messages/count_tokens${base.search}`,
          headers: { ...plainHeaders, ...sold(request.headers, contextWindow) },
          body: request.countBody(upstreamModel),
        }),
    },
    chatExtensions: 'anthropic',
    // The API requires a cap.
    needsCap: true,
    structuredSupport: 'strict',
    chat({ request, upstreamModel, cap, traceHeaders }, sink) {
      assert(cap !== null, 'a call of an upstream that needs a cap has none');
      const { body, stream: streamed } = request;
      const asked = { model: upstreamModel, maxTokens: cap, stream: streamed, version: provider.version };
      const translator = new AnthropicAnswer(provider.apiKey, Math.floor(Date.now() / 1_000));
      const headers = streamed ? streamHeaders : plainHeaders;
      return startTranslated({ to: 'anthropic', body, call: asked }, sink, (made) =>
        runExchange(
          client,
          { method: 'POST', path, headers, ownHeaders: traceHeaders, body: [made] },
          { streamed, sink, secret: provider.apiKey, translator },
        ),
      );
    },
    close: (withinMs) => client.close(withinMs),
  };
}
