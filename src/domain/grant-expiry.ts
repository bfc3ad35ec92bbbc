/** When the credit of a period expires: at its end, some days after its begin, or never. */
export const GRANT_EXPIRIES = ['with_period', 'after_days', 'never'] as const;

export type GrantExpiry = (typeof GRANT_EXPIRIES)[number];

/** When it expires, in words. `days`: those of `after_days`. */
export function grantExpiryWords(expires: GrantExpiry, days: number | null): string {
  if (expires === 'after_days') return days === 1 ? 'after a day' : `after ${days} days`;
  return expires === 'never' ? 'never' : 'with its period';
}
