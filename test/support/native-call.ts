import type { Dialect } from '../../src/gate/dialects/dialect.ts';
import { EMBEDDINGS_DIALECT } from '../../src/gate/dialects/embeddings/embeddings-dialect.ts';
import { RERANK_DIALECT } from '../../src/gate/dialects/rerank/rerank-dialect.ts';
import type { AnswerSink, Upstream } from '../../src/gate/upstreams/upstream.ts';

type SendFields = (upstream: Upstream, fields: object, upstreamModel: string, sink: AnswerSink) => void;

/** Sends an upstream a request of a dialect with these fields, as it is. */
const sendIn =
  (dialect: Dialect): SendFields =>
  ({ natives }, fields, upstreamModel, sink) => {
    const reading = dialect.read(Buffer.from(JSON.stringify({ model: 'public', ...fields })), {});
    if (!reading.ok || reading.request.native === null) throw new Error('the request was not read');
    const call = { request: reading.request.native, upstreamModel, requestId: 'request-1' };
    natives?.[dialect.endpoint]?.({ ...call, cap: null, contextWindow: 8_192, reasoning: false }, sink);
  };

/** Sends an upstream a request for embeddings. */
export const embed = sendIn(EMBEDDINGS_DIALECT);

/** Sends an upstream a query and documents to rank. */
export const rerank = sendIn(RERANK_DIALECT);
