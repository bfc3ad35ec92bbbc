import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { assert } from '../../lib/assert.ts';
import type { ConnectionQuota } from './connection-quota.ts';
import { Connections } from './connections.ts';
import { listenFault } from './listen-fault.ts';
import { listeningUrl } from './listening-socket.ts';
import { answerMalformed, headRefusal, malformedRefusal } from './malformed.ts';
import type { PlainHandler } from './plain/plain-connection.ts';
import { PlainConnections } from './plain/plain-connections.ts';
import { refusalResponse } from './refusal-response.ts';
import { RequestsInTurn } from './requests-in-turn.ts';
import { EarlyResponse, isUnread, Lingering } from './unread-requests.ts';
import { TurnShare } from './turn-share.ts';
import { KEEP_ALIVE_MS, type ServerLimits, type ServerTimeouts, WATCH_MS } from './server-limits.ts';

/** During a hand-over, connections idle for this long are closed: a client rarely sends on one later. */
const HAND_OVER_IDLE_MS = 2_000;
const HAND_OVER_CHECK_MS = 50;
/** How long connections are accepted behind those that had come, if they come without a pause. */
const ACCEPT_MS_MAX = 1_000;

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
  /** An inherited socket of that address. Left out: the server binds the address itself. */
  readonly descriptor?: number;
}

/** The handlers of requests, which set the header x-request-id. */
export interface RequestHandlers {
  readonly any: (requestId: string, message: IncomingMessage, response: ServerResponse) => void;
  /** The handler of plain requests with that request line; undefined if node:http serves them. */
  readonly plain: (line: string) => PlainHandler | undefined;
  /** Called when the server begins to close connections, maybe again: answers without an end of their own have to end. */
  readonly ending?: () => void;
}

/**
 * The HTTP server. Every response has an x-request-id, even to malformed HTTP. Plain requests are read by plain/; from
 * the first other request on, node:http reads the connection.
 */
export class HttpServer {
  readonly #server: Server<typeof IncomingMessage, typeof EarlyResponse>;
  readonly #nextId: () => string;
  readonly #handle: RequestHandlers['any'];
  readonly #onEnding: () => void;
  readonly #quota: ConnectionQuota;
  /** The last response to be sent on each connection. */
  readonly #latest = new WeakMap<Socket, ServerResponse>();
  /** Of each connection that node:http reads. */
  readonly #inTurn = new WeakMap<Socket, RequestsInTurn>();
  readonly #share = new TurnShare();
  readonly #connections = new Connections();
  readonly #plain: PlainConnections;
  readonly #lingering: Lingering;
  /** Connections with a malformed or ambiguous request; later requests on them are not answered. */
  readonly #doubtful = new WeakSet<Socket>();
  /** The number of connections so far. */
  #accepted = 0;
  /** The number of requests in progress, of both kinds. */
  #running = 0;
  #idle: PromiseWithResolvers<void> | null = null;
  #isLeaving = false;
  #url = '';
  #draining = false;

