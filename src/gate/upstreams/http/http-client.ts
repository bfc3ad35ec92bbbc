import { type BodyDecoder, createBodyDecoder, isDecodable } from './body-decoder.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Connection, Exchange, ExchangeTimeouts } from './connection.ts';
import { type ConnectionSettings, destinationOf } from './destination.ts';
import type { OutgoingRequest } from './request-text.ts';
import type { ResponseHead, ResponseHeaders } from './response-head.ts';
import type { TransportFault } from './transport-fault.ts';
import type { RunningAttempt } from '../upstream.ts';

// HTTP/1.1 to one origin: callbacks from the socket to the handler with no promise, stream or queue between them. It
// requests no compression and follows no redirect.

/**
 * Receives one exchange: `start`, any number of `data`, then `end`; or `fail` at any point. Never before `send`
 * returns.
 */
export interface ExchangeHandler {
  start(status: number, headers: ResponseHeaders): void;
  /** Decoded bytes of the body, owned by the handler. Bytes that were already read may still arrive after a pause. */
  data(chunk: Buffer): void;
  end(): void;
  fail(fault: TransportFault): void;
}

export interface HttpClient {
  send(request: OutgoingRequest, handler: ExchangeHandler): RunningAttempt;
  /**
   * Refuses new requests, lets running ones end, and closes the connections. Requests that still run after `withinMs`,
   * if given, are aborted and fail; a later call can set this time if the first has not.
   */
  close(withinMs?: number): Promise<void>;
}

/**
 * One request and its answer.
 * - `dispatching`: inside `send`; a failure now is reported once `send` has returned. Left when it returns.
 * - `waiting`: for a connection or for headers. Left by `start` or a failure.
 * - `receiving`: the body. Left by its end or a failure.
 * - `over`: after the end, a failure or an abort; the handler is not called any more.
 */
class HandledExchange implements Exchange, RunningAttempt {
  readonly request: OutgoingRequest;
  readonly #handler: ExchangeHandler;
  readonly #pool: ConnectionPool;
  #state: 'dispatching' | 'waiting' | 'receiving' | 'over' = 'dispatching';
  /** Null before it has one, and once its answer is complete: then the connection is free for another exchange. */
  #connection: Connection | null = null;
  #decoder: BodyDecoder | null = null;
  #isPaused = false;

  constructor(request: OutgoingRequest, handler: ExchangeHandler, pool: ConnectionPool) {
    this.request = request;
    this.#handler = handler;
    this.#pool = pool;
  }

  dispatch(): void {
    if (this.#pool.isClosing) this.fail({ kind: 'unreachable', message: 'the client is closed' });
    else this.#pool.send(this);
    if (this.#state === 'dispatching') this.#state = 'waiting';
  }

  begin(connection: Connection): void {
    this.#connection = connection;
    if (this.#isPaused) connection.pause();
  }

  head({ status, headers }: ResponseHead): void {
    this.#state = 'receiving';
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity' && encoding !== '') {
      if (typeof encoding !== 'string' || !isDecodable(encoding.toLowerCase())) {
        const message = 'the answer has a content-encoding that was not requested';
        this.#cutOff({ kind: 'malformed', status, message });
        return;
      }
      this.#decoder = this.#createDecoder(encoding.toLowerCase());
    }
    this.#handler.start(status, headers);
  }

  data(bytes: Buffer): void {
    if (this.#decoder === null) this.#handler.data(bytes);
    else if (!this.#decoder.write(bytes)) this.#connection?.pause();
  }

  end(): void {
    this.#connection = null;
    if (this.#decoder === null) this.#end();
    else this.#decoder.end();
  }

  fail(fault: TransportFault): void {
    this.#connection = null;
    if (this.#state === 'dispatching') queueMicrotask(() => this.#fail(fault));
    else this.#fail(fault);
  }

  pause(): void {
    if (this.#state === 'over') return;
    this.#isPaused = true;
    this.#decoder?.pause();
    this.#connection?.pause();
  }

  resume(): void {
    if (this.#state === 'over') return;
    this.#isPaused = false;
    this.#decoder?.resume();
    this.#connection?.resume();
  }

  abort(): void {
    if (this.#state === 'over') return;
    const connection = this.#connection;
    this.#leave();
    if (connection === null) this.#pool.forget(this);
    else connection.destroy();
  }

  #createDecoder(encoding: string): BodyDecoder {
    const decoder = createBodyDecoder(encoding, {
      data: (chunk) => this.#handler.data(chunk),
      drain: () => {
        if (!this.#isPaused) this.#connection?.resume();
      },
      end: () => this.#end(),
      error: ({ message }) =>
        this.#cutOff({ kind: 'broken', message: `the compressed answer can't be read: ${message}` }),
    });
    if (this.#isPaused) decoder.pause();
    return decoder;
  }

  #cutOff(fault: TransportFault): void {
    this.#connection?.destroy();
    this.#fail(fault);
  }

  #leave(): void {
    this.#state = 'over';
    this.#connection = null;
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

/**
 * A client for one origin, such as `https://api.example.com`. @throws Error if the settings' PEM texts can't be used
 */
export function createHttpClient(origin: string, timeouts: ExchangeTimeouts, settings: ConnectionSettings): HttpClient {
  const pool = new ConnectionPool(destinationOf(origin, settings), timeouts);
  let closed: Promise<void> | null = null;
  return {
    send(request, handler) {
      const exchange = new HandledExchange(request, handler, pool);
      exchange.dispatch();
      return exchange;
    },
    close(withinMs) {
      closed ??= pool.close();
      if (withinMs === undefined) return closed;
      const timer = setTimeout(() => pool.destroy(), withinMs);
      return closed.finally(() => clearTimeout(timer));
    },
  };
}
