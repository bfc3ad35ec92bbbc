import { buffer } from 'node:stream/consumers';
import { type TargetNetwork, TargetRefused } from '../../lib/target-network.ts';
import { sendToTarget } from '../../lib/target-request.ts';

// Requests to providers that members of workspaces name: to addresses that are checked, without redirects, with bounded answers.

const ANSWER_BYTES_MAX = 524_288;
const ATTEMPT_MS_MAX = 10_000;
/** Statuses whose responses have no body. */
const EMPTY: readonly number[] = [204, 205, 304];

interface FetchOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A fetch that reaches what this network allows. @throws TargetRefused */
export function fetchWithin(network: TargetNetwork): (url: string, options: FetchOptions) => Promise<Response> {
  return async (text, { method, headers, body, signal }) => {
    const url = network.readUrl(text);
    const address = await network.locate(url);
    const deadline = AbortSignal.timeout(ATTEMPT_MS_MAX);
    const answer = await sendToTarget({
      url,
      address,
      method,
      headers,
      body: bodyText(body),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    const status = answer.statusCode ?? 0;
    const bytes = await buffer(atMost(answer, ANSWER_BYTES_MAX));
    const type = answer.headers['content-type'];
    const known = type === undefined ? {} : { 'content-type': type };
    return new Response(EMPTY.includes(status) ? null : bytes, { status, headers: known });
  };
}

function bodyText(body: unknown): string | null {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : null;
}

async function* atMost(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw new TargetRefused(`answers with more than ${most} bytes`);
    yield chunk;
  }
}
