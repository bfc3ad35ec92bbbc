import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerMalformed, malformedRefusal } from './malformed.ts';

/** How often Node looks for requests that take too long to arrive. */
const TIMEOUT_CHECK_MS = 500;
const KEEP_ALIVE_MS = 75_000;

export interface ServerLimits {
  readonly headerBytesMax: number;
  /** A caller's headers, and a caller's whole request; milliseconds. */
  readonly headersMs: number;
  readonly requestMs: number;
}

export type RequestHandler = (requestId: string, message: IncomingMessage, response: ServerResponse) => void;

/** The listening socket. Every response of it carries an x-request-id, those to broken HTTP included. */
export class HttpServer {
  readonly #server: Server;
  readonly #nextId: () => string;
  readonly #running = new Set<ServerResponse>();
  #onIdle: (() => void) | null = null;
  #draining = false;

  constructor(limits: ServerLimits, nextId: () => string, handle: RequestHandler) {
    this.#nextId = nextId;
    this.#server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      // Node would answer these by itself, without an id.
      requireHostHeader: false,
    });
    const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
      const requestId = nextId();
      response.setHeader('x-request-id', requestId);
      this.#track(response);
      if (this.#draining) response.shouldKeepAlive = false;
      handle(requestId, message, response);
    };
    this.#server.on('request', onRequest);
    this.#server.on('checkExpectation', onRequest);
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuse(error, socket));
    this.#server.on('connect', (message: IncomingMessage, socket: Socket) => {
      answerMalformed(socket, nextId(), malformedRefusal(message.method));
    });
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Listens; answers with the port that it got. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no new connections and lets running requests end, for `drainMs` at most; then cuts them off. */
  async drain(drainMs: number): Promise<void> {
    this.#draining = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    if (this.#running.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, drainMs);
      this.#onIdle = resolve;
      await promise;
      clearTimeout(timer);
    }
    this.#server.closeAllConnections();
  }

  #track(response: ServerResponse): void {
    this.#running.add(response);
    response.once('close', () => {
      this.#running.delete(response);
      if (this.#running.size === 0) this.#onIdle?.();
    });
  }

  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const isAnswering = [...this.#running].some((response) => response.socket === socket && response.headersSent);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    answerMalformed(socket, this.#nextId(), malformedRefusal(error.code));
  }
}
