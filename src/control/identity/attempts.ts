import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { Clock } from '../../lib/clock.ts';
import { type BucketRate, TokenBuckets } from '../../lib/token-buckets.ts';
import type { Visitor } from './visitor.ts';

// Limits the guesses at passwords, codes and links, for each process. Guesses at one account are counted by network, by site
// and from everywhere together: each limit is wider than the one before, so nobody locks the owner of an account out by
// guessing from many networks of one site. Guesses from networks where the account has signed in before aren't counted with
// those of strangers.

const RATES = {
  /** One network's, at all accounts. */
  network: { burst: 30, everyMs: 5_000 },
  /** One site's, at all accounts. */
  site: { burst: 120, everyMs: 1_250 },
  /** One network's, at one account. */
  networkAndAccount: { burst: 6, everyMs: 60_000 },
  /** One site's, at one account. */
  siteAndAccount: { burst: 12, everyMs: 60_000 },
  /** Everybody's, at one account. */
  account: { burst: 60, everyMs: 30_000 },
  /** One session's, at the password of its own user. */
  session: { burst: 6, everyMs: 60_000 },
  /** New passwords of one user. */
  newPassword: { burst: 5, everyMs: 60_000 },
  /** Codes of one account, which are short; made by those who know its password. */
  code: { burst: 6, everyMs: 300_000 },
  /** Mails to one address. */
  mail: { burst: 3, everyMs: 600_000 },
} as const satisfies Record<string, BucketRate>;

export type AttemptKind = keyof typeof RATES;

const KINDS = Object.keys(RATES) as readonly AttemptKind[];

/** How many networks, accounts and so on are known of each kind. */
const KNOWN_MAX = 20_000;

/** A guess, by what it is counted. */
export type Attempt = Readonly<Partial<Record<AttemptKind, string>>>;

/** How a guess is counted that is at no account, such as one at a link. */
export function guessFrom({ network, site }: Visitor): Attempt {
  return { network, site };
}

/** How a stranger's guess at an account is counted. */
export function guessAt(account: string, visitor: Visitor): Attempt {
  const { site } = visitor;
  return { ...guessFromKnown(account, visitor), site, siteAndAccount: `${site} ${account}`, account };
}

/** How a guess at an account is counted from a network where it has signed in before. */
export function guessFromKnown(account: string, { network }: Visitor): Attempt {
  return { network, networkAndAccount: `${network} ${account}` };
}

/** Counts guesses in memory of bounded size. */
export class AttemptLimits {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #buckets = new Map(KINDS.map((kind) => [kind, new TokenBuckets(RATES[kind], KNOWN_MAX)]));

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Counts a guess before it is made; or refuses it, without counting it. */
  take(attempt: Attempt): Refusal | null {
    const nowMs = Math.floor(this.#clock.monotonicMs());
    const counts = this.#countsOf(attempt);
    const waitMs = Math.max(0, ...counts.map(([buckets, key]) => buckets.waitMs(key, nowMs)));
    if (waitMs > 0) {
      return refuse('RATE_LIMITED', 'Too many attempts: wait a while before you try again.', { retryAfterMs: waitMs });
    }
    for (const [buckets, key] of counts) buckets.take(key, nowMs);
    return null;
  }

  /** Gives back a guess that was right. */
  giveBack(attempt: Attempt): void {
    const nowMs = Math.floor(this.#clock.monotonicMs());
    for (const [buckets, key] of this.#countsOf(attempt)) buckets.giveBack(key, nowMs);
  }

  #countsOf(attempt: Attempt): readonly (readonly [TokenBuckets, string])[] {
    return [...this.#buckets].flatMap(([kind, buckets]) => {
      const key = attempt[kind];
      return key === undefined ? [] : [[buckets, key] as const];
    });
  }
}
