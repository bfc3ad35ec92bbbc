import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';

const DAY_MS = 86_400_000;

/**
 * For how many days the balance lasts if each costs what days have cost since the beginning of the usage; null if
 * nothing was spent then. The first day counts as a whole one.
 */
export function runwayDays(balance: bigint, usage: UsageJson): number | null {
  const spent = BigInt(usage.total.net_charge_nano_usd);
  const first = usage.groups.flatMap(({ points }) => points)[0];
  if (spent <= 0n || first === undefined) return null;
  if (balance <= 0n) return 0;
  const begins = Math.max(Date.parse(usage.from), Date.parse(first.starts_at));
  const lastedMs = Math.max(DAY_MS, Date.parse(usage.to) - begins);
  return Number((balance * BigInt(lastedMs)) / spent) / DAY_MS;
}

/** "12 days", "5 hours". More than a year is not counted. */
export function formatRunway(days: number): string {
  if (days > 365) return 'over a year';
  if (days >= 2) return `${Math.floor(days)} days`;
  const hours = Math.floor(days * 24);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
