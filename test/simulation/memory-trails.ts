import type { Clock } from '../../src/lib/clock.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type { LeftTrail, Trail } from '../../src/gate/purses/ports/disk.ts';

const WRITE_MS = 1;
const OLD_MS = 60_000;

interface Left {
  readonly epochId: bigint;
  readonly timeline: string | null;
  readonly receipts: Receipt[];
  atMs: number;
}

/** One data directory's trails. They outlive the processes that write them. */
export class MemoryTrails {
  readonly #left = new Map<string, Left>();
  readonly #time: { monotonicMs(): number };

  constructor(time: { monotonicMs(): number }) {
    this.#time = time;
  }

  /** The trail of an epoch, for a process that runs on this clock. */
  of(epochId: bigint, clock: Clock): Trail {
    return {
      add: (receipts, timeline) =>
        new Promise((resolve) => {
          clock.after(WRITE_MS, () => {
            const key = `${epochId} ${timeline}`;
            const left = this.#left.get(key) ?? { epochId, timeline, receipts: [], atMs: 0 };
            left.receipts.push(...receipts);
            left.atMs = this.#time.monotonicMs();
            this.#left.set(key, left);
            clock.after(WRITE_MS, resolve);
          });
        }),
      close: () => Promise.resolve(),
      clear: () => {
        for (const [key, left] of this.#left) if (left.epochId === epochId) this.#left.delete(key);
        return Promise.resolve();
      },
    };
  }

  /** What is left in the directory, but for these epochs. */
  left(but: ReadonlySet<bigint>): readonly LeftTrail[] {
    return [...this.#left]
      .filter(([, { epochId }]) => !but.has(epochId))
      .map(([key, { epochId, timeline, receipts, atMs }]) => ({
        epochId,
        timeline,
        isOld: this.#time.monotonicMs() - atMs > OLD_MS,
        receipts: () => Promise.resolve([...receipts]),
        moveTo: (present) => {
          this.#left.delete(key);
          const there = this.#left.get(`${epochId} ${present}`)?.receipts ?? [];
          const moved = {
            epochId,
            timeline: present,
            receipts: [...there, ...receipts],
            atMs: this.#time.monotonicMs(),
          };
          this.#left.set(`${epochId} ${present}`, moved);
          return Promise.resolve();
        },
        remove: () => {
          this.#left.delete(key);
          return Promise.resolve();
        },
      }));
  }
}
