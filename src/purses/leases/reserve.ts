import type { NanoUsd } from '../../domain/money.ts';
import type { DrawReply } from '../ports/purse-store.ts';

// What a process has of a purse beyond what it needs, to go on with while the database is away.

/** How long a process may have to spend without the database: an epoch's time-out by default. Seconds. */
const RESERVE_SECONDS = 30n;
/** A reserve is this part, at most, of what is left of a purse once this many times what is in use is set aside. */
const RESERVE_PART = 16n;
const IN_USE_SET_ASIDE = 8n;

/** The largest reserve that turns no purse dry, however many processes have one. `charged`: by the lease that was drawn. */
export function largestReserve({ limit, available, spentByOthers }: DrawReply, charged: NanoUsd): NanoUsd {
  if (limit === null || available === null) return 0n;
  const inUse = limit - spentByOthers - charged - available;
  const spare = available - inUse * IN_USE_SET_ASIDE;
  return spare > 0n ? spare / RESERVE_PART : 0n;
}

/** The reserve of a lease that is charged so much in a second. */
export function reserveAt(rate: NanoUsd, largest: NanoUsd): NanoUsd {
  const wanted = rate * RESERVE_SECONDS;
  return wanted < largest ? wanted : largest;
}
