import { beforeEach, expect, test } from 'vitest';
import type { Receipt } from '../../../domain/receipt.ts';
import { type Period, windowAt } from '../../../domain/window.ts';
import { Hold, type HoldLeases, holdLeases, LeasedCharge, type ReceiptDraft } from './hold.ts';
import type { PurseKind } from '../ports/database.ts';
import { Lease } from './lease.ts';
import { LeaseFigureRows } from './lease-figures.ts';

const rows = new LeaseFigureRows();
let freed: HoldLeases[];
let leases: HoldLeases;

const owner = {
  closed: () => Promise.resolve(),
  freed: (triple: HoldLeases) => void freed.push(triple),
};

beforeEach(() => {
  freed = [];
  leases = holdLeases([leaseOf('credit'), leaseOf('project'), leaseOf('member'), leaseOf('key')]);
});

/** A lease with 100 of slack. */
function leaseOf(kind: PurseKind, purseId = 1n, period: Period = 'never'): Lease {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt(period, 0);
  const id = '018f0000-0000-7000-8000-000000000000';
  const name = { workspaceId: id, kind, subjectId: id, period, windowStartMs, windowEndMs };
  const lease = new Lease(name, 0, rows.next());
  lease.beginDraw(1n, false);
  const seen = { purseId, sequence: 1n, limit: 100n, spentByOthers: 0n, available: 0n, granted: 100n } as const;
  lease.learn({ ...seen, open: false, mode: 'wet' });
  return lease;
}

/** The charge on each lease, and whether the lease is quiet. */
function standing(): readonly (readonly [bigint, boolean])[] {
  return leases.all.map(({ charged, isQuiet }) => [charged, isQuiet]);
}

function allOfThem(charged: bigint, isQuiet: boolean): readonly (readonly [bigint, boolean])[] {
  return Array.from({ length: 4 }, () => [charged, isQuiet]);
}

function charge(amount: bigint): LeasedCharge {
  for (const lease of leases.all) {
    lease.hold(amount, 0);
    lease.close(amount, amount);
  }
  return new LeasedCharge(leases, amount, owner);
}

test('a hold is placed only where all leases have its amount', () => {
  const hold = new Hold(leases, 60n, 0, owner);
  expect(leases.all.map(({ held }) => held)).toEqual([60n, 60n, 60n, 60n]);
  expect(hold.isClosed).toBe(false);
  expect(() => new Hold(leases, 41n, 0, owner)).toThrow('a hold is placed only where it fits');
});

test('the receipt of a hold names the purse of each of its leases, and the windows that these were', async () => {
  const three = [leaseOf('credit', 1n), leaseOf('project', 2n, 'day'), leaseOf('key', 3n, 'month')];
  const four = [...three, leaseOf('member', 4n, 'month')];
  const receipts: Receipt[] = [];
  const closed = (_leases: HoldLeases, receipt: Receipt) => Promise.resolve(void receipts.push(receipt));
  for (const all of [three, four])
    await new Hold(holdLeases(all), 60n, 0, { ...owner, closed }).close({ charge: 20n } as ReceiptDraft);
  const [ofThree, ofFour] = receipts;
  expect(ofFour).toEqual({ ...ofThree, memberPurseId: 4n });
  expect(ofThree).toEqual({
    charge: 20n,
    hold: 60n,
    creditPurseId: 1n,
    projectPurseId: 2n,
    keyPurseId: 3n,
    projectWindow: windowAt('day', 0),
    keyWindow: windowAt('month', 0),
  });
});

test('a charge that its leases have been charged stays in them, and is unsettled again while it is sent again', () => {
  const charged = charge(30n);
  expect(standing()).toEqual(allOfThem(30n, false));
  charged.ended({ kind: 'timely' });
  expect(standing()).toEqual(allOfThem(30n, true));
  charged.resent();
  expect(standing()).toEqual(allOfThem(30n, false));
  charged.ended({ kind: 'timely' });
  expect(standing()).toEqual(allOfThem(30n, true));
  expect(freed).toEqual([]);
});

test.each(['late', 'refused'] as const)(
  'a charge that ends %s leaves its leases, once, and their slack is free',
  (kind) => {
    const fault = null;
    const left = charge(30n);
    left.leaves();
    expect(standing()).toEqual(allOfThem(0n, false));
    expect(freed).toEqual([leases]);
    left.ended({ kind, fault });
    expect(standing()).toEqual(allOfThem(0n, true));
    expect(freed).toEqual([leases]);

    const other = charge(20n);
    other.ended({ kind, fault });
    expect(standing()).toEqual(allOfThem(0n, true));
    expect(freed).toEqual([leases, leases]);
  },
);
