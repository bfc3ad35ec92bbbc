import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { DRAW_RULE } from './draw-rule.ts';
import type { Lease } from './lease.ts';
import { LeaseRegistry } from './lease-registry.ts';

const clock = new ManualClock();
const registry = (): LeaseRegistry =>
  new LeaseRegistry(clock, { isAwaited: () => false, needsOf: () => [], isAsked: () => false });

/** A lease of 100 that holds 10. */
function holding(leases: LeaseRegistry, id: number): Lease {
  const name = { workspaceId: 'w', kind: 'key', subjectId: String(id), period: 'never' } as const;
  const lease = leases.named({ ...name, windowStartMs: 0, windowEndMs: null });
  lease.beginDraw(1n, false);
  const drawn = { limit: null, spentByOthers: 0n, available: null, granted: 100n, open: false } as const;
  lease.learn({ ...drawn, purseId: BigInt(id), mode: 'wet', sequence: 1n });
  leases.noteDrawn(lease);
  lease.hold(10n, clock.monotonicMs());
  leases.noteHeld(lease);
  return lease;
}

test('a process says what it holds of up to a thousand purses, and of more nothing rather than a part', () => {
  const leases = registry();
  const held = Array.from({ length: 1_001 }, (_, id) => holding(leases, id));
  expect(leases.inUse()).toBeNull();
  held[7]?.close(10n, 0n);
  held[7]?.settled();
  const said = leases.inUse();
  expect(said?.size).toBe(1_000);
  expect(said?.get(8n)).toBe(10n);
  expect(said?.has(7n)).toBe(false);
});

test('a process keeps nothing of leases that it has forgotten', async () => {
  const leases = registry();
  const lease = holding(leases, 1);
  lease.close(10n, 4n);
  expect(leases.inUse()).toEqual(new Map([[1n, 4n]]));
  lease.settled();
  await clock.advance(DRAW_RULE.forgetMs + 1);
  expect(leases.sweep().done).toEqual([lease]);
  expect(leases.inUse()).toEqual(new Map());
});
