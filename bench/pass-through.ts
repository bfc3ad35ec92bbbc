import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';

// What the same parts cost when they do nothing: node:http in front, undici behind, bytes passed on, no key looked at,
// nothing counted, nothing billed. The rest of Faregate's cost is its own.

/** In a request for a stream. */
const STREAM = Buffer.from('"stream":true');

class PassThrough implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #isStream: boolean;
  readonly #whole: Buffer[] = [];
  #status = 0;
  #type = '';

  constructor(response: ServerResponse, isStream: boolean) {
    this.#response = response;
    this.#isStream = isStream;
  }

  onRequestStart(): void {
    // Nothing to keep: no request is given up here.
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#status = status;
    this.#type = String(headers['content-type']);
    if (this.#isStream) this.#response.writeHead(status, { 'content-type': this.#type });
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isStream) this.#response.write(chunk);
    else this.#whole.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#isStream) {
      this.#response.end();
      return;
    }
    const [first] = this.#whole;
    const body = this.#whole.length === 1 && first !== undefined ? first : Buffer.concat(this.#whole);
    this.#response.writeHead(this.#status, { 'content-type': this.#type, 'content-length': String(body.length) });
    this.#response.end(body);
  }

  onResponseError(): void {
    this.#response.destroy();
  }
}

/** Listens before the upstream, such as `http://127.0.0.1:8000`. Returns its port. */
export async function listenBarely(upstreamUrl: string): Promise<number> {
  const pool = new Pool(upstreamUrl, { connections: 4_096, pipelining: 1, allowH2: false });
  const handle = (message: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const path = message.url ?? '/';
      const headers = { 'content-type': 'application/json' };
      const body = Buffer.concat(chunks);
      const isStream = body.includes(STREAM);
      pool.dispatch({ method: 'POST', path, headers, body }, new PassThrough(response, isStream));
    });
  };
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, handle);
  await once(server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }), 'listening');
  return (server.address() as AddressInfo).port;
}
