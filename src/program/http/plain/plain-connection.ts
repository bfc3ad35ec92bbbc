import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { assert } from '../../../lib/assert.ts';
import type { ByteBudget } from '../../../lib/byte-budget.ts';
import type { Place } from '../../../lib/bag.ts';
import { headEnd } from '../../../lib/head-end.ts';
import { answerMalformed, malformedRefusal } from '../malformed.ts';
import { KEEP_ALIVE_MS, type ServerTimeouts } from '../server-limits.ts';
import type { Lingering } from '../unread-requests.ts';
import { answerHead, type HeaderLists } from './answer-text.ts';
import { AnswerWriter } from './answer-writer.ts';
import { PlainBody } from './plain-body.ts';
import { type CallerLine, PlainCaller } from './plain-caller.ts';
import { type PlainHead, readPlainHead } from './plain-head.ts';

/** Answers a request. */
export type PlainHandler = (caller: PlainCaller) => void;

/** The parts of the server that a connection needs. */
export interface PlainServer {
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  readonly budget: ByteBudget;
  readonly lingering: Lingering;
  readonly timeouts: ServerTimeouts;
  /** Whether each answer closes its connection. */
  readonly isEnding: boolean;
  /** The handler of requests with that line; undefined if node:http serves them. */
  find(line: string): PlainHandler | undefined;
  nextId(): string;
  /** Called when a request begins, and when it ends. */
  began(): void;
  ended(): void;
  /** Passes the socket, with all received bytes, to node:http. */
  leave(connection: PlainConnection, socket: Socket, bytes: Buffer): void;
  /** Continues the connection within this turn of the event loop. */
  goOnSoon(connection: PlainConnection): void;
  closed(connection: PlainConnection): void;
}

const HEAD_END_BYTES = 4;
const LINE_END_BYTES = 2;
const SECOND_MS = 1_000;

/**
 * A connection whose requests are read here while they are plain. The first other request is passed to node:http,
 * together with the connection.
 * - `idle`: it waits for a request. Left by its head.
 * - `serving`: a request is being answered, or its body received. Left when both are over.
 * - `ending`: the last answer is sent, and what still comes is not looked at. Left when the caller closes the connection
 *   too, or after a while.
 * - `left`: node:http reads the connection.
 * - `closed`: no further events.
 */
export class PlainConnection implements CallerLine {
  /** Its index among the server's connections. */
  place: Place<PlainConnection> | null = null;
  readonly #socket: Socket;
  readonly #server: PlainServer;
  readonly #writer: AnswerWriter;
  #state: 'idle' | 'serving' | 'ending' | 'left' | 'closed' = 'idle';
  #caller: PlainCaller | null = null;
  #body: PlainBody | null = null;
  #closes = false;
  /** Whether the whole answer is passed to the system. */
  #isAnswered = false;
  #hasServed = false;
  /** Received bytes that must not be parsed yet. */
  #early: Buffer | null = null;
  #isHeldBack = false;
  #isAdvancing = false;
  /** Whether the caller has closed its side: no further bytes arrive. */
  #isHalfClosed = false;
  /** Whether the socket has a timeout, which each of its reads and writes would renew: only a request that takes long has. */
  #isTimed = false;
  /** Its deadline, on the monotonic clock. */
  #dueMs: number;

