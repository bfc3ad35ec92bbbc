import type { Burn } from '../api/burn.ts';

const DAY_MS = 86_400_000;

/**
 * For how many days the balance lasts if each costs what days have cost since something was first spent; null if nothing was.
 * The first day counts as a whole one.
 */
export function runwayDays(balance: bigint, { spent, beganMs, toMs }: Burn): number | null {
  if (spent <= 0n || beganMs === null) return null;
  if (balance <= 0n) return 0;
  const lastedMs = Math.max(DAY_MS, toMs - beganMs);
  return Number((balance * BigInt(lastedMs)) / spent) / DAY_MS;
}

/** "12 days", "5 hours". More than a year is not counted. */
export function formatRunway(days: number): string {
  if (days > 365) return 'over a year';
  if (days >= 2) return `${Math.floor(days)} days`;
  const hours = Math.floor(days * 24);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
