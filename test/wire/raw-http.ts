import { connect, type Socket } from 'node:net';

// HTTP as bytes on a socket, so that a test can send what no client library would.

export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Longer than any answer takes that is answered at all. */
const ANSWER_MS_MAX = 20_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection to a started program. */
export class RawConnection {
  readonly socket: Socket;
  /** Resolves once the other side has closed it, cleanly or not. */
  readonly closed: Promise<void>;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    // A reset is one way in which broken HTTP is answered.
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What has come and was not taken as a response yet. */
  get received(): Buffer {
    return this.#received;
  }

  send(...parts: readonly (string | Buffer)[]): this {
    for (const part of parts) this.socket.write(part);
    return this;
  }

  /** The next whole response; null where the connection is closed without one. */
  async response(): Promise<RawResponse | null> {
    for (;;) {
      const taken = takeResponse(this.#received, this.#isClosed);
      if (taken !== null) {
        this.#received = taken.rest;
        if (taken.response.status >= 200) return taken.response;
        continue;
      }
      if (this.#isClosed) return null;
      await this.#more('no whole response has come');
    }
  }

  /** Resolves once what has come satisfies the condition. */
  async until(condition: (received: Buffer) => boolean): Promise<void> {
    while (!condition(this.#received)) {
      if (this.#isClosed) throw new Error(`the connection was closed after: ${this.#received.toString()}`);
      await this.#more('what was waited for has not come');
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  async #more(otherwise: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`${otherwise}: ${this.#received.toString()}`)), ANSWER_MS_MAX);
    this.#wake = resolve;
    await promise.finally(() => clearTimeout(timer));
  }
}

/** Sends bytes on a connection of their own and answers with the one response, null where there is none. */
export async function exchange(url: string, ...parts: readonly (string | Buffer)[]): Promise<RawResponse | null> {
  const connection = new RawConnection(url);
  try {
    return await connection.send(...parts).response();
  } finally {
    connection.destroy();
  }
}

/** The head of a request, from its first line and headers. */
export function head(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line}\r\n${fields.join('')}\r\n`;
}

function takeResponse(received: Buffer, isClosed: boolean): { response: RawResponse; rest: Buffer } | null {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const [line = '', ...fields] = received.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(line.split(' ')[1]);
  const start = headEnd + HEAD_END.length;
  const body = takeBody(received.subarray(start), headers, isClosed || status < 200);
  if (body === null) return null;
  return { response: { status, headers, body: body.bytes }, rest: received.subarray(start + body.length) };
}

function takeBody(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  isWhole: boolean,
): { bytes: Buffer; length: number } | null {
  if (headers['transfer-encoding'] === 'chunked') return takeChunks(bytes);
  const announced = headers['content-length'];
  if (announced === undefined) return isWhole ? { bytes: Buffer.alloc(0), length: 0 } : null;
  const length = Number(announced);
  return bytes.length < length ? null : { bytes: bytes.subarray(0, length), length };
}

function takeChunks(bytes: Buffer): { bytes: Buffer; length: number } | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (bytes.length < start + size + 2) return null;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: start + 2 };
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
