import { expect, test, vi } from 'vitest';
import { receiptWith } from '../../../../test/support/receipts.ts';
import { DatabaseUnavailable, SqlFault } from '../../../lib/sql.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import type { LeftJournal, LeftTrail, Trail } from '../ports/disk.ts';
import { EpochFenced, LeaseGone, type PurseStore } from '../ports/database.ts';
import { recover, retrace } from './recovery.ts';

/** Records the calls on a store, in order. */
class RecordingStore {
  readonly told: string[] = [];
  readonly isFenced: boolean;
  refuses: Receipt | null = null;
  /** Its lease is gone. */
  lost: Receipt | null = null;

  constructor({ isFenced = false } = {}) {
    this.isFenced = isFenced;
  }

  timeline(): Promise<string> {
    return Promise.resolve('2');
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    if (this.isFenced) return Promise.reject(new EpochFenced('dead'));
    if (this.lost !== null && receipts.includes(this.lost)) return Promise.reject(new LeaseGone('gone'));
    return this.#take(`settle ${epochId}`, receipts);
  }

  settleLate(epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    return this.#take(`late ${epochId}`, receipts);
  }

  quarantine(receipt: Receipt): Promise<void> {
    this.told.push(`quarantine ${receipt.model}`);
    return Promise.resolve();
  }

  fence(epochId: bigint): Promise<void> {
    this.told.push(`fence ${epochId}`);
    return Promise.resolve();
  }

  #take(what: string, receipts: readonly Receipt[]): Promise<void> {
    if (this.refuses !== null && receipts.includes(this.refuses)) {
      return Promise.reject(new SqlFault('refused', '22P05', null));
    }
    this.told.push(`${what}: ${receipts.length}`);
    return Promise.resolve();
  }
}

function left(epochId: bigint, receipts: readonly Receipt[]): LeftJournal & { remove: ReturnType<typeof vi.fn> } {
  return { epochId, receipts, damaged: null, remove: vi.fn<() => Promise<void>>(() => Promise.resolve()) };
}

const asStore = (store: RecordingStore): PurseStore => store as unknown as PurseStore;

test('recovery charges the epoch’s own leases before it gives them back', async () => {
  const store = new RecordingStore();
  const journal = left(3n, [receiptWith(), receiptWith()]);
  await recover(asStore(store), [3n, 5n], [journal], { trailOf: () => null, onPoison: () => undefined });
  expect(store.told).toEqual(['settle 3: 2', 'fence 3', 'fence 5']);
  expect(journal.remove).toHaveBeenCalledOnce();
});

test('recovery charges late what a peer has fenced before it', async () => {
  const store = new RecordingStore({ isFenced: true });
  await recover(asStore(store), [3n], [left(3n, [receiptWith()])], {
    trailOf: () => null,
    onPoison: () => undefined,
  });
  expect(store.told).toEqual(['late 3: 1', 'fence 3']);
});

test('recovery sets aside a row that the database refuses, instead of failing at every start', async () => {
  const store = new RecordingStore();
  const [good, poison] = [receiptWith(), receiptWith({ model: 'poison' })];
  store.refuses = poison;
  const journal = left(3n, [good, poison]);
  const onPoison = vi.fn<(receipt: Receipt, fault: unknown) => void>();
  await recover(asStore(store), [3n], [journal], { trailOf: () => null, onPoison });
  expect(store.told).toEqual(['settle 3: 1', 'quarantine poison', 'fence 3']);
  expect(onPoison).toHaveBeenCalledExactlyOnceWith(poison, expect.any(SqlFault));
  expect(journal.remove).toHaveBeenCalledOnce();
});

test('recovery keeps the journal, and the leases that its charges need, if the database goes away', async () => {
  const store = new RecordingStore();
  store.settle = () => Promise.reject(new DatabaseUnavailable('away'));
  const journal = left(3n, [receiptWith()]);
  await expect(
    recover(asStore(store), [3n], [journal], { trailOf: () => null, onPoison: () => undefined }),
  ).rejects.toThrow(DatabaseUnavailable);
  expect(journal.remove).not.toHaveBeenCalled();
  expect(store.told).toEqual([]);
});

test('recovery charges late, alone, what has no lease any more', async () => {
  const store = new RecordingStore();
  const lost = receiptWith();
  store.lost = lost;
  await recover(asStore(store), [3n], [left(3n, [receiptWith(), lost])], {
    trailOf: () => null,
    onPoison: () => undefined,
  });
  expect(store.told).toEqual(['settle 3: 1', 'late 3: 1', 'fence 3']);
});

