import type { Principal } from '../../../domain/principal.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import { Bulkhead, BulkheadFull } from '../../../lib/bulkhead.ts';
import type { Clock } from '../../../lib/clock.ts';
import { DatabaseUnavailable } from '../../../lib/sql.ts';
import { KeyRate } from './key-rate.ts';

/** Reads per minute of one key, in this process. */
const READS_PER_MINUTE = 60;
const WAITING_MAX = 50;
const WAIT_MS_MAX = 1_000;
const RETRY_MS = 1_000;

function unreadable(): Refusal {
  return refuse('SERVICE_UNAVAILABLE', 'The key could not be looked up. Try again in a moment.', {
    retryAfterMs: RETRY_MS,
  });
}

/** Reads a calling key, and how the limit of an end user of its project stands, who is named as requests name them. */
type ReadKey = (principal: Principal, endUser: string | null) => Promise<object>;

/**
 * Reads of the calling keys, which are free and count towards no rate limit of a project. To keep them cheap, each key
 * has a rate limit, one is read at a time, and a read that can't be done within a moment is refused.
 */
export class KeyReads {
  readonly #read: ReadKey;
  readonly #rate: KeyRate;
  readonly #turns: Bulkhead;

  constructor(read: ReadKey, clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#read = read;
    this.#rate = new KeyRate(READS_PER_MINUTE, clock);
    this.#turns = new Bulkhead({
      clock,
      places: 1,
      longPlaces: 1,
      waitingMax: WAITING_MAX,
      waitMsMax: WAIT_MS_MAX,
    });
  }

  /** The key's own data, with those of an end user of its project; else the refusal, RATE_LIMITED or SERVICE_UNAVAILABLE. */
  async read(principal: Principal, endUser: string | null = null): Promise<object | Refusal> {
    const waitMs = this.#rate.take(principal.keyId);
    if (waitMs > 0) {
      const message = `A key may look itself up ${READS_PER_MINUTE} times per minute. Retry in ${waitMs} ms.`;
      return refuse('RATE_LIMITED', message, { retryAfterMs: waitMs });
    }
    try {
      return await this.#turns.run(() => this.#read(principal, endUser));
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable || fault instanceof BulkheadFull) return unreadable();
      throw fault;
    }
  }
}
