import { refuse, type Refusal } from '../domain/refusals.ts';
import type { Clock } from '../lib/clock.ts';
import { RecentMap } from '../lib/recent-map.ts';

// Limits the guesses at passwords, codes and links, for each process. Guesses at one account are counted twice: from one
// network, and from all together. The second limit is the wider one, so one network alone can't lock the owner of an account out.

interface Rate {
  /** How many may come together, and how long one takes to come back. */
  readonly burst: number;
  readonly everyMs: number;
}

const RATES = {
  /** One network's, at all accounts. */
  network: { burst: 30, everyMs: 5_000 },
  /** One network's, at one account. */
  networkAndAccount: { burst: 6, everyMs: 60_000 },
  /** All networks', at one account. */
  account: { burst: 60, everyMs: 30_000 },
  /** Codes of one account, which are short; made by those who know its password. */
  code: { burst: 6, everyMs: 300_000 },
  /** Mails to one address. */
  mail: { burst: 3, everyMs: 600_000 },
} as const satisfies Record<string, Rate>;

export type AttemptKind = keyof typeof RATES;

/** How many networks and accounts are known of each kind; of others the least recent are forgotten. */
const KNOWN_MAX = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** A guess, by what it is counted. */
export type Attempt = Readonly<Partial<Record<AttemptKind, string>>>;

/** How a guess at an account from a network is counted. */
export function guessAt(account: string, network: string): Attempt {
  return { network, networkAndAccount: `${network} ${account}`, account };
}

/** Counts guesses in memory of bounded size. */
export class AttemptLimits {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #buckets = new Map<AttemptKind, RecentMap<string, Bucket>>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Counts a guess before it is made; or refuses it, without counting it for others. */
  take(attempt: Attempt): Refusal | null {
    const nowMs = this.#clock.monotonicMs();
    const counted = this.#countsOf(attempt).map(([kind, key]) => ({
      rate: RATES[kind],
      ...this.#at(kind, key, nowMs),
    }));
    const waits = counted.map(({ bucket, rate }) => (bucket.tokens >= 1 ? 0 : (1 - bucket.tokens) * rate.everyMs));
    const waitMs = Math.max(0, ...waits);
    if (waitMs > 0) {
      return refuse('RATE_LIMITED', 'Too many attempts: wait a while before you try again.', { retryAfterMs: waitMs });
    }
    for (const { bucket } of counted) bucket.tokens -= 1;
    return null;
  }

  /** Gives back a guess that was right. */
  giveBack(attempt: Attempt): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [kind, key] of this.#countsOf(attempt)) {
      const { bucket } = this.#at(kind, key, nowMs);
      bucket.tokens = Math.min(RATES[kind].burst, bucket.tokens + 1);
    }
  }

  #countsOf(attempt: Attempt): readonly (readonly [AttemptKind, string])[] {
    return (Object.keys(RATES) as AttemptKind[]).flatMap((kind) => {
      const key = attempt[kind];
      return key === undefined ? [] : [[kind, key] as const];
    });
  }

  #at(kind: AttemptKind, key: string, nowMs: number): { readonly bucket: Bucket } {
    const known = this.#buckets.get(kind) ?? new RecentMap<string, Bucket>(KNOWN_MAX);
    this.#buckets.set(kind, known);
    const { burst, everyMs } = RATES[kind];
    const bucket = known.get(key) ?? { tokens: burst, atMs: nowMs };
    bucket.tokens = Math.min(burst, bucket.tokens + (nowMs - bucket.atMs) / everyMs);
    bucket.atMs = nowMs;
    known.set(key, bucket);
    return { bucket };
  }
}
