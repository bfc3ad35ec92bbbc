import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { assert } from '../../lib/assert.ts';
import { TurnQueue } from '../../lib/turn-queue.ts';
import { writeTogether } from '../../lib/write-together.ts';
import { headText, type OutgoingRequest } from './request-text.ts';
import type { ResponseHead } from './response-head.ts';
import { type AnswerListener, ResponseParser } from './response-parser.ts';
import { describeError, type TransportFault } from './transport-fault.ts';

/** Milliseconds: until connected, until the answer's headers, and between two pieces of its body. */
export interface ExchangeTimeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** Where connections lead. */
export interface Destination {
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The header `host`. */
  readonly host: string;
  /** What the server gave us to take up the last TLS session with. */
  session: Buffer | undefined;
}

/** One request on a connection. Hears its answer, in order, and then exactly one of `end` and `fail`. */
export interface Exchange {
  readonly request: OutgoingRequest;
  /** It runs on this connection from now on. */
  begin(connection: Connection): void;
  head(head: ResponseHead): void;
  data(bytes: Buffer): void;
  end(): void;
  fail(fault: TransportFault): void;
}

/** Hears what becomes of a connection. */
export interface ConnectionOwner {
  /** It has answered, and may be asked again. */
  onIdle(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** Servers commonly close idle connections after 5 s without saying so; a request on a closing one would be lost. */
const KEPT_MS = 4_000;
/** Who says how long it keeps a connection may count from earlier than we do. */
const KEPT_MARGIN_MS = 1_000;
const PROBE_AFTER_MS = 60_000;
const READ_BYTES = 65_536;

/** All connections are read into one buffer, and what is read copied out of it before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(READ_BYTES);

/** What has read the first of an answer in this turn, or all of it. */
const BEGINNINGS = new TurnQueue<Connection>('answers', (connection) => connection.parse());

/** What has read more of an answer that has begun. Whoever waits for a first word goes before those who have had one. */
const CONTINUATIONS = new TurnQueue<Connection>('streams', (connection) => connection.parse());

/**
 * One connection, and the exchange that runs on it.
 * - `connecting`: its first exchange waits for it. Left when it stands.
 * - `waiting`: the request is sent, no head has come. Left by the head.
 * - `receiving`: the body. Left by its end.
 * - `idle`: it waits for the next exchange.
 * - `closed`: nothing more is heard of it.
 * Every other state is also left for `closed`, by a failure, an abort or a time that is up.
 */
export class Connection implements AnswerListener {
  readonly #destination: Destination;
  readonly #timeouts: ExchangeTimeouts;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser(this);
  /** What has been read in this turn. */
  #unparsed: Buffer | null = null;
  #state: 'connecting' | 'waiting' | 'receiving' | 'idle' | 'closed' = 'connecting';
  #exchange: Exchange | null;
  #status = 0;
  /** Whether another answer came by it before. */
  #hasAnswered = false;
  #isKept = false;
  #keptMs = KEPT_MS;
  #isPaused = false;
  /** When it will have taken too long, on the monotonic clock. */
  #dueMs: number;

  constructor(destination: Destination, timeouts: ExchangeTimeouts, exchange: Exchange, owner: ConnectionOwner) {
    this.#destination = destination;
    this.#timeouts = timeouts;
    this.#owner = owner;
    this.#exchange = exchange;
    this.#dueMs = performance.now() + timeouts.connectMs;
    exchange.begin(this);
    this.#socket = this.#open();
    this.#socket.on('error', (error) => this.#broken(describeError(error)));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('close', () => this.#broken('the connection was closed'));
  }

  /** Sends a request by a connection that is idle. */
  send(exchange: Exchange): void {
    assert(this.#state === 'idle', 'one exchange at a time runs on a connection');
    this.#exchange = exchange;
    exchange.begin(this);
    this.#write(exchange.request);
  }

  /** Stops reading once the head has come. Bytes that were read already may still come. */
  pause(): void {
    this.#isPaused = true;
    if (this.#state === 'receiving') this.#hold();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#state !== 'receiving') return;
    this.#dueMs = performance.now() + this.#timeouts.idleMs;
    this.#socket.resume();
  }

  /** Closes it. Its exchange hears nothing more. */
  destroy(): void {
    this.#exchange = null;
    this.#close();
  }

  /** Closes it; its exchange fails. */
  cutOff(message: string): void {
    this.#broken(message);
  }

  /** Takes what has been read. */
  parse(): void {
    const bytes = this.#unparsed;
    this.#unparsed = null;
    if (bytes !== null) this.#parser.push(bytes);
  }

  /** Closes it where its time is up. */
  watch(nowMs: number): void {
    if (nowMs < this.#dueMs) return;
    if (this.#state === 'connecting') this.#fail(timeout('connect', this.#timeouts.connectMs));
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
    this.#keptMs = keptMs === null ? KEPT_MS : Math.min(KEPT_MS, keptMs - KEPT_MARGIN_MS);
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
    // A server that answers before it has heard all may take the rest for another request.
    const mayStay = this.#isKept && !rest && this.#keptMs > 0 && this.#socket.writableLength === 0;
    if (mayStay) this.#rest();
    else this.#close();
    exchange.end();
  }

  malformed(message: string): void {
    this.#fail({ kind: 'malformed', status: this.#status, message });
  }

  #open(): Socket {
    const { isSecure, hostname, port, session } = this.#destination;
    const target = { host: hostname, port, onread: { buffer: READ_BUFFER, callback: this.#onRead } };
    let socket: Socket;
    if (isSecure) {
      const servername = isIP(hostname) === 0 ? hostname : '';
      socket = connectSecure({ ...target, servername, ALPNProtocols: ['http/1.1'], ...(session && { session }) });
      socket.on('session', (next: Buffer) => {
        this.#destination.session = next;
      });
    } else {
      socket = connectPlain(target);
    }
    socket.once(isSecure ? 'secureConnect' : 'connect', () => this.#connected());
    socket.setNoDelay(true);
    socket.setKeepAlive(true, PROBE_AFTER_MS);
    return socket;
  }

  readonly #onRead = (count: number): boolean => {
    if (this.#unparsed === null) (this.#state === 'receiving' ? CONTINUATIONS : BEGINNINGS).add(this);
    else this.parse();
    if (this.#state === 'idle') {
      this.#close();
      return true;
    }
    if (this.#state === 'receiving' && !this.#isPaused) this.#dueMs = performance.now() + this.#timeouts.idleMs;
    this.#unparsed = Buffer.from(READ_BUFFER.subarray(0, count));
    return true;
  };

  #connected(): void {
    if (this.#state === 'connecting' && this.#exchange !== null) this.#write(this.#exchange.request);
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
    this.#state = 'waiting';
    this.#status = 0;
    this.#dueMs = performance.now() + this.#timeouts.firstByteMs;
    this.#parser.begin();
    writeTogether(this.#socket, head, request.body ?? []);
  }

  #hold(): void {
    this.#dueMs = Infinity;
    this.#socket.pause();
  }

  #rest(): void {
    this.#state = 'idle';
    this.#dueMs = performance.now() + this.#keptMs;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    this.#owner.onIdle(this);
  }

  #ended(): void {
    this.parse();
    if (this.#state === 'receiving' && this.#parser.close()) return;
    this.#broken('the other side has closed the connection');
  }

  #broken(message: string): void {
    this.parse();
    if (this.#state === 'connecting') return this.#fail({ kind: 'unreachable', message });
    const isUnanswered = this.#hasAnswered && this.#state === 'waiting';
    this.#fail({ kind: 'broken', message, ...(isUnanswered ? { isUnanswered } : {}) });
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
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }
}

function timeout(phase: 'connect' | 'first_byte' | 'idle', ms: number): TransportFault {
  return { kind: 'timeout', phase, message: `nothing came for ${ms} ms` };
}
