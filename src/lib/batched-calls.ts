import type { Clock } from './clock.ts';
import { DatabaseUnavailable, SqlFault } from './sql.ts';
import { inParts } from './in-parts.ts';
import { orAfter, pause } from './pause.ts';
import { UNKNOWN, untilKnown } from './until-known.ts';

const RETRY_MS = 50;
/** How long an item that is busy is left alone before it is asked for again. */
const BUSY_MS = 20;
/** How long an item rests that the database has refused. */
const REST_MS = 5_000;
/** How long a call may take before the next is sent beside it: what keeps it may be one connection, or one row. */
const PATIENCE_MS = 10;
/** Calls at a time, each on a connection of its own: those that wait for what is busy, and all others. */
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
  /** Makes the next batch, of items that aren't under way; empty where nothing is wished for. */
  readonly next: () => readonly Call<Item, Request>[];
  /**
   * One round trip for all of them. A reply is null where the item is busy: another transaction has its row, and nothing has been
   * done for it. With `waits` it is waited for a moment.
   */
  readonly send: (
    requests: readonly Request[],
    options: { readonly waits: boolean },
  ) => Promise<readonly (Reply | null)[]>;
  /** What may wait for the same rows together. */
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
 * Calls on the database for many items together: while one call is under way, wishes gather for the next.
 *
 * - One whose outcome is unknown is sent again as it was, until it is known; so what is asked must take effect once.
 * - A batch that is refused is halved until the item at fault stands alone; that one rests for a while.
 * - Items that are busy wait for their rows in a call of their group, and after that are asked for with each batch again.
 * - A call that takes long has the next sent beside it.
 *
 * In none of these cases do others wait for the item. Each is in one call at a time.
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

  /** Whether the database failed to answer when it was last asked. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Since when, in monotonic milliseconds, nothing has been answered though something was asked; null where it was. */
  get unansweredSinceMs(): number | null {
    return this.#unansweredSinceMs;
  }

  /** Whether this item may be asked for: no call for it is under way, and it does not rest. */
  mayAsk(item: Item): boolean {
    return !this.#underWay.has(item) && !this.#resting.has(item);
  }

  /** Whether this item was busy for as long as a call waits, and has not been answered since. */
  isStuck(item: Item): boolean {
    return this.#stuck.has(item);
  }

  /** Whether this item was refused a moment ago, so that nothing should be asked for it now. */
  isResting(item: Item): boolean {
    return this.#resting.has(item);
  }

  /** Calls for what `next` says, from the end of this turn of the event loop on. */
  wake(): void {
    if (!this.#isOver) this.#running ??= this.#run();
  }

  /** Calls no more, whatever is wished for. */
  halt(): void {
    this.#isOver = true;
  }

  /** Calls for what is still wished for, as long as the database answers; resolves when nothing is under way any more. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    const { waiting, passing } = this.#calls;
    while (this.#running !== null || waiting.size + passing.size > 0) {
      await Promise.all([this.#running, ...waiting, ...passing]);
    }
    this.#isOver = true;
  }

  async #run(): Promise<void> {
    // Wishes of the same turn of the event loop share the round trip.
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

  /** Whether a batch may wait for rows: it must not keep one group from what is another's. */
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
    // The timer alone says when the rest is over: it may come a little earlier than the clock says.
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

  /** Waits for what is busy, each group by itself, as far as connections suffice; the rest is asked for later. */
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

  /** Makes one round trip, and takes note of whether the database answers. */
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
