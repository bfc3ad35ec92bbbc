import type { Socket } from 'node:net';
import { assert } from '../../../lib/assert.ts';
import { TurnQueue } from '../../turns/turn-queue.ts';
import { writeTogether } from '../../../lib/write-together.ts';
import type { Destination } from './destination.ts';
import { openSocket } from './open-socket.ts';
import { headText, type OutgoingRequest } from './request-text.ts';
import type { ResponseHead } from './response-head.ts';
import { type AnswerListener, ResponseParser } from './response-parser.ts';
import type { SocketListener, SocketAttempt } from './sockets.ts';
import type { TransportFault } from './transport-fault.ts';

/**
 * Milliseconds: until connected, until the answer's headers, between two pieces of its body, and for which an idle
 * connection is kept at most.
 */
export interface ExchangeTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly keepAliveMs: number;
}

/** One request on a connection. Receives its answer, in order, and then exactly one of `end` and `fail`. */
export interface Exchange {
  readonly request: OutgoingRequest;
  /** It runs on this connection from now on. */
  begin(connection: Connection): void;
  head(head: ResponseHead): void;
  data(bytes: Buffer): void;
  end(): void;
  fail(fault: TransportFault): void;
}

/** Receives a connection's changes of state. */
export interface ConnectionOwner {
  /** It has answered, and becomes idle in the next turn of the event loop unless it closes. */
  onResting(connection: Connection): void;
  /** It may run another exchange. */
  onIdle(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** How long an idle connection is kept if the server does not say how long it keeps it. */
const KEPT_MS = {
  /** Application servers commonly close after 5 s. */
  plain: 4_000,
  /** Connecting is dear, and the balancers that mostly end TLS keep connections for a minute or more. */
  secure: 30_000,
} as const;
/** A server may count its keep-alive time from an earlier moment than we do. */
const KEPT_MARGIN_MS = 1_000;
/**
 * A server that had closed the connection resets the request immediately; a later break is caused by work on the
 * request.
 */
const REPEATABLE_MS = 1_000;

/** Connections that read the first bytes of an answer in this turn, or all of it. */
const BEGINNINGS = new TurnQueue<Connection>('answers', (connection) => connection.parse());

/**
 * Connections that read more of an answer in progress. First bytes go before later ones.
 */
const CONTINUATIONS = new TurnQueue<Connection>('streams', (connection) => connection.parse());

/** Connections whose answers ended in the turn before, and that have received no byte since. */
const RESTED = new TurnQueue<Connection>('answers', (connection) => connection.endRest());

/**
 * One connection, and the exchange that runs on it.
 * - `connecting`: its first exchange waits for it. Left when it is established.
 * - `waiting`: the request is sent, and no head has arrived. Left by the head.
 * - `receiving`: the body. Left by its end.
 * - `resting`: the answer is complete. Extra bytes would be read as the next exchange's answer, so it waits one turn
 *   of the event loop for them. Left after that turn.
 * - `idle`: it waits for the next exchange.
 * - `closed`: no further event. Every other state is also left for `closed`, by a failure, an abort or a timeout.
 */
export class Connection implements AnswerListener, SocketListener {
  readonly #destination: Destination;
  readonly #timeouts: ExchangeTimeouts;
  readonly #owner: ConnectionOwner;
  readonly #opening: SocketAttempt;
  /** Null until it is connected. */
  #socket: Socket | null = null;
  readonly #parser = new ResponseParser(this);
  /** The bytes read in this turn. */
  #unparsed: Buffer | null = null;
  #state: 'connecting' | 'waiting' | 'receiving' | 'resting' | 'idle' | 'closed' = 'connecting';
  #exchange: Exchange | null;
  #status = 0;
  /** Whether it has received another answer before. */
  #hasAnswered = false;
  /** When the request was written, on the monotonic clock, and whether a byte has arrived since. */
  #writtenMs = 0;
  #hasHeard = false;
  #isKept = false;
  #keptMs = 0;
  #isPaused = false;
  /** The time of its timeout, on the monotonic clock. */
  #dueMs: number;

  constructor(destination: Destination, timeouts: ExchangeTimeouts, exchange: Exchange, owner: ConnectionOwner) {
    this.#destination = destination;
    this.#timeouts = timeouts;
    this.#owner = owner;
    this.#exchange = exchange;
    this.#dueMs = performance.now() + timeouts.connectMs;
    exchange.begin(this);
    this.#opening = openSocket(destination, this);
  }

  /** Sends a request by a connection that is idle. */
  send(exchange: Exchange): void {
    assert(this.#state === 'idle', 'one exchange at a time runs on a connection');
    this.#exchange = exchange;
    exchange.begin(this);
    this.#write(exchange.request);
  }

  /** Stops reading once the head has arrived. Bytes that were read before may still be passed. */
  pause(): void {
    this.#isPaused = true;
    if (this.#state === 'receiving') this.#hold();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#state !== 'receiving') return;
    this.#dueMs = performance.now() + this.#timeouts.idleMs;
    this.#socket?.resume();
  }

  /** Closes it. Its exchange is not called any more. */
  destroy(): void {
    this.#exchange = null;
    this.#close();
  }

  /** Closes it; its exchange fails. */
  cutOff(message: string): void {
    this.parse();
    this.#fail({ kind: this.#state === 'connecting' ? 'unreachable' : 'broken', message });
  }

  /** Parses the bytes read. */
  parse(): void {
    const bytes = this.#unparsed;
    this.#unparsed = null;
    if (bytes !== null) this.#parser.push(bytes);
  }

  /** Makes it idle, unless it has closed. */
  endRest(): void {
    if (this.#state !== 'resting') return;
    this.#state = 'idle';
    this.#owner.onIdle(this);
  }

  /** Closes it if its time is up. */
  watch(nowMs: number): void {
    if (nowMs < this.#dueMs) return;
    if (this.#state === 'connecting') this.#fail(this.#connectTimeout());
    else if (this.#state === 'waiting') this.#fail(timeout('first_byte', this.#timeouts.firstByteMs));
    else if (this.#state === 'receiving') this.#fail(timeout('idle', this.#timeouts.idleMs));
    else this.#close();
  }

  head(head: ResponseHead): void {
    const { status, isKept, keptMs } = head;
    this.#state = 'receiving';
    this.#status = status;
    this.#dueMs = performance.now() + this.#timeouts.idleMs;
    this.#isKept = isKept;
    const usualMs = this.#destination.isSecure ? KEPT_MS.secure : KEPT_MS.plain;
    this.#keptMs = Math.min(this.#timeouts.keepAliveMs, keptMs === null ? usualMs : keptMs - KEPT_MARGIN_MS);
    if (this.#isPaused) this.#hold();
    this.#exchange?.head(head);
  }

  data(bytes: Buffer): void {
    this.#exchange?.data(bytes);
  }

  end(rest: boolean): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#exchange = null;
    this.#hasAnswered = true;
    // A server that answers before it has read everything may take the rest for another request.
    const mayStay = this.#isKept && !rest && this.#keptMs > 0 && this.#socket?.writableLength === 0;
    if (mayStay) this.#rest();
    else this.#close();
    exchange.end();
  }

  malformed(message: string): void {
    this.#fail({ kind: 'malformed', status: this.#status, message });
  }

  connected(socket: Socket): void {
    this.#socket = socket;
    if (this.#state === 'connecting' && this.#exchange !== null) this.#write(this.#exchange.request);
  }

  read(bytes: Buffer): void {
    if (this.#unparsed === null) (this.#state === 'receiving' ? CONTINUATIONS : BEGINNINGS).add(this);
    else this.parse();
    if (this.#state === 'resting' || this.#state === 'idle') {
      this.#close();
      return;
    }
    this.#hasHeard = true;
    if (this.#state === 'receiving' && !this.#isPaused) this.#dueMs = performance.now() + this.#timeouts.idleMs;
    this.#unparsed = bytes;
  }

  ended(): void {
    this.parse();
    if (this.#state === 'receiving' && this.#parser.close()) return;
    this.broken('the other side has closed the connection');
  }

  broken(message: string): void {
    this.parse();
    if (this.#state === 'connecting') return this.#fail({ kind: 'unreachable', message });
    this.#fail({ kind: 'broken', message, ...(this.#isRepeatable() ? { isRepeatable: true } : {}) });
  }

  #write(request: OutgoingRequest): void {
    let head: string;
    try {
      head = headText(request, this.#destination.host);
    } catch (fault) {
      if (!(fault instanceof TypeError)) throw fault;
      this.#fail({ kind: 'unreachable', message: fault.message });
      return;
    }
    const socket = this.#socket;
    assert(socket !== null, 'a request is written once its connection stands');
    this.#state = 'waiting';
    this.#status = 0;
    this.#hasHeard = false;
    this.#writtenMs = performance.now();
    this.#dueMs = this.#writtenMs + this.#timeouts.firstByteMs;
    this.#parser.begin();
    writeTogether(socket, head, request.body ?? []);
  }

  /** Whether the server had most likely closed the connection before the request reached it. */
  #isRepeatable(): boolean {
    if (this.#state !== 'waiting' || !this.#hasAnswered || this.#hasHeard) return false;
    return performance.now() - this.#writtenMs < REPEATABLE_MS;
  }

  #connectTimeout(): TransportFault {
    const ms = this.#timeouts.connectMs;
    return { kind: 'timeout', phase: 'connect', message: `${this.#opening.pending} within ${ms} ms` };
  }

  #hold(): void {
    this.#dueMs = Infinity;
    this.#socket?.pause();
  }

  #rest(): void {
    this.#state = 'resting';
    this.#dueMs = performance.now() + this.#keptMs;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#socket?.resume();
    }
    RESTED.add(this);
    this.#owner.onResting(this);
  }

  #fail(fault: TransportFault): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#close();
    exchange?.fail(fault);
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#parser.stop();
    this.#opening.destroy();
    this.#owner.onClosed(this);
  }
}

function timeout(phase: 'first_byte' | 'idle', ms: number): TransportFault {
  return { kind: 'timeout', phase, message: `nothing came for ${ms} ms` };
}
