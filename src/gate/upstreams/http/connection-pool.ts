import { assert } from '../../../lib/assert.ts';
import { Connection, type ConnectionOwner, type Exchange, type ExchangeTimeouts } from './connection.ts';
import type { Destination } from './destination.ts';

/** The limits of ephemeral ports and file descriptors are well above this, so that a leak is stopped here. */
const CONNECTIONS_MAX = 4_096;
/** The granularity of the timeout checks: this part of the shortest timeout. */
const LATENESS = 8;
const WATCH_MS_LEAST = 5;
const WATCH_MS_MOST = 250;

const CLOSED = 'the client was closed';

/**
 * The connections to one origin. Each has one exchange at a time; if all are busy another one is opened. The one that
 * was used last is used next, so that those which aren't needed any more end by themselves.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #destination: Destination;
  readonly #timeouts: ExchangeTimeouts;
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  /** Connections that have answered and become idle in the next turn of the event loop. */
  readonly #resting = new Set<Connection>();
  /** Exchanges that wait for those, or for the maximum number of connections. */
  readonly #waiting: Exchange[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #watch: NodeJS.Timeout | null = null;
  #isClosing = false;

  constructor(destination: Destination, timeouts: ExchangeTimeouts) {
    this.#destination = destination;
    this.#timeouts = timeouts;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Runs the exchange on a connection, which it gets; later if one is about to be idle, or no more may be opened. */
  send(exchange: Exchange): void {
    assert(!this.#isClosing, 'nothing is sent by a pool that is being closed');
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.send(exchange);
      return;
    }
    this.#waiting.push(exchange);
    this.#openForWaiting();
  }

  /** Forgets an exchange that has no connection yet. */
  forget(exchange: Exchange): void {
    const at = this.#waiting.indexOf(exchange);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  /** Closes idle connections, and each other one once its exchange is over. Resolves when none is left. */
  close(): Promise<void> {
    this.#isClosing = true;
    for (const connection of this.#idle.splice(0)) connection.destroy();
    this.#endIfDone();
    return this.#closed.promise;
  }

  /** Aborts everything that still runs. */
  destroy(): void {
    for (const exchange of this.#waiting.splice(0)) exchange.fail({ kind: 'unreachable', message: CLOSED });
    for (const connection of this.#all) connection.cutOff(CLOSED);
  }

  onResting(connection: Connection): void {
    this.#resting.add(connection);
  }

  onIdle(connection: Connection): void {
    this.#resting.delete(connection);
    const next = this.#waiting.shift();
    if (next !== undefined) connection.send(next);
    else if (this.#isClosing) connection.destroy();
    else this.#idle.push(connection);
  }

  onClosed(connection: Connection): void {
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#resting.delete(connection);
    this.#openForWaiting();
    this.#endIfDone();
  }

  /** Opens connections for exchanges beyond those that wait for one which is about to be idle. */
  #openForWaiting(): void {
    while (this.#waiting.length > this.#resting.size && this.#all.size < CONNECTIONS_MAX) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#open(next);
    }
  }

  #open(exchange: Exchange): void {
    this.#all.add(new Connection(this.#destination, this.#timeouts, exchange, this));
    this.#watch ??= setInterval(() => this.#look(), this.#watchMs).unref();
  }

  get #watchMs(): number {
    const { connectMs, firstByteMs, idleMs } = this.#timeouts;
    const shortest = Math.min(connectMs, firstByteMs, idleMs);
    return Math.min(WATCH_MS_MOST, Math.max(WATCH_MS_LEAST, shortest / LATENESS));
  }

  #look(): void {
    const nowMs = performance.now();
    for (const connection of this.#all) connection.watch(nowMs);
  }

  #endIfDone(): void {
    if (this.#all.size > 0) return;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
    if (this.#isClosing) this.#closed.resolve();
  }
}
