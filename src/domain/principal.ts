import type { ModelPolicy } from './policy.ts';
import type { Period } from './window.ts';

/** A project's rate limits; null if there is none. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
}

/** Whom a project limits, each of them by itself. */
export interface ServedLimits {
  /** The window of an end user's limit; null: end users have none. */
  readonly endUserPeriod: Period | null;
  /** Whether each session has a limit, which is always a month's. */
  readonly sessions: boolean;
}

/** The end user and the session that one request is for, as subjects of purses; null where the project has no limit, or the request names none. */
export interface Served {
  /** The caller apart from the request. */
  readonly caller: Principal;
  readonly endUserId: string | null;
  readonly sessionId: string | null;
}

/** The authenticated caller: a key with its project and workspace, frozen. Ids are lower-case UUIDs. */
export interface Principal {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly keyId: string;
  /** The project's policy, then the key's: both apply. */
  readonly policies: readonly ModelPolicy[];
  readonly expiresAtMs: number | null;
  readonly rateLimits: RateLimits;
  /** The reset period of the project's budget; a key's and a member's is always the month. */
  readonly budgetPeriod: Period;
  /** The model that answers if the limits of project, member or key don't cover the requested one; null or left out: none. */
  readonly modelWhenSpent?: string | null;
  /** The limit of the member who made the key, over all their keys; null if they have none. */
  readonly memberLimitId: string | null;
  /** Whom the project limits beyond its keys; null if nobody. */
  readonly servedLimits: ServedLimits | null;
  /** Whom a request is for, if the project limits them; null for the caller apart from its requests. */
  readonly served: Served | null;
  /** Whether the usage of answers includes their charge, unless a request says otherwise. */
  readonly reportsCost: boolean;
  /** Whether it may call from an address; null: from any. */
  readonly isAllowedFrom: ((address: string) => boolean) | null;
  /** The reason, for its callers, why its workspace is suspended; null if it isn't. */
  readonly suspension: string | null;
  /** The shard of the cell in which its workspace lives; null or left out: in this one. */
  readonly movedTo?: string | null;
  /** Whether its workspace is paused, because it moves to another cell; left out: it isn't. */
  readonly isPaused?: boolean;
}

/** The caller of one request that is for these. */
export function serving(caller: Principal, endUserId: string | null, sessionId: string | null): Principal {
  return { ...caller, served: { caller, endUserId, sessionId } };
}
