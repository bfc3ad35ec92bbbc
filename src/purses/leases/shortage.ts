import type { NanoUsd } from '../../domain/money.ts';
import type { FailingLevel } from '../../domain/refusals.ts';
import { leasesIn, type LeaseTriple } from './hold.ts';
import type { Lease } from './lease.ts';
import type { PurseKind } from '../ports/purse-store.ts';

/** Why a hold could not be placed. */
export type HoldFailure =
  | {
      readonly kind: 'short';
      /** Only other requests' holds were in the way. */
      readonly transient: boolean;
      readonly levels: readonly FailingLevel[];
      /** What the tightest purse that has been seen could cover now; nano-USD. */
      readonly available: NanoUsd;
    }
  | { readonly kind: 'unavailable' };

const LEVELS = {
  credit: { level: 'workspace', code: 'INSUFFICIENT_BALANCE' },
  project: { level: 'project', code: 'PROJECT_BUDGET_EXCEEDED' },
  key: { level: 'key', code: 'KEY_SPEND_LIMIT_EXCEEDED' },
} as const satisfies Record<PurseKind, Pick<FailingLevel, 'level' | 'code'>>;

/** The least that the limited purses of a triple have for one more hold, as last seen; null where none is limited. */
export function availableIn(leases: LeaseTriple): NanoUsd | null {
  let least: NanoUsd | null = null;
  for (const { available } of leasesIn(leases)) {
    if (available !== null && (least === null || available < least)) least = available;
  }
  return least;
}

/** Names every purse that is known to lack the amount. What has never been seen is not judged, and excuses none that has. */
export function shortageOf(leases: LeaseTriple, amount: NanoUsd, transient: boolean): HoldFailure {
  const three = leasesIn(leases);
  const lacking = three.filter((lease) => lease.available !== null && lease.available < amount);
  if (lacking.length === 0 && !three.every((lease) => lease.isKnown)) return { kind: 'unavailable' };
  // A lease without enough slack is no shortage where its purse, as last seen, has the rest.
  const short = lacking.length > 0 ? lacking : three.filter((lease) => !lease.fits(amount));
  const available = availableIn(leases) ?? 0n;
  return {
    kind: 'short',
    transient,
    levels: short.map(failingLevel),
    available: available > 0n ? available : 0n,
  };
}

function failingLevel(lease: Lease): FailingLevel {
  const limit = lease.limit ?? 0n;
  const held = limit - lease.used - (lease.available ?? 0n);
  return {
    ...LEVELS[lease.name.kind],
    limit,
    used: lease.used,
    held: held > 0n ? held : 0n,
    resetsAtMs: lease.name.windowEndMs,
  };
}
