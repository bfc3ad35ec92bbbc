import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import type { ConnectionSettings } from './http/destination.ts';
import { createHttpClient } from './http/http-client.ts';

export interface SmallRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole of it; milliseconds. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly connection: ConnectionSettings;
}

/** An answer, or a one-line reason why there is none. */
export type SmallAnswer =
  | { readonly ok: true; readonly status: number; readonly body: Buffer }
  | { readonly ok: false; readonly problem: string };

/** GETs a small resource, once, on its own connection. */
export function getSmall(url: URL, { headers, timeoutMs, bytesMax, connection }: SmallRequest): Promise<SmallAnswer> {
  return new Promise((resolve) => {
    const timeouts = { connectMs: timeoutMs, firstByteMs: Infinity, idleMs: Infinity, keepAliveMs: 0 };
    const client = createHttpClient(url.origin, timeouts, connection);
    const body = new GatheredBytes(bytesMax);
    let status = 0;
    const settle = (answer: SmallAnswer): void => {
      clearTimeout(deadline);
      exchange.abort();
      resolve(answer);
      // The only exchange is over, so closing can't lose anything.
      client.close().catch(() => undefined);
    };
    const exchange = client.send(
      { method: 'GET', path: `${url.pathname}${url.search}`, headers, body: null },
      {
        start: (received) => {
          status = received;
        },
        data: (chunk) => {
          if (body.add(chunk) !== null) settle({ ok: false, problem: 'the answer is too large' });
        },
        end: () => settle({ ok: true, status, body: body.whole() }),
        fail: ({ message }) => settle({ ok: false, problem: message }),
      },
    );
    const deadline = setTimeout(() => settle({ ok: false, problem: `no answer within ${timeoutMs} ms` }), timeoutMs);
  });
}
