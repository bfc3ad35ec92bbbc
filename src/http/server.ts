import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bag } from '../lib/bag.ts';
import { Connections } from './connections.ts';
import { listenFault } from './listen-fault.ts';
import { listeningUrl } from './listening-socket.ts';
import { answerMalformed, malformedRefusal, namesOneHost } from './malformed.ts';
import { refusalResponse } from './refusal-response.ts';

/** How often Node looks for requests that take too long to arrive. */
const TIMEOUT_CHECK_MS = 500;
const KEEP_ALIVE_MS = 75_000;
/** A server that hands over closes what stays idle for this long: whoever would send by it then is a rare one. */
const HAND_OVER_IDLE_MS = 2_000;
const HAND_OVER_CHECK_MS = 50;

/** How long what may take; milliseconds. */
export interface ServerPatience {
  /** How long a connection may stand still in both directions, answers that nobody reads included. */
  readonly idleMs: number;
  /** A caller's headers, and a caller's whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
}

export interface ServerLimits extends ServerPatience {
  readonly headerBytesMax: number;
  readonly connectionsMax: number;
}

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** A socket of that address that this process has inherited. Left out: the server takes the address itself. */
  readonly descriptor?: number;
}

/** Answers a request, with its id in the header x-request-id. */
export type RequestHandler = (requestId: string, message: IncomingMessage, response: ServerResponse) => void;

/** The listening socket. Every response of it carries an x-request-id, those to broken HTTP included. */
export class HttpServer {
  readonly #server: Server;
  readonly #nextId: () => string;
  readonly #running = new Bag<ServerResponse>();
  readonly #connections = new Connections();
  #idle: PromiseWithResolvers<void> | null = null;
  #draining = false;
  #handingOver = false;

  constructor(limits: ServerLimits, nextId: () => string, handle: RequestHandler) {
    this.#nextId = nextId;
    this.#server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, limits.headersMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      // Node would answer these by itself, without an id.
      requireHostHeader: false,
    });
    this.#server.maxConnections = limits.connectionsMax;
    this.wait(limits);
    const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
      const requestId = nextId();
      this.#track(response);
      if (this.#draining || this.#handingOver) response.shouldKeepAlive = false;
      if (!namesOneHost(message)) {
        const { status, headers, body } = refusalResponse(malformedRefusal(undefined));
        response.writeHead(status, ['x-request-id', requestId, ...headers, 'connection', 'close']).end(body);
        return;
      }
      handle(requestId, message, response);
    };
    this.#server.on('connection', (socket: Socket) => this.#connections.opened(socket));
    this.#server.on('request', onRequest);
    this.#server.on('checkExpectation', onRequest);
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuse(error, socket));
    this.#server.on('connect', (message: IncomingMessage, socket: Socket) => {
      answerMalformed(socket, nextId(), malformedRefusal(message.method));
    });
  }

  /** Sets how long what may take. A connection that is open takes it over with its next request. */
  wait({ idleMs, headersMs, requestMs }: ServerPatience): void {
    this.#server.timeout = idleMs;
    this.#server.headersTimeout = headersMs;
    this.#server.requestTimeout = requestMs;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Listens; answers with the URL at which it can be reached. @throws ListenFault where the address can't be had */
  listen({ host, port, descriptor }: ListenTarget): Promise<string> {
    const options = descriptor === undefined ? { host, port } : { fd: descriptor };
    return new Promise((resolve, reject) => {
      const onError = (fault: NodeJS.ErrnoException): void => reject(listenFault(fault, host, port));
      this.#server.once('error', onError);
      this.#server.listen(options, () => {
        this.#server.off('error', onError);
        resolve(listeningUrl(host, (this.#server.address() as AddressInfo).port));
      });
    });
  }

  /**
   * Takes no new connections, because another process does by now. What comes on those that are open is served, and ends
   * them; they have `drainMs` at most, then they are cut off.
   */
  async handOver(drainMs: number): Promise<void> {
    this.#handingOver = true;
    // The HTTP server's own close ends idle connections at once, on which requests may be on their way.
    NetServer.prototype.close.call(this.#server);
    const beganMs = performance.now();
    for (let nowMs = beganMs; this.#connections.size > 0 && nowMs < beganMs + drainMs; nowMs = performance.now()) {
      if (nowMs >= beganMs + HAND_OVER_IDLE_MS) this.#connections.closeIdleSince(nowMs - HAND_OVER_IDLE_MS);
      await sleep(HAND_OVER_CHECK_MS);
    }
    await this.drain(0);
  }

  /** Takes no new connections and lets running requests end, for `drainMs` at most; then cuts them off. */
  async drain(drainMs: number): Promise<void> {
    this.#draining = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    if (this.#running.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, drainMs);
      this.#idle ??= Promise.withResolvers();
      await Promise.race([promise, this.#idle.promise]);
      clearTimeout(timer);
    }
    this.#server.closeAllConnections();
  }

  #track(response: ServerResponse): void {
    const { socket } = response.req;
    const place = this.#running.add(response);
    this.#connections.began(socket);
    response.on('close', () => {
      this.#running.remove(place);
      this.#connections.ended(socket);
      if (this.#running.size === 0) this.#idle?.resolve();
    });
  }

  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const isAnswering = this.#running.items().some((response) => response.socket === socket && response.headersSent);
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    answerMalformed(socket, this.#nextId(), malformedRefusal(error.code));
  }
}