  constructor(limits: ServerLimits, nextId: () => string, handlers: RequestHandlers) {
    this.#quota = limits.connections;
    this.#lingering = new Lingering(limits.bodyBytesMax);
    this.#nextId = nextId;
    this.#handle = handlers.any;
    this.#onEnding = handlers.ending ?? (() => {});
    this.#server = createServer({
      maxHeaderSize: limits.headerBytesMax,
      connectionsCheckingInterval: Math.min(WATCH_MS, limits.headersMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      // Node would answer these itself, without an id.
      requireHostHeader: false,
      IncomingMessage,
      ServerResponse: EarlyResponse,
    });
    // A caller that has closed its side may still wait for its answers.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#plain = new PlainConnections({
      limits,
      lingering: this.#lingering,
      nextId,
      find: handlers.plain,
      began: () => this.#began(),
      ended: () => this.#ended(),
      leave: this.#takeConnections(),
    });
    this.setTimeouts(limits);
    const onRequest = (message: IncomingMessage, response: EarlyResponse): void => this.#onRequest(message, response);
    this.#server.on('request', onRequest);
    this.#server.on('checkExpectation', onRequest);
    this.#server.on('checkContinue', (message: IncomingMessage, response: EarlyResponse) => {
      // A caller sends its body once it is read: one that is refused before that needn't send any.
      message.once('resume', () => {
        if (!response.headersSent) response.writeContinue();
      });
      onRequest(message, response);
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuse(error, socket));
    this.#server.on('connect', (message: IncomingMessage, socket: Socket) => {
      answerMalformed(socket, nextId(), malformedRefusal(message.method), this.#lingering);
    });
  }

  /** Sets the timeouts. An open connection uses them from its next request on. */
  setTimeouts(timeouts: ServerTimeouts): void {
    this.#plain.timeouts = timeouts;
    this.#server.timeout = timeouts.idleMs;
    this.#server.headersTimeout = timeouts.headersMs;
    this.#server.requestTimeout = timeouts.requestMs;
  }

  /** The URL at which it can be reached; empty until it listens. */
  get url(): string {
    return this.#url;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#quota.size;
  }

  /** The number of requests in progress. */
  get running(): number {
    return this.#running;
  }

  /** Whether it has begun to stop: it is unready, though it may still serve. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether it refuses requests. */
  get isDraining(): boolean {
    return this.#draining;
  }

  /** Listens, and returns its URL. @throws ListenFault if the address can't be bound */
  listen({ host, port, descriptor }: ListenTarget): Promise<string> {
    const options = descriptor === undefined ? { host, port } : { fd: descriptor };
    return new Promise((resolve, reject) => {
      const onError = (fault: NodeJS.ErrnoException): void => reject(listenFault(fault, host, port));
      this.#server.once('error', onError);
      this.#server.listen(options, () => {
        this.#server.off('error', onError);
        this.#url = listeningUrl(host, (this.#server.address() as AddressInfo).port);
        resolve(this.#url);
      });
    });
  }

  /** Continues to serve, but each answer closes its connection, so that clients and proxies use another server. */
  beginLeaving(): void {
    this.#isLeaving = true;
    this.#plain.isEnding = true;
  }

  /**
   * Accepts no new connections, because another process does. Requests on open connections are served for at most
   * `drainMs` and close their connection; then connections are destroyed.
   */
  async handOver(drainMs: number): Promise<void> {
    this.#plain.isEnding = true;
    this.#onEnding();
    await this.#acceptWaiting();
    // The HTTP server's own `close` would end idle connections immediately, although requests may be arriving on them.
    NetServer.prototype.close.call(this.#server);
    const endMs = performance.now() + drainMs;
    const firstIdleMs = performance.now() + HAND_OVER_IDLE_MS;
    for (let nowMs = performance.now(); this.#open > 0 && nowMs < endMs; nowMs = performance.now()) {
      if (nowMs >= firstIdleMs) this.#closeIdleSince(nowMs - HAND_OVER_IDLE_MS);
      await sleep(HAND_OVER_CHECK_MS);
    }
    await this.drain(0);
  }

  /** Accepts the connections that have come so far: those that still wait when the port closes are reset. */
  async #acceptWaiting(): Promise<void> {
    const endMs = performance.now() + ACCEPT_MS_MAX;
    let before: number;
    do {
      before = this.#accepted;
      // A turn of the event loop accepts one of them; the present one may be past that.
      await setImmediate();
      await setImmediate();
    } while (this.#accepted > before && performance.now() < endMs);
  }

  /** Accepts no new connections and waits at most `drainMs` for running requests, then destroys their connections. */
  async drain(drainMs: number): Promise<void> {
    this.beginLeaving();
    this.#draining = true;
    this.#onEnding();
    this.#server.close();
    this.#server.closeIdleConnections();
    this.#plain.closeIdleSince(Infinity);
    if (this.#running > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, drainMs);
      this.#idle ??= Promise.withResolvers();
      await Promise.race([promise, this.#idle.promise]);
      clearTimeout(timer);
    }
    this.#server.closeAllConnections();
    this.#plain.destroy();
    this.#lingering.destroy();
  }

  get #open(): number {
    return this.#connections.size + this.#plain.size;
  }

  #closeIdleSince(sinceMs: number): void {
    this.#connections.closeIdleSince(sinceMs);
    this.#plain.closeIdleSince(sinceMs);
  }

  /** Accepts new connections instead of node:http; the returned function passes one to node:http. */
  #takeConnections(): (socket: Socket, bytes: Buffer) => void {
    const server = this.#server;
    const [accept] = server.listeners('connection');
    assert(accept !== undefined, 'an HTTP server gets its connections by an event');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      if (this.#quota.admit(socket)) this.#plain.accept(socket);
    });
    return (socket, bytes) => {
      this.#connections.opened(socket);
      // So node:http ends a connection behind its last answer.
      socket.destroySoon = () => this.#endSoon(socket);
      if (socket.readableEnded) {
        // Bytes can't be put back into the socket: received bytes, and its end, are emitted as if they arrived now.
        accept.call(server, socket);
        this.#serveInTurn(socket).end(bytes);
        return;
      }
      // The bytes are emitted again: while the socket is paused, no others can precede them.
      socket.pause();
      socket.unshift(bytes);
      accept.call(server, socket);
      this.#serveInTurn(socket);
      socket.resume();
    };
  }

  #serveInTurn(socket: Socket): RequestsInTurn {
    const requests = new RequestsInTurn(socket, () => this.#latest.get(socket)?.req, this.#share);
    this.#inTurn.set(socket, requests);
    return requests;
  }

  #onRequest(message: IncomingMessage, response: EarlyResponse): void {
    if (this.#doubtful.has(message.socket)) return;
    const requestId = this.#nextId();
    this.#track(response);
    response.isServerEnding = () => this.#plain.isEnding;
    const refusal = headRefusal(message);
    if (refusal !== null) {
      this.#doubtful.add(message.socket);
      const { status, headers, body } = refusalResponse(refusal, requestId);
      response.writeHead(status, [...headers, 'connection', 'close']).end(body);
      return;
    }
    this.#handle(requestId, message, response);
  }

  #endSoon(socket: Socket): void {
    const latest = this.#latest.get(socket);
    if (latest === undefined || !isUnread(latest.req)) {
      Socket.prototype.destroySoon.call(socket);
      return;
    }
    this.#doubtful.add(socket);
    this.#lingering.end(socket);
  }

  #track(response: ServerResponse): void {
    const { socket } = response.req;
    this.#latest.set(socket, response);
    this.#connections.began(socket);
    this.#began();
    response.on('close', () => {
      if (this.#latest.get(socket) === response) this.#latest.delete(socket);
      this.#connections.ended(socket);
      this.#ended();
      this.#inTurn.get(socket)?.goOn();
    });
  }

  #began(): void {
    this.#running += 1;
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#idle?.resolve();
  }

  /** Refuses malformed input, after the answers to earlier requests. */
  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.#doubtful.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    this.#doubtful.add(socket);
    const answer = (): void => {
      if (socket.writable) answerMalformed(socket, this.#nextId(), malformedRefusal(error.code), this.#lingering);
    };
    const latest = this.#latest.get(socket);
    if (latest === undefined) answer();
    else if (latest.req.complete) latest.once('close', answer);
    // The malformed input is in the current request's body. If that request is answered already, that was the last
    // answer.
    else if (latest.headersSent) latest.once('close', () => this.#lingering.end(socket));
    else if (latest.socket !== null) answer();
    else latest.once('socket', answer);
  }
}
