import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';

/** What was spent by days in a time up to now. */
export interface Burn {
  readonly spent: bigint;
  /** When it began to be spent, at the earliest when the time does; null: nothing was used. */
  readonly beganMs: number | null;
  readonly toMs: number;
}

/** What of usage by days was spent since a moment, at which a day begins. */
export function burnSince(fromMs: number, { groups, to }: UsageJson): Burn {
  const points = groups.flatMap((group) => group.points).filter(({ starts_at: at }) => Date.parse(at) >= fromMs);
  const [first] = points;
  return {
    spent: points.reduce((sum, { sums }) => sum + BigInt(sums.net_charge_nano_usd), 0n),
    beganMs: first === undefined ? null : Date.parse(first.starts_at),
    toMs: Date.parse(to),
  };
}
