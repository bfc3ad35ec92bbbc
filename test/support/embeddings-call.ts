import { EMBEDDINGS_DIALECT } from '../../src/gate/dialects/embeddings/embeddings-dialect.ts';
import type { AnswerSink, Upstream } from '../../src/gate/upstreams/upstream.ts';

/** Sends an upstream a request for embeddings with these fields. */
export function embed({ natives }: Upstream, fields: object, upstreamModel: string, sink: AnswerSink): void {
  const reading = EMBEDDINGS_DIALECT.read(Buffer.from(JSON.stringify({ model: 'public', ...fields })), {});
  if (!reading.ok || reading.request.native === null) throw new Error('the request was not read');
  const call = { request: reading.request.native, upstreamModel, requestId: 'request-1' };
  natives?.embeddings?.({ ...call, cap: null, contextWindow: 8_192, reasoning: false }, sink);
}
