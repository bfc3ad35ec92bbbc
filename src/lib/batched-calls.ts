import type { Clock } from './clock.ts';
import { DatabaseUnavailable, SqlFault } from './sql.ts';
import { inParts } from './in-parts.ts';
import { orAfter, pause } from './pause.ts';
import { UNKNOWN, untilKnown } from './until-known.ts';

const RETRY_MS = 50;
/** How long a busy item is left alone before the next call for it. */
const BUSY_MS = 20;
/** How long an item rests after the database has rejected it. */
const REST_MS = 5_000;
/** A call that takes longer no longer delays the next one: the cause may be one connection or one row. */
const PATIENCE_MS = 10;
/** Concurrent calls, each on its own connection: those that wait for busy rows, and all others. */
const WAITING_MAX = 2;
const PASSING_MAX = 2;

/** A request to the database for one item. */
export interface Call<Item, Request> {
  readonly item: Item;
  readonly request: Request;
}

export interface AnsweredCall<Item, Request, Reply> extends Call<Item, Request> {
  readonly reply: Reply;
}

interface Parts<Item, Request, Reply> {
  readonly clock: Clock;
  /** Makes the next batch, of items that aren't in a call; empty if nothing is wanted. */
  readonly next: () => readonly Call<Item, Request>[];
  /**
   * One round trip for all of them. A reply is null if the item is busy: another transaction has locked its row, and
   * nothing was done for it. With `waits`, the call waits a moment for it.
   */
  readonly send: (
    requests: readonly Request[],
    options: { readonly waits: boolean },
  ) => Promise<readonly (Reply | null)[]>;
  /** Items of the same group may wait for locked rows in the same call. */
  readonly groupOf: (item: Item) => string;
  readonly onAnswered: (calls: readonly AnsweredCall<Item, Request, Reply>[]) => void;
  /** These items were busy for as long as a call waits, which they had not been before. */
  readonly onStuck?: (items: readonly Item[]) => void;
  /** The database refuses this item, though it answers: it rests from now on. */
  readonly onRefused: (item: Item, fault: SqlFault) => void;
  readonly onRested: (item: Item) => void;
  /** The database could not be reached. */
  readonly onAway?: () => void;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Batched calls on the database: while one call is in progress, wanted items gather for the next.
 *
 * - A call whose outcome is unknown is repeated unchanged until it is known; so its request must take effect once.
 * - A rejected batch is halved until the item at fault is alone; that one rests for a while.
 * - Busy items wait for their rows in a call of their group; after that they are part of each batch again.
 * - If a call takes long, the next is sent concurrently.
 *
 * In none of these cases do other items wait. Each item is in one call at a time.
 */
export class BatchedCalls<Item extends object, Request, Reply> {
  readonly #parts: Parts<Item, Request, Reply>;
  readonly #underWay = new Set<Item>();
  /** Items that were busy for as long as a call waits. */
  readonly #stuck = new WeakSet<Item>();
  /** Items that were refused a moment ago. */
  readonly #resting = new Set<Item>();
  readonly #calls = { waiting: new Set<Promise<void>>(), passing: new Set<Promise<void>>() };
  #due: Call<Item, Request>[] = [];
  #running: Promise<void> | null = null;
  /** Round trips under way. */
  #unanswered = 0;
  #unansweredSinceMs: number | null = null;
  #hasFailed = false;
  #isEnding = false;
  #isOver = false;

  constructor(parts: Parts<Item, Request, Reply>) {
    this.#parts = parts;
  }

  /** Whether the database failed to answer the last call. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Start of the time with calls but no answers, in monotonic milliseconds; null if the last call was answered. */
  get unansweredSinceMs(): number | null {
    return this.#unansweredSinceMs;
  }

  /** Whether a call for this item may start: none is in progress, and it does not rest. */
  mayAsk(item: Item): boolean {
    return !this.#underWay.has(item) && !this.#resting.has(item);
  }

  /** Whether this item was busy for as long as a call waits, and has not been answered since. */
  isStuck(item: Item): boolean {
    return this.#stuck.has(item);
  }

  /** Whether this item was rejected a moment ago, so that no call for it should start. */
  isResting(item: Item): boolean {
    return this.#resting.has(item);
  }

