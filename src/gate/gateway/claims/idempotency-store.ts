import type { NanoUsd } from '../../../domain/money.ts';

// The port to the store of idempotency claims; database/ implements it on PostgreSQL.

/** One use of an Idempotency-Key. */
export interface IdempotentRequest {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
}

/**
 * The result of a claim.
 * - `claimed`: the request may run; its settlement completes the claim, or `release` frees it.
 * - `running`: another request with the same body holds it.
 * - `mismatch`: the key was used for another body.
 * - `done`: that request's answer; null if it was too large to store, or lost with its process. Its charge
 *   is left out if it is unknown.
 */
export type ClaimResult =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'done'; readonly requestId: string; readonly answer: Buffer | null; readonly charge?: NanoUsd };

/**
 * A claim lasts until it is completed or released, until the epoch that made it is fenced, or for a day. Then the next
 * request with the key and the same body (after a day: any body) may claim it. A completed claim answers repeats for a day.
 */
export interface IdempotencyStore {
  /**
   * Claims a key for a request of a live epoch. A repeat by the same request finds its own claim and changes nothing
   * else. DatabaseUnavailable means that the claim may have taken effect, or still may; DatabaseUnreached that it can't
   * have.
   * @throws EpochFenced, DatabaseUnavailable
   */
  claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): Promise<ClaimResult>;
  /** Whether any request has claimed this key, so that a repeat may get its answer. @throws DatabaseUnavailable */
  isClaimed(use: Omit<IdempotentRequest, 'requestId'>): Promise<boolean>;
  /**
   * Releases an uncompleted claim. With `isInDoubt`, also releases a claim of this request whose statement is still in
   * progress or takes effect later. Idempotent. @throws DatabaseUnavailable
   */
  release(request: IdempotentRequest, isInDoubt: boolean): Promise<void>;
}
