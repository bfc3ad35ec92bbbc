/** The epoch that a part of the engine spends in. */
export interface SpendingEpoch {
  readonly id: bigint;
  /** Whether this process may still spend in it. */
  readonly isLive: boolean;
}