  /** Starts calls for the items that `next` returns, at the end of this turn of the event loop. */
  wake(): void {
    if (!this.#isOver) this.#running ??= this.#run();
  }

  /** Starts no more calls. */
  halt(): void {
    this.#isOver = true;
  }

  /** Makes calls for all items still wanted, as long as the database answers; resolves when no call is in progress. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    const { waiting, passing } = this.#calls;
    while (this.#running !== null || waiting.size + passing.size > 0) {
      await Promise.all([this.#running, ...waiting, ...passing]);
    }
    this.#isOver = true;
  }

  async #run(): Promise<void> {
    // Items wanted in the same turn of the event loop share the round trip.
    await Promise.resolve();
    try {
      while (!this.#isOver) {
        const batch = [...this.#due.splice(0), ...this.#parts.next()];
        if (batch.length === 0) return;
        await this.#sendOff(batch);
      }
    } catch (fault) {
      this.#parts.onFault(fault);
    } finally {
      this.#running = null;
    }
  }

  /** Resolves when the next call may be sent. */
  async #sendOff(batch: readonly Call<Item, Request>[]): Promise<void> {
    const { waiting, passing } = this.#calls;
    const call = this.#mayWait(batch) ? this.#begin(batch, 'waiting') : this.#begin(batch, 'passing');
    await orAfter(this.#parts.clock, call, PATIENCE_MS);
    while (passing.size >= PASSING_MAX) await Promise.race([...passing, ...waiting]);
  }

  /** Whether a batch may wait for locked rows: one group must not delay another. */
  #mayWait(batch: readonly Call<Item, Request>[]): boolean {
    const [first] = batch;
    if (first === undefined || this.#calls.waiting.size >= WAITING_MAX) return false;
    const group = this.#parts.groupOf(first.item);
    return batch.every(({ item }) => !this.#stuck.has(item) && this.#parts.groupOf(item) === group);
  }

  #begin(batch: readonly Call<Item, Request>[], how: 'waiting' | 'passing'): Promise<void> {
    const calls = this.#calls[how];
    for (const { item } of batch) this.#underWay.add(item);
    const call: Promise<void> = this.#call(batch, how === 'waiting')
      .catch(this.#parts.onFault)
      .finally(() => {
        calls.delete(call);
        this.wake();
      });
    calls.add(call);
    return call;
  }

  async #call(batch: readonly Call<Item, Request>[], waits: boolean): Promise<void> {
    await inParts<Call<Item, Request>, SqlFault>(
      batch,
      async (part) => {
        try {
          await this.#ask(part, waits);
          return null;
        } catch (fault) {
          if (fault instanceof SqlFault) return fault;
          throw fault;
        }
      },
      ({ item }, fault) => {
        this.#underWay.delete(item);
        this.#rest(item);
        this.#parts.onRefused(item, fault);
      },
    );
  }

  #rest(item: Item): void {
    this.#resting.add(item);
    // Only the timer ends the rest: it may fire slightly earlier than the clock says.
    this.#parts.clock.after(REST_MS, () => {
      this.#resting.delete(item);
      this.#parts.onRested(item);
    });
  }

  async #ask(part: readonly Call<Item, Request>[], waits: boolean): Promise<void> {
    if (this.#isOver) return;
    const requests = part.map((call) => call.request);
    const replies = await untilKnown(
      () => this.#try(() => this.#parts.send(requests, { waits })),
      () => this.#mayRepeat(),
    );
    if (replies === UNKNOWN) return;
    const answered: AnsweredCall<Item, Request, Reply>[] = [];
    const busy: Call<Item, Request>[] = [];
    part.forEach((call, index) => {
      const reply = replies[index] ?? null;
      if (reply === null) busy.push(call);
      else answered.push({ ...call, reply });
    });
    for (const { item } of answered) {
      this.#underWay.delete(item);
      this.#stuck.delete(item);
    }
    if (answered.length > 0) this.#parts.onAnswered(answered);
    if (waits) this.#noteStuck(busy.map(({ item }) => item));
    if (busy.length > 0) this.#askAgain(busy);
  }

  #noteStuck(items: readonly Item[]): void {
    const stuck = items.filter((item) => !this.#stuck.has(item));
    for (const item of stuck) this.#stuck.add(item);
    if (stuck.length > 0) this.#parts.onStuck?.(stuck);
  }

  /** Waits for busy items, each group separately, as far as connections suffice; the others are retried later. */
  #askAgain(busy: readonly Call<Item, Request>[]): void {
    const groups = Map.groupBy(busy, ({ item }) => this.#parts.groupOf(item));
    for (const group of groups.values()) {
      if (this.#mayWait(group)) {
        this.#begin(group, 'waiting').catch(this.#parts.onFault);
        continue;
      }
      this.#parts.clock.after(BUSY_MS, () => {
        this.#due.push(...group);
        this.wake();
      });
    }
  }

  /** Pauses before a round trip is repeated; false if this is to end. */
  async #mayRepeat(): Promise<boolean> {
    this.#parts.onAway?.();
    if (this.#isEnding) {
      this.#isOver = true;
      return false;
    }
    await pause(this.#parts.clock, RETRY_MS);
    return !this.#isOver;
  }

  /** Makes one round trip, and records whether the database answers. */
  async #try<Answer>(roundTrip: () => Promise<Answer>): Promise<Answer> {
    const { clock } = this.#parts;
    this.#unansweredSinceMs ??= clock.monotonicMs();
    this.#unanswered += 1;
    let isAnswered = true;
    try {
      return await roundTrip();
    } catch (fault) {
      isAnswered = !(fault instanceof DatabaseUnavailable);
      throw fault;
    } finally {
      this.#unanswered -= 1;
      this.#hasFailed = !isAnswered;
      if (isAnswered) this.#unansweredSinceMs = this.#unanswered > 0 ? clock.monotonicMs() : null;
    }
  }
}
