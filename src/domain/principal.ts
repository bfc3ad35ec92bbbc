import type { ModelPolicy } from './policy.ts';
import type { Period } from './window.ts';

/** A project's rate limits; null if there is none. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrency: number | null;
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
  /** The limit of the member who made the key, over all their keys; null if they have none. */
  readonly memberLimitId: string | null;
  /** Whether the usage of answers includes their charge, unless a request says otherwise. */
  readonly reportsCost: boolean;
  /** Whether it may call from an address; null: from any. */
  readonly isAllowedFrom: ((address: string) => boolean) | null;
  /** The reason, for its callers, why its workspace is suspended; null if it isn't. */
  readonly suspension: string | null;
}
