import type { KeptResponse } from '../gateway/response-store.ts';
import type { Cancel, Clock } from '../lib/clock.ts';
import { pause } from '../lib/pause.ts';
import { BRIEF, DatabaseUnavailable, type SqlRunner } from '../lib/sql.ts';
import type { Turns } from '../turns/stages.ts';
import { keepArguments, keptBytes, type StoreLimits } from './keep-arguments.ts';

/** As long as the end of an answer waits for its receipt. */
const KEEP_MS_MAX = 5_000;
const RETRY_MS = 100;

/** What waits to be kept is in memory. */
const WAITING_BYTES_MAX = 64 * 2 ** 20;
const BATCH_MAX = 100;
const BATCH_BYTES_MAX = 4 * 2 ** 20;

const FREQUENT = { ...BRIEF, isFrequent: true };

const KEEP = 'select refused from keep_responses($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)';

interface WaitingResponse {
  readonly response: KeptResponse;
  readonly limits: StoreLimits;
  readonly bytes: number;
  /** Lets its caller have the end of its answer; once. */
  readonly resolve: () => void;
  readonly cancelDeadline: Cancel;
  isOver: boolean;
}

/**
 * Writes responses in batches: one is under way, and what gathers in the meantime goes next. A response that isn't written
 * in time, or finds too much waiting, is lost: its answer doesn't wait any longer. A batch whose outcome is unknown is sent
 * again, and changes nothing if it took effect.
 */
export class ResponseKeeper {
  readonly #sql: SqlRunner;
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #onLost: (requestId: string, reason: unknown) => void;
  #queue: WaitingResponse[] = [];
  #waitingBytes = 0;
  #isRunning = false;

  constructor(parts: {
    readonly sql: SqlRunner;
    readonly clock: Clock;
    readonly turns: Turns;
    readonly onLost: (requestId: string, reason: unknown) => void;
  }) {
    this.#sql = parts.sql;
    this.#clock = parts.clock;
    this.#turns = parts.turns;
    this.#onLost = parts.onLost;
  }

  /** Resolves once the response is written, or lost. */
  async keep(response: KeptResponse, limits: StoreLimits): Promise<void> {
    const bytes = keptBytes(response);
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX) {
      this.#onLost(response.requestId, new Error('too many bytes of responses wait for the database'));
      return;
    }
    this.#waitingBytes += bytes;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancelDeadline = this.#clock.after(KEEP_MS_MAX, () =>
      this.#lose(waiting, new Error('the database did not take it in time')),
    );
    const waiting: WaitingResponse = { response, limits, bytes, resolve, cancelDeadline, isOver: false };
    this.#queue.push(waiting);
    if (!this.#isRunning) this.#run().catch((fault: unknown) => this.#loseAll(fault));
    await promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      // Answers that came in together are kept together.
      await this.#turns.turn('statements');
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      try {
        const refused = await this.#write(batch);
        for (const waiting of batch) this.#finish(waiting, refused);
      } catch (fault) {
        if (fault instanceof DatabaseUnavailable) await this.#sendAgain(batch);
        else for (const waiting of batch) this.#lose(waiting, fault);
      }
      for (const { isOver, bytes } of batch) if (isOver) this.#waitingBytes -= bytes;
    }
    this.#isRunning = false;
  }

  /** Those that have the same limits. */
  #nextBatch(): readonly WaitingResponse[] {
    const batch: WaitingResponse[] = [];
    let bytes = 0;
    let next: WaitingResponse | undefined;
    while ((next = this.#queue[0]) !== undefined) {
      const [first = next] = batch;
      const isFull = batch.length > 0 && (batch.length === BATCH_MAX || bytes + next.bytes > BATCH_BYTES_MAX);
      if (isFull || next.limits !== first.limits) break;
      this.#queue.shift();
      if (next.isOver) this.#waitingBytes -= next.bytes;
      else batch.push(next);
      bytes += next.bytes;
    }
    return batch;
  }

  async #sendAgain(batch: readonly WaitingResponse[]): Promise<void> {
    await pause(this.#clock, RETRY_MS);
    this.#queue.unshift(...batch.filter(({ isOver }) => !isOver));
  }

  /** Writes a batch; the requests whose responses would be more than their workspace may have. */
  async #write(batch: readonly WaitingResponse[]): Promise<ReadonlySet<string>> {
    const [first] = batch;
    if (first === undefined) return new Set();
    const values = keepArguments(
      batch.map(({ response }) => response),
      first.limits,
    );
    const rows = await this.#sql.query<{ refused: string }>(KEEP, values, FREQUENT);
    return new Set(rows.map(({ refused }) => refused));
  }

  #finish(waiting: WaitingResponse, refused: ReadonlySet<string>): void {
    if (refused.has(waiting.response.requestId)) this.#lose(waiting, new Error('its workspace has as much as it may'));
    else this.#end(waiting);
  }

  #loseAll(fault: unknown): void {
    this.#isRunning = false;
    for (const waiting of this.#queue) this.#lose(waiting, fault);
  }

  #end(waiting: WaitingResponse): void {
    if (waiting.isOver) return;
    waiting.isOver = true;
    waiting.cancelDeadline();
    waiting.resolve();
  }

  #lose(waiting: WaitingResponse, reason: unknown): void {
    if (waiting.isOver) return;
    this.#onLost(waiting.response.requestId, reason);
    this.#end(waiting);
  }
}
