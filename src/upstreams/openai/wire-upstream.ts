import type { TimeoutConfig } from '../../config/config.ts';
import { type ChatEdit, editChatBody } from '../../openai/chat-request-edit.ts';
import { editEmbeddingsBody } from '../../openai/embeddings-request.ts';
import { runExchange } from '../answer-reader.ts';
import { failedAttempt } from '../failed-attempt.ts';
import { createHttpClient } from '../http-client.ts';
import type { AnswerSink, RunningAttempt, Upstream, UpstreamFault } from '../upstream.ts';
import { OpenAiAnswer } from './openai-answer.ts';

// What every server has in common that takes OpenAI's bodies. Nothing of the caller's headers goes there: it gets the
// operator's credentials, and the caller's body with the few fields changed that have to be.

/** What the settings of the program say about the time that an answer may take. */
export type WireTimeouts = Pick<TimeoutConfig, 'upstreamConnectMs' | 'upstreamFirstByteMs' | 'upstreamIdleMs'>;

/** The headers that let a request in, and the secret in them; or why there are none. */
export type Credentials =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly secret: string | null }
  | { readonly ok: false; readonly fault: UpstreamFault };

export interface WireSettings extends Pick<Upstream, 'name' | 'needsCap' | 'structuredSupport'> {
  readonly origin: string;
  /** The path and query of an endpoint, for the upstream's name of the model. */
  target(endpoint: 'chat/completions' | 'embeddings', upstreamModel: string): string;
  credentials(): Credentials;
  /** The header that carries our id of the request, into the provider's own log. */
  readonly idHeader: string;
  /** How chat bodies are changed, beside what each call says. */
  readonly edit: Omit<ChatEdit, 'upstreamModel' | 'cap'>;
}

function headersFor(accept: string): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', accept, 'accept-encoding': 'identity', 'user-agent': 'faregate' };
}

const PLAIN_HEADERS = headersFor('application/json');
const STREAM_HEADERS = headersFor('text/event-stream');

/** An upstream with a connection pool of its own. */
export function createWireUpstream(settings: WireSettings, timeouts: WireTimeouts): Upstream {
  const { name, needsCap, structuredSupport, idHeader, edit } = settings;
  const client = createHttpClient(settings.origin, {
    connectMs: timeouts.upstreamConnectMs,
    firstByteMs: timeouts.upstreamFirstByteMs,
    idleMs: timeouts.upstreamIdleMs,
  });

  function post(path: string, body: Buffer, requestId: string, streamed: boolean, sink: AnswerSink): RunningAttempt {
    const credentials = settings.credentials();
    if (!credentials.ok) return failedAttempt(credentials.fault, sink);
    const { secret } = credentials;
    const general = streamed ? STREAM_HEADERS : PLAIN_HEADERS;
    const headers = { ...general, ...credentials.headers, [idHeader]: requestId };
    const translator = new OpenAiAnswer(secret);
    return runExchange(client, { method: 'POST', path, headers, body }, { streamed, sink, secret, translator });
  }

  return {
    name,
    needsCap,
    structuredSupport,
    chat({ request, upstreamModel, cap, requestId }, sink) {
      const body = editChatBody(request, { ...edit, upstreamModel, cap });
      return post(settings.target('chat/completions', upstreamModel), body, requestId, request.stream, sink);
    },
    embeddings({ request, upstreamModel, requestId }, sink) {
      const body = editEmbeddingsBody(request, { upstreamModel });
      return post(settings.target('embeddings', upstreamModel), body, requestId, false, sink);
    },
    close: (withinMs) => client.close(withinMs),
  };
}
