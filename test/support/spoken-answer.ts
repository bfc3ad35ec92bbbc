import { runExchange } from '../../src/gate/upstreams/answer-reader.ts';
import type { AnswerTranslator } from '../../src/gate/upstreams/answer-translator.ts';
import type { ExchangeHandler, HttpClient } from '../../src/gate/upstreams/http/http-client.ts';
import { RecordingSink } from './recording-sink.ts';

/** An answer as it comes over a connection, without one. */
export interface Spoken {
  readonly status: number;
  readonly contentType: string;
  readonly pieces: readonly Buffer[];
}

const REQUEST = { method: 'POST', path: '/', headers: {}, body: null } as const;

/** What a sink hears of an answer that a translator reads, piece by piece. */
export function hear(translator: AnswerTranslator, streamed: boolean, spoken: Spoken): RecordingSink {
  const sink = new RecordingSink();
  let handler: ExchangeHandler | null = null;
  const client: HttpClient = {
    send(_request, listener) {
      handler = listener;
      return { pause() {}, resume() {}, abort() {} };
    },
    close: () => Promise.resolve(),
  };
  runExchange(client, REQUEST, { streamed, sink, secret: null, translator });
  const heard = handler as ExchangeHandler | null;
  heard?.start(spoken.status, { 'content-type': spoken.contentType });
  for (const piece of spoken.pieces) heard?.data(piece);
  heard?.end();
  return sink;
}

/** A stream of events that ends. */
export function heardStream(translator: AnswerTranslator, pieces: readonly Buffer[]): RecordingSink {
  return hear(translator, true, { status: 200, contentType: 'text/event-stream', pieces });
}
