import { ATTEMPT_CLASSES_MS, classOf } from '../../domain/duration-classes.ts';
import type { AttemptRecord, Receipt } from '../../domain/receipt.ts';
import type { Clock } from '../../lib/clock.ts';
import { WriteLoop } from '../../lib/write-loop.ts';
import { addAttempts, addFaults, noAttempts, type RouteCounts, type RoutePlace } from './route-counts.ts';

const WRITE_INTERVAL_MS = 10_000;

/** The fault of a stream that broke off after its first data event; the others are those of attempts. */
const BROKEN_OFF = 'interrupted';

type CountedReceipt = Pick<
  Receipt,
  'requestId' | 'model' | 'attempts' | 'outcome' | 'streamed' | 'durationMs' | 'firstEventMs'
>;

interface CounterParts {
  readonly clock: Clock;
  /** Adds counts to those that are stored. One write runs at a time. */
  readonly write: (counts: readonly RouteCounts[]) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Counts the attempts of this process's requests by route, and adds them to the stored counts every ten seconds and at the end.
 * It has an entry for each route that was tried since the last write, so it doesn't grow. A write that fails is repeated with the
 * next one: if it did succeed and only its answer was lost, its attempts count twice.
 */
export class RouteCounter {
  readonly #parts: CounterParts;
  readonly #loop: WriteLoop;
  #counts = new Map<string, RouteCounts>();

  constructor(parts: CounterParts) {
    this.#parts = parts;
    this.#loop = new WriteLoop({ clock: parts.clock, intervalMs: WRITE_INTERVAL_MS, write: () => this.#write() });
  }

  start(): void {
    this.#loop.start();
  }

  /** Ends the writing by a last write, which may take two seconds. */
  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** Counts the attempts of a request that has ended. */
  ended({ receipt }: { readonly receipt: CountedReceipt }): void {
    const last = receipt.attempts.at(-1);
    for (const attempt of receipt.attempts) this.#count(receipt, attempt, attempt === last);
  }

  #count(receipt: CountedReceipt, attempt: AttemptRecord, isLast: boolean): void {
    const { model, outcome, requestId } = receipt;
    const { provider, upstreamModel, status } = attempt;
    const counts = this.#countsOf({ model, provider, upstreamModel });
    const atMs = this.#parts.clock.nowMs();
    const kind = attempt.fault ?? (isLast && outcome === BROKEN_OFF ? BROKEN_OFF : null);
    if (kind === 'rejected_request') {
      counts.rejected += 1;
    } else if (kind !== null) {
      addFaults(counts, kind, 1);
      counts.fault = { atMs, kind, status, requestId };
    } else if (status === null) {
      counts.abandoned += 1;
    } else {
      counts.answered += 1;
      counts.answeredAtMs = atMs;
      countTimes(counts, receipt, attempt, isLast);
    }
  }

  #countsOf(place: RoutePlace): RouteCounts {
    const name = `${place.model}\n${place.provider}\n${place.upstreamModel}`;
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const counts = { ...place, ...noAttempts() };
    this.#counts.set(name, counts);
    return counts;
  }

  #write(): Promise<void> | null {
    if (this.#counts.size === 0) return null;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return this.#parts.write(counts).catch((fault: unknown) => {
      for (const { model, provider, upstreamModel, ...former } of counts) {
        addAttempts(this.#countsOf({ model, provider, upstreamModel }), former);
      }
      this.#parts.onFault(fault);
    });
  }
}

/** An attempt's own duration ends with the first event of a stream, or with a plain answer. */
function countTimes(
  { firstEvent, whole }: RouteCounts,
  { streamed, outcome, durationMs, firstEventMs }: CountedReceipt,
  attempt: AttemptRecord,
  isLast: boolean,
): void {
  if (streamed) increment(firstEvent, attempt.durationMs);
  if (!isLast || outcome !== 'completed' || firstEventMs === null) return;
  increment(whole, attempt.durationMs + Math.max(0, durationMs - firstEventMs));
}

function increment(counts: number[], ms: number): void {
  const at = classOf(ms, ATTEMPT_CLASSES_MS);
  counts[at] = (counts[at] ?? 0) + 1;
}
