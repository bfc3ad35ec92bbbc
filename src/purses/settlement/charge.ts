/**
 * What became of a receipt.
 * - `timely`: it has charged its leases.
 * - `late`: it took what its purses still had, and no lease.
 * - `refused`: the database won't have it, because of `fault`. It is kept aside, and nothing is charged.
 */
export type SettlementEnd =
  | { readonly kind: 'timely' }
  | { readonly kind: 'late' }
  | { readonly kind: 'refused'; readonly fault: unknown };

/** What carries a charge until it is settled. */
export interface ChargeOwner {
  /** Called before the charge is sent so that the database takes it from elsewhere than its leases. */
  leaves(): void;
  /** Called once per submission with its outcome. */
  ended(end: SettlementEnd): void;
  /** The database may have lost the charge: it is sent again. */
  resent(): void;
}
