import type { Socket } from 'node:net';
import { Bag } from '../../../lib/bag.ts';
import { TurnQueue } from '../../../gate/turns/turn-queue.ts';
import { type ServerLimits, type ServerTimeouts, WATCH_MS } from '../server-limits.ts';
import type { Lingering } from '../unread-requests.ts';
import { PlainConnection, type PlainHandler, type PlainServer } from './plain-connection.ts';

/** The parts of the accepting server that the connections need. */
export interface PlainParts {
  readonly limits: ServerLimits;
  readonly lingering: Lingering;
  readonly nextId: () => string;
  readonly find: (line: string) => PlainHandler | undefined;
  /** A request has begun; it has ended. */
  readonly began: () => void;
  readonly ended: () => void;
  /** Passes a socket, with all received bytes, to node:http. */
  readonly leave: (socket: Socket, bytes: Buffer) => void;
}

/** The connections that are read without node:http. */
export class PlainConnections implements PlainServer {
  readonly headerBytesMax: number;
  readonly bodyBytesMax: number;
  readonly budget: ServerLimits['budget'];
  readonly lingering: Lingering;
  timeouts: ServerTimeouts;
  isEnding = false;
  readonly find: PlainParts['find'];
  readonly nextId: () => string;
  readonly began: () => void;
  readonly ended: () => void;
  readonly #leave: PlainParts['leave'];
  readonly #open = new Bag<PlainConnection>();
  readonly #waiting = new TurnQueue<PlainConnection>('requests', (connection) => connection.goOn());
  #watching: NodeJS.Timeout | null = null;

  constructor({ limits, lingering, nextId, find, began, ended, leave }: PlainParts) {
    this.headerBytesMax = limits.headerBytesMax;
    this.bodyBytesMax = limits.bodyBytesMax;
    this.budget = limits.budget;
    this.lingering = lingering;
    this.timeouts = limits;
    this.nextId = nextId;
    this.find = find;
    this.began = began;
    this.ended = ended;
    this.#leave = leave;
  }

  get size(): number {
    return this.#open.size;
  }

  accept(socket: Socket): void {
    const connection = new PlainConnection(socket, this);
    connection.place = this.#open.add(connection);
    const { headersMs, idleMs } = this.timeouts;
    this.#watching ??= setInterval(() => this.#watch(), Math.min(WATCH_MS, headersMs, idleMs)).unref();
  }

  goOnSoon(connection: PlainConnection): void {
    this.#waiting.add(connection);
  }

  leave(connection: PlainConnection, socket: Socket, bytes: Buffer): void {
    this.closed(connection);
    this.#leave(socket, bytes);
  }

  closed({ place }: PlainConnection): void {
    if (place !== null) this.#open.remove(place);
    if (this.#open.size > 0 || this.#watching === null) return;
    clearInterval(this.#watching);
    this.#watching = null;
  }

  /** Closes connections that have been idle since then, on the monotonic clock. */
  closeIdleSince(sinceMs: number): void {
    for (const connection of this.#open.items()) connection.closeIdleSince(sinceMs);
  }

  destroy(): void {
    for (const connection of this.#open.items()) connection.destroy();
  }

  #watch(): void {
    const nowMs = performance.now();
    for (const connection of this.#open.items()) connection.watch(nowMs);
  }
}