test('recovery takes long journals in batches', async () => {
  const store = new RecordingStore();
  await recover(
    asStore(store),
    [3n],
    [
      left(
        3n,
        Array.from({ length: 1_201 }, () => receiptWith()),
      ),
    ],
    { trailOf: () => null, onPoison: () => undefined },
  );
  expect(store.told).toEqual(['settle 3: 500', 'settle 3: 500', 'settle 3: 201', 'fence 3']);
});

test('recovery leaves what it settles in the trail as well, for a server that may take over, before it is settled', async () => {
  const store = new RecordingStore();
  const receipts = [receiptWith(), receiptWith()];
  const add = vi.fn<Trail['add']>(() => Promise.resolve(void store.told.push('trail')));
  const close = vi.fn<Trail['close']>(() => Promise.resolve(void store.told.push('closed')));
  const trailOf = vi.fn<(epochId: bigint) => Trail>(() => ({ add, close, clear: () => Promise.resolve() }));
  await recover(asStore(store), [3n], [left(3n, receipts)], { trailOf, onPoison: () => undefined });
  expect(store.told).toEqual(['trail', 'closed', 'settle 3: 2', 'fence 3']);
  expect(trailOf).toHaveBeenCalledExactlyOnceWith(3n);
  expect(add).toHaveBeenCalledExactlyOnceWith(receipts, null);
});

test('recovery waits for a receipt whose workspace is locked', async () => {
  const store = new RecordingStore();
  const settle = store.settle.bind(store);
  let locked = 3;
  store.settle = (epochId, receipts) => {
    if (locked-- > 0) return Promise.reject(new DatabaseUnavailable('locked', { reason: 'contended' }));
    return settle(epochId, receipts);
  };
  await recover(asStore(store), [3n], [left(3n, [receiptWith()])], { trailOf: () => null, onPoison: () => undefined });
  expect(store.told).toEqual(['settle 3: 1', 'fence 3']);
});

test('recovery fences each epoch once, eight at a time', async () => {
  const store = new RecordingStore();
  const fenced: bigint[] = [];
  let underWay = 0;
  let most = 0;
  store.fence = async (epochId) => {
    fenced.push(epochId);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => void setImmediate(resolve));
    underWay -= 1;
  };
  const ids = Array.from({ length: 20 }, (_none, at) => BigInt(at));
  await recover(asStore(store), ids, [], { trailOf: () => null, onPoison: () => undefined });
  expect(fenced).toEqual(ids);
  expect(most).toBe(8);
});

const trail = (timeline: string | null, { isOld = false } = {}): LeftTrail & { told: string[] } => {
  const told: string[] = [];
  return {
    epochId: 3n,
    timeline,
    isOld,
    told,
    receipts: () => Promise.resolve([receiptWith(), receiptWith()]),
    moveTo: (present) => Promise.resolve(void told.push(`moved to ${present}`)),
    remove: () => Promise.resolve(void told.push('removed')),
  };
};

test.each(['1', null])(
  'what former processes have settled is sent again where another server has it, or may have it (%s)',
  async (timeline) => {
    const store = new RecordingStore();
    const other = trail(timeline);
    await retrace(asStore(store), [other], () => undefined);
    expect(store.told).toEqual(['fence 3', 'late 3: 2']);
    expect(other.told).toEqual(['moved to 2']);
  },
);

test('what former processes have settled is kept where this server has it, until it is old', async () => {
  const store = new RecordingStore();
  const [fresh, old] = [trail('2'), trail('2', { isOld: true })];
  await retrace(asStore(store), [fresh, old], () => undefined);
  expect(store.told).toEqual([]);
  expect([fresh.told, old.told]).toEqual([[], ['removed']]);
});

test('what former processes have settled asks the database nothing where they have left nothing', async () => {
  const store = new RecordingStore();
  store.timeline = () => Promise.reject(new DatabaseUnavailable('away'));
  await expect(retrace(asStore(store), [], () => undefined)).resolves.toBeUndefined();
});

test('what former processes have settled and is refused when it is sent again is reported', async () => {
  const store = new RecordingStore();
  const poison = receiptWith({ model: 'poison' });
  store.refuses = poison;
  const onPoison = vi.fn<(receipt: Receipt, fault: unknown) => void>();
  await retrace(asStore(store), [{ ...trail('1'), receipts: () => Promise.resolve([poison]) }], onPoison);
  expect(onPoison).toHaveBeenCalledExactlyOnceWith(poison, expect.any(SqlFault));
});
