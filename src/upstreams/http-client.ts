import { Client, Pool, type Dispatcher } from 'undici';
import { createBodyDecoder, isDecodable, type BodyDecoder } from './body-decoder.ts';
import { transportFault, type TransportFault } from './transport-fault.ts';
import type { RunningAttempt } from './upstream.ts';

// HTTP/1.1 to one origin, over undici's dispatch: callbacks from the parser to the handler with no promise, stream or
// copy between them. It asks for no compression, follows no redirect, and reads no proxy from the environment.

/** Response headers by lower-case name; repeated ones as arrays. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Hears one exchange: `start`, any number of `data`, then `end`; or `fail` at any point. Never before `send` returns. */
export interface ExchangeHandler {
  start(status: number, headers: ResponseHeaders): void;
  /** Decoded bytes of the body. Bytes that were already read may still come after a pause. */
  data(chunk: Buffer): void;
  end(): void;
  fail(fault: TransportFault): void;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  /** With a leading slash, relative to the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Milliseconds: until connected, until the answer's headers, and between two pieces of its body. */
export interface ExchangeTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export interface HttpClient {
  send(request: OutgoingRequest, handler: ExchangeHandler): RunningAttempt;
  /**
   * Refuses new requests, lets running ones end, and closes the connections. What still runs after `withinMs`, where that
   * is given, is cut off and fails; so it is by a later call, where the first one has given no time.
   */
  close(withinMs?: number): Promise<void>;
}

/** Ephemeral ports of one address pair, and file descriptors, end well above it; a leak ends here. */
const CONNECTIONS_MAX = 4_096;
/** Servers commonly close idle connections after 5 s without saying so; a request on a closing one would be lost. */
const KEEP_ALIVE_MS = 4_000;

/** The reason undici is given for an abort; it goes nowhere, so one will do. */
const ABORTED = new Error('aborted');

/** One connection at a time, which counts what it has answered: after the first answer it is a kept one. */
class CountingClient extends Client {
  answers = 0;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('disconnect', () => {
      this.answers = 0;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.connection = this;
    return super.dispatch(options, handler);
  }
}

type ExchangeState = 'dispatching' | 'waiting' | 'receiving' | 'over';

/**
 * One request and its answer.
 * - `dispatching`: inside `send`; a failure now is told once `send` has returned. Left when it returns.
 * - `waiting`: for a connection or for headers. Left by `start` or a failure.
 * - `receiving`: the body. Left by its end or a failure.
 * - `over`: after the end, a failure or an abort; the handler hears nothing more.
 */
class Exchange implements Dispatcher.DispatchHandler, RunningAttempt {
  readonly #handler: ExchangeHandler;
  #state: ExchangeState = 'dispatching';
  #controller: Dispatcher.DispatchController | null = null;
  #decoder: BodyDecoder | null = null;
  #paused = false;
  #status = 0;
  #isConnectionKept = false;
  connection: CountingClient | null = null;

  constructor(handler: ExchangeHandler) {
    this.#handler = handler;
  }

  dispatched(): void {
    if (this.#state === 'dispatching') this.#state = 'waiting';
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#state === 'over') {
      controller.abort(ABORTED);
      return;
    }
    this.#controller = controller;
    this.#isConnectionKept = this.connection !== null && this.connection.answers > 0;
    if (this.#paused) controller.pause();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200 || this.#state === 'over') return;
    this.#state = 'receiving';
    this.#status = status;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity' && encoding !== '') {
      if (typeof encoding !== 'string' || !isDecodable(encoding.toLowerCase())) {
        this.#fail({ kind: 'malformed', status, message: 'the answer has a content-encoding that was not asked for' });
        controller.abort(ABORTED);
        return;
      }
      this.#decoder = this.#createDecoder(encoding.toLowerCase());
    }
    this.#handler.start(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state === 'over') return;
    if (this.#decoder === null) this.#handler.data(chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#controller = null;
    if (this.connection !== null) this.connection.answers += 1;
    if (this.#state === 'over') return;
    if (this.#decoder === null) this.#end();
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const connected = this.#controller !== null;
    this.#controller = null;
    const fault = transportFault(error, {
      connected,
      status: this.#status,
      isConnectionKept: this.#isConnectionKept,
    });
    if (this.#state === 'dispatching') queueMicrotask(() => this.#fail(fault));
    else this.#fail(fault);
  }

  pause(): void {
    if (this.#state === 'over') return;
    this.#paused = true;
    this.#decoder?.pause();
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#state === 'over') return;
    this.#paused = false;
    this.#decoder?.resume();
    this.#controller?.resume();
  }

  abort(): void {
    this.#leave();
    const controller = this.#controller;
    this.#controller = null;
    controller?.abort(ABORTED);
  }

  #createDecoder(encoding: string): BodyDecoder {
    const decoder = createBodyDecoder(encoding, {
      data: (chunk) => this.#handler.data(chunk),
      drain: () => {
        if (!this.#paused) this.#controller?.resume();
      },
      end: () => this.#end(),
      error: (error) => {
        this.#fail({ kind: 'broken', message: `the compressed answer can't be read: ${error.message}` });
        this.abort();
      },
    });
    if (this.#paused) decoder.pause();
    return decoder;
  }

  #leave(): void {
    this.#state = 'over';
    this.#decoder?.destroy();
    this.#decoder = null;
  }

  #end(): void {
    if (this.#state === 'over') return;
    this.#leave();
    this.#handler.end();
  }

  #fail(fault: TransportFault): void {
    if (this.#state === 'over') return;
    this.#leave();
    this.#handler.fail(fault);
  }
}

/** A client for one origin, such as `https://api.example.com`. */
export function createHttpClient(origin: string, timeouts: ExchangeTimeouts): HttpClient {
  const pool = new Pool(origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false,
    connectTimeout: timeouts.connectMs,
    headersTimeout: timeouts.firstByteMs,
    bodyTimeout: timeouts.idleMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    factory: (address, options) => new CountingClient(address, options),
  });
  let closed: Promise<void> | null = null;

  async function closeWithin(ms: number, closing: Promise<void>): Promise<void> {
    const cutOff = Promise.withResolvers<void>();
    const timer = setTimeout(() => void pool.destroy().then(cutOff.resolve, cutOff.reject), ms);
    await Promise.race([closing, cutOff.promise]).finally(() => clearTimeout(timer));
  }
  return {
    send(request, handler) {
      const exchange = new Exchange(handler);
      pool.dispatch(
        { method: request.method, path: request.path, headers: request.headers, body: request.body },
        exchange,
      );
      exchange.dispatched();
      return exchange;
    },
    close: (withinMs) => {
      closed ??= pool.close();
      return withinMs === undefined ? closed : closeWithin(withinMs, closed);
    },
  };
}
