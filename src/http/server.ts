import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerMalformed, malformedRefusal, namesOneHost } from './malformed.ts';
import { refusalResponse } from './refusal-response.ts';

/** How often Node looks for requests that take too long to arrive. */
const TIMEOUT_CHECK_MS = 500;
const KEEP_ALIVE_MS = 75_000;

export interface ServerLimits {
  readonly headerBytesMax: number;
  readonly connectionsMax: number;
  /** A caller's headers, and a caller's whole request; milliseconds. */
  readonly headersMs: number;
  readonly requestMs: number;
}

/** The address can't be listened on; the message is one line and says what to do. */
export class ListenFault extends Error {
  override readonly name = 'ListenFault';
}

function listenFault(fault: NodeJS.ErrnoException, host: string, port: number): ListenFault {
  const at = `${host} port ${port}`;
  switch (fault.code) {
    case 'EADDRINUSE':
      return new ListenFault(`${at} is in use by another program; stop it, or choose another with --port`, {
        cause: fault,
      });
    case 'EACCES':
      return new ListenFault(`${at} is not for this user to listen on; choose a port above 1023 with --port`, {
        cause: fault,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenFault(`${host} is no address of this machine; choose another with --host`, { cause: fault });
    default:
      return new ListenFault(`${at} can't be listened on: ${fault.message}`, { cause: fault });
  }
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
    this.#server.maxConnections = limits.connectionsMax;
    const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
      const requestId = nextId();
      response.setHeader('x-request-id', requestId);
      this.#track(response);
      if (this.#draining) response.shouldKeepAlive = false;
      if (!namesOneHost(message)) {
        const { status, headers, body } = refusalResponse(malformedRefusal(undefined));
        response.writeHead(status, { ...headers, connection: 'close' }).end(body);
        return;
      }
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

  /** Listens; answers with the URL at which it can be reached. @throws ListenFault where the address can't be had */
  listen(host: string, port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const onError = (fault: NodeJS.ErrnoException): void => reject(listenFault(fault, host, port));
      this.#server.once('error', onError);
      this.#server.listen(port, host, () => {
        this.#server.off('error', onError);
        const bound = (this.#server.address() as AddressInfo).port;
        resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
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
