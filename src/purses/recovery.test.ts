import { describe, expect, test, vi } from 'vitest';
import { receiptWith } from '../../test/support/receipts.ts';
import { DatabaseUnavailable, SqlFault } from '../lib/sql.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { LeftJournal } from './journal.ts';
import { EpochFenced, type PurseStore } from './purse-store.ts';
import { recover } from './recovery.ts';

/** What a store was asked for, in order. */
class RecordingStore {
  readonly told: string[] = [];
  readonly isFenced: boolean;
  refuses: Receipt | null = null;

  constructor({ isFenced = false } = {}) {
    this.isFenced = isFenced;
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    if (this.isFenced) return Promise.reject(new EpochFenced('dead'));
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

describe('recovery', () => {
  test('charges the epoch’s own leases before it gives them back', async () => {
    const store = new RecordingStore();
    const journal = left(3n, [receiptWith(), receiptWith()]);
    await recover(asStore(store), [3n, 5n], [journal], () => undefined);
    expect(store.told).toEqual(['settle 3: 2', 'fence 3', 'fence 5']);
    expect(journal.remove).toHaveBeenCalledOnce();
  });

  test('charges late what a peer has fenced meanwhile', async () => {
    const store = new RecordingStore({ isFenced: true });
    await recover(asStore(store), [3n], [left(3n, [receiptWith()])], () => undefined);
    expect(store.told).toEqual(['late 3: 1', 'fence 3']);
  });

  test('sets aside a row that the database refuses, instead of failing at every start', async () => {
    const store = new RecordingStore();
    const [good, poison] = [receiptWith(), receiptWith({ model: 'poison' })];
    store.refuses = poison;
    const journal = left(3n, [good, poison]);
    const onPoison = vi.fn<(receipt: Receipt, fault: unknown) => void>();
    await recover(asStore(store), [3n], [journal], onPoison);
    expect(store.told).toEqual(['settle 3: 1', 'quarantine poison', 'fence 3']);
    expect(onPoison).toHaveBeenCalledWith(poison, expect.any(SqlFault));
    expect(journal.remove).toHaveBeenCalledOnce();
  });

  test('keeps the journal, and the leases that its charges need, if the database goes away', async () => {
    const store = new RecordingStore();
    store.settle = () => Promise.reject(new DatabaseUnavailable('away'));
    const journal = left(3n, [receiptWith()]);
    await expect(recover(asStore(store), [3n], [journal], () => undefined)).rejects.toThrow(DatabaseUnavailable);
    expect(journal.remove).not.toHaveBeenCalled();
    expect(store.told).toEqual([]);
  });

  test('takes long journals in batches', async () => {
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
      () => undefined,
    );
    expect(store.told).toEqual(['settle 3: 500', 'settle 3: 500', 'settle 3: 201', 'fence 3']);
  });
});
