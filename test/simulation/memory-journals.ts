import type { Clock } from '../../src/lib/clock.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { Journal, LeftJournal } from '../../src/gate/purses/ports/disk.ts';

const WRITE_MS = 3;

/** One data directory's journals. They outlive the processes that write them. */
export class MemoryJournals {
  readonly #byEpoch = new Map<bigint, Receipt[]>();

  /** The journal of an epoch, for a process that runs on this clock: what it does takes effect before it hears of it. */
  of(epochId: bigint, clock: Clock): Journal {
    const soon = (work: () => void): Promise<void> =>
      new Promise((resolve) => {
        clock.after(WRITE_MS, () => {
          work();
          clock.after(WRITE_MS, resolve);
        });
      });
    return {
      write: (receipts) => soon(() => this.#byEpoch.set(epochId, [...(this.#byEpoch.get(epochId) ?? []), ...receipts])),
      clear: () => soon(() => this.#byEpoch.delete(epochId)),
    };
  }

  /** What is left in the directory. */
  left(): readonly LeftJournal[] {
    return [...this.#byEpoch].map(([epochId, receipts]) => ({
      epochId,
      receipts: [...receipts],
      damaged: null,
      remove: () => {
        this.#byEpoch.delete(epochId);
        return Promise.resolve();
      },
    }));
  }
}
