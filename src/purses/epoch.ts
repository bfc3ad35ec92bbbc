import type { Cancel, SystemClock } from '../lib/clock.ts';
import { DatabaseUnavailable } from '../lib/sql.ts';
import type { PurseStore } from './purse-store.ts';

/** Heartbeats in one time-out: a few may be lost before the process must hold still. */
const BEATS_PER_TIMEOUT = 6;

/**
 * This process's life as the database knows it. It counts itself dead once its last acknowledged heartbeat, by the time
 * of sending, is as old as the time-out, because from then on a peer may take its leases.
 */
export class Epoch {
  readonly id: bigint;
  readonly #store: PurseStore;
  readonly #clock: SystemClock;
  readonly #timeoutMs: number;
  readonly #onFault: (fault: unknown) => void;
  #acknowledgedSentMs: number;
  #cancel: Cancel = () => undefined;
  #stopped = false;

  constructor(parts: {
    id: bigint;
    store: PurseStore;
    clock: SystemClock;
    timeoutMs: number;
    begunAtMs: number;
    onFault: (fault: unknown) => void;
  }) {
    this.id = parts.id;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#timeoutMs = parts.timeoutMs;
    this.#acknowledgedSentMs = parts.begunAtMs;
    this.#onFault = parts.onFault;
  }

  /** Whether this process may still place holds. */
  get isLive(): boolean {
    return this.#clock.monotonicMs() - this.#acknowledgedSentMs < this.#timeoutMs;
  }

  /** Sends heartbeats from now on. */
  async start(): Promise<void> {
    await this.#beat();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #beat(): Promise<void> {
    const sentMs = this.#clock.monotonicMs();
    try {
      const { databaseNowMs } = await this.#store.heartbeat(this.id);
      this.#acknowledgedSentMs = sentMs;
      // The database read its clock somewhere between sending and receiving.
      this.#clock.synchronise(databaseNowMs, (sentMs + this.#clock.monotonicMs()) / 2);
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) this.#onFault(fault);
    }
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(this.#timeoutMs / BEATS_PER_TIMEOUT, () => void this.#beat());
  }
}
