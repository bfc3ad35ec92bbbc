// The port behind which claims of idempotency keys are kept; PostgreSQL implements it in database/.

/** One use of an Idempotency-Key. */
export interface IdempotentRequest {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
}

/**
 * What a claim has come to.
 * - `claimed`: the request may run; its settlement completes the claim, or `release` gives it up.
 * - `running`: another request with the same body holds it.
 * - `mismatch`: the key was used for another body.
 * - `done`: that request's answer; null where it was too large to keep.
 */
export type Claim =
  | { readonly state: 'claimed' }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' }
  | { readonly state: 'done'; readonly requestId: string; readonly answer: Buffer | null };

export interface IdempotencyStore {
  /** @throws EpochFenced, DatabaseUnavailable */
  claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): Promise<Claim>;
  /** Gives up a claim that has not been completed, so that the next request with the key runs. @throws DatabaseUnavailable */
  release(request: IdempotentRequest): Promise<void>;
}
