import type { UsageJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import type { Bar } from '../../charts/stack.ts';
import { addDays, dayOf, daysBetween, formatDay, type UtcDay } from '../../format/day.ts';

// The days of UTC that the home page shows, from one answer: the month so far, and the last 30 days.

const SHOWN = 30;
export const CHARGE = 'charge';

/** The day that is not over yet. */
function todayOf({ to }: UsageJson): UtcDay {
  return dayOf(new Date(Date.parse(to) - 1));
}

function spentByDay({ groups }: UsageJson): ReadonlyMap<UtcDay, bigint> {
  const points = groups.flatMap((group) => group.points);
  return new Map(
    points.map(({ starts_at: at, sums }) => [dayOf(new Date(at)), BigInt(sums.net_charge_nano_usd)] as const),
  );
}

/** What was charged in the present month, corrections included. */
export function spentInMonth(usage: UsageJson): bigint {
  const month = todayOf(usage).slice(0, 7);
  return [...spentByDay(usage)].reduce((sum, [day, spent]) => (day.startsWith(month) ? sum + spent : sum), 0n);
}

/** A bar for each of the last 30 days, also for those without usage. */
export function barsOf(usage: UsageJson): readonly Bar[] {
  const today = todayOf(usage);
  const spent = spentByDay(usage);
  return daysBetween(addDays(today, 1 - SHOWN), today).map((day) => ({
    id: day,
    label: formatDay(day),
    values: { [CHARGE]: spent.get(day) ?? 0n },
    unfinished: day === today,
  }));
}