  constructor(socket: Socket, server: PlainServer) {
    this.#socket = socket;
    this.#server = server;
    this.#writer = new AnswerWriter(socket, (fault) => this.#sent(fault));
    this.#dueMs = performance.now() + server.timeouts.headersMs;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Parses received bytes as far as the state allows. */
  goOn(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (this.#early !== null && this.#mayGoOn()) {
      const bytes = this.#early;
      this.#early = null;
      if (this.#state === 'idle') this.#begin(bytes);
      else this.#takeBody(bytes);
    }
    this.#isAdvancing = false;
    if (this.#state === 'left') return;
    this.#holdBack(this.#early !== null);
    if (this.#isHalfClosed) this.#endIfDone();
  }

  /** Closes the connection if its time is up. */
  watch(nowMs: number): void {
    if (this.#state === 'serving' && !this.#isTimed) {
      this.#isTimed = true;
      this.#socket.setTimeout(this.#server.timeouts.idleMs, this.#onTimeout);
    }
    if (nowMs < this.#dueMs) return;
    const isAwaited =
      this.#state === 'serving' ? !this.#caller?.hasStarted : this.#state === 'idle' && !this.#hasServed;
    if (isAwaited) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
    else this.#socket.destroy();
  }

  /** Closes the connection if it has been idle since then, on the monotonic clock. */
  closeIdleSince(sinceMs: number): void {
    const waitMs = this.#hasServed ? KEEP_ALIVE_MS : this.#server.timeouts.headersMs;
    if (this.#state === 'idle' && this.#early === null && this.#dueMs <= sinceMs + waitMs) this.#socket.destroy();
  }

  get peerAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  destroy(): void {
    this.#socket.destroy();
  }

  reply(status: number, headers: HeaderLists, body: Buffer, closes: boolean): void {
    // The rest of a refused request is not read.
    if (closes || (this.#body?.left ?? 0) > 0) this.#closes = true;
    this.#writer.write(this.#headOf(status, headers), body);
  }

  start(status: number, headers: HeaderLists): void {
    this.#writer.send(this.#headOf(status, headers));
  }

  send(text: string): boolean {
    return this.#writer.send(text);
  }

  finish(text: string): void {
    this.#writer.finish(text);
  }

  wantsBody(): void {
    this.goOn();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#state === 'idle' && this.#early === null) {
      this.#early = bytes;
      this.#server.goOnSoon(this);
      return;
    }
    this.goOn();
    if (this.#state === 'left') {
      // The end follows the bytes that were passed on with the socket.
      this.#socket.push(bytes);
      return;
    }
    this.#early = this.#early === null ? bytes : Buffer.concat([this.#early, bytes]);
    this.goOn();
  };

  readonly #onEnd = (): void => {
    this.#isHalfClosed = true;
    this.goOn();
  };

  readonly #onTimeout = (): void => void this.#socket.destroy();

  readonly #onDrain = (): void => this.#caller?.drained();

  /** Closes the connection after any error. */
  readonly #onError = (): void => undefined;

  readonly #onClose = (): void => {
    this.#writer.drop();
    this.#state = 'closed';
    this.#abandon();
    this.#server.closed(this);
  };

  /**
   * No further bytes arrive: drops an incomplete request. A complete one is answered, since its caller may wait for the
   * answer.
   */
  #endIfDone(): void {
    const missing = (this.#body?.left ?? 0) - (this.#early?.length ?? 0);
    if (this.#state !== 'serving') {
      if (this.#early === null) this.#socket.end();
    } else if (missing <= 0) this.#caller?.halfClose();
    else if (!this.#caller?.hasStarted) this.#refuse(undefined);
    else if (this.#writer.isWhole) this.#socket.end();
    else this.#socket.destroy();
  }

  /** The answer has been passed to the system. */
  #sent(fault: Error | null | undefined): void {
    if (fault || this.#state !== 'serving') return;
    this.#isAnswered = true;
    const body = this.#body;
    assert(body !== null, 'an answer has a request');
    body.discard();
    this.#over();
  }

  #mayGoOn(): boolean {
    if (this.#state === 'idle') return true;
    return this.#state === 'serving' && this.#body !== null && this.#body.left > 0 && this.#body.takesMore;
  }

  #holdBack(isHeldBack: boolean): void {
    if (this.#isHeldBack === isHeldBack) return;
    this.#isHeldBack = isHeldBack;
    if (isHeldBack) this.#socket.pause();
    else this.#socket.resume();
  }

  #begin(bytes: Buffer): void {
    const server = this.#server;
    const bodyAt = headEnd(bytes) + HEAD_END_BYTES;
    const hasHead = bodyAt >= HEAD_END_BYTES && bodyAt <= server.headerBytesMax;
    const head = hasHead ? readPlainHead(bytes.toString('latin1', 0, bodyAt - LINE_END_BYTES)) : null;
    const handle = head === null || head.length > server.bodyBytesMax ? undefined : server.find(head.line);
    if (head === null || handle === undefined) {
      this.#leave(bytes);
      return;
    }
    this.#serve(head, bytes.subarray(bodyAt), handle);
  }

  #serve(head: PlainHead, bytes: Buffer, handle: PlainHandler): void {
    const server = this.#server;
    const body = new PlainBody(head.length, server.budget);
    const caller = new PlainCaller(server.nextId(), head, body, this, server.bodyBytesMax);
    this.#state = 'serving';
    this.#caller = caller;
    this.#body = body;
    this.#closes = head.closes;
    this.#writer.begin();
    this.#isAnswered = false;
    if (head.length > 0) this.#takeBody(bytes);
    else if (bytes.length > 0) this.#early = bytes;
    this.#dueMs = body.left === 0 ? Infinity : performance.now() + server.timeouts.requestMs;
    server.began();
    handle(caller);
  }

  #takeBody(bytes: Buffer): void {
    const body = this.#body;
    assert(body !== null, 'a body belongs to a request');
    const { left } = body;
    if (bytes.length > 0) body.take(bytes.length <= left ? bytes : bytes.subarray(0, left));
    if (bytes.length > left) this.#early = bytes.subarray(left);
    if (body.left === 0) this.#dueMs = Infinity;
  }

  /** The request is over. */
  #over(): void {
    this.#hasServed = true;
    this.#caller = null;
    this.#body = null;
    if (this.#isTimed) this.#endTimeout();
    this.#server.ended();
    if (this.#isLast) {
      this.#end();
      this.#server.lingering.end(this.#socket);
    } else {
      this.#state = 'idle';
      this.#dueMs = performance.now() + KEEP_ALIVE_MS;
      // Pipelined requests start in a turn each, so that they don't delay other connections.
      if (this.#early === null) this.goOn();
      else setImmediate(() => this.goOn());
    }
  }

  /** Refuses incomplete HTTP, and closes. */
  #refuse(code: string | undefined): void {
    const requestId = this.#caller?.requestId ?? this.#server.nextId();
    this.#end();
    this.#abandon();
    answerMalformed(this.#socket, requestId, malformedRefusal(code), this.#server.lingering);
  }

  #end(): void {
    this.#state = 'ending';
    this.#early = null;
    this.#isHeldBack = false;
    this.#dueMs = Infinity;
  }

  /** Notifies the running handler that its caller has left. */
  #abandon(): void {
    const caller = this.#caller;
    if (caller === null) return;
    this.#caller = null;
    this.#body?.discard();
    this.#body = null;
    this.#server.ended();
    if (!this.#isAnswered) caller.leave();
  }

  /** A connection that is kept waits for longer than one may stand still within a request. */
  #endTimeout(): void {
    this.#isTimed = false;
    this.#socket.setTimeout(0, this.#onTimeout);
  }

  #leave(bytes: Buffer): void {
    const socket = this.#socket;
    this.#state = 'left';
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('drain', this.#onDrain);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    this.#server.leave(this, socket, bytes);
  }

  #headOf(status: number, headers: HeaderLists): string {
    if (this.#server.isEnding) this.#closes = true;
    return answerHead(status, headers, this.#isLast ? null : KEEP_ALIVE_MS / SECOND_MS);
  }

  /** Whether this is the last request of the connection. */
  get #isLast(): boolean {
    return this.#closes || (this.#isHalfClosed && this.#early === null);
  }
}
