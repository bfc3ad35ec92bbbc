import { type Actor, isOperator } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusals.ts';
import { type PlaceLimits, Places } from '../../lib/places.ts';
import { bucketOf } from './actor-rates.ts';

// How many requests the admin API serves at a time. A request has a place from when its body is read and its caller is known
// until it is answered. Each kind of caller has places of its own, of which one caller has a part.

const LIMITS = {
  /** Callers who are being identified, by site. */
  identification: { most: 240, mostPerKey: 120 },
  /** Routes for everybody, such as the sign-in, by site. */
  public: { most: 80, mostPerKey: 16 },
  /** Routes that wait for the OpenID provider, by site. */
  openId: { most: 24, mostPerKey: 4 },
  /** Members and their access tokens, by user or token: ten windows of one user ask for some eight things each. */
  members: { most: 240, mostPerKey: 100 },
  /** Directories of companies, by workspace. */
  directories: { most: 60, mostPerKey: 20 },
  /** Operators together. */
  operators: { most: 100, mostPerKey: 100 },
} as const satisfies Record<string, PlaceLimits>;

export type PlaceKind = keyof typeof LIMITS;

const RETRY_AFTER_MS = 1_000;
const FULL = 'Too many requests like this one are in progress: try again in a moment.';

/** The places of one process. */
export class AdminPlaces {
  readonly #places: Readonly<Record<PlaceKind, Places>> = {
    identification: new Places(LIMITS.identification),
    public: new Places(LIMITS.public),
    openId: new Places(LIMITS.openId),
    members: new Places(LIMITS.members),
    directories: new Places(LIMITS.directories),
    operators: new Places(LIMITS.operators),
  };

  /** Does the work of a caller in a place; or returns the refusal. */
  async hold<Result>(kind: PlaceKind, key: string, work: () => Promise<Result>) {
    const leave = this.#places[kind].take(key);
    if (leave === null) return refuse('SERVICE_UNAVAILABLE', FULL, { retryAfterMs: RETRY_AFTER_MS });
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

/** The kind of an actor's places, and by what they are counted. */
export function placeOf(actor: Actor): readonly [PlaceKind, string] {
  return isOperator(actor) ? ['operators', ''] : ['members', bucketOf(actor) ?? ''];
}
