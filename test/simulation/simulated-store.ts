import { DatabaseUnavailable, SqlFault } from '../../src/lib/sql.ts';
import type { Receipt } from '../../src/domain/receipt.ts';
import type {
  DrawReply,
  DrawRequest,
  HeartbeatReply,
  LeaseRelease,
  PurseStore,
} from '../../src/purses/ports/database.ts';
import type { MemoryStore } from './memory-store.ts';
import type { Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How the way to the database is: as it should be, slow, losing questions or answers, or cut. */
export const MOODS = ['well', 'slow', 'lossy', 'down'] as const;
export type Mood = (typeof MOODS)[number];

/** Receipts of this model are refused by the database for good. */
export const POISON = 'poison';

/** The way from one process to the database: what is sent takes time, gets lost before or after its effect, or has it twice. */
export class SimulatedStore implements PurseStore {
  readonly #model: MemoryStore;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  mood: Mood = 'well';
  /** Until when what was sent in bad times may still be missing an answer. */
  unwellUntilMs = 0;
  readonly sent = { draw: 0, settle: 0, release: 0 };

  constructor(model: MemoryStore, clock: VirtualClock, random: Random) {
    this.#model = model;
    this.#clock = clock;
    this.#random = random;
  }

  beginEpoch(): Promise<bigint> {
    return Promise.resolve(this.#model.beginEpoch());
  }

  formerEpochs(): Promise<readonly bigint[]> {
    return Promise.resolve([]);
  }

  timeline(): Promise<string> {
    return Promise.resolve('1');
  }

  heartbeat(epochId: bigint): Promise<HeartbeatReply> {
    return this.#roundTrip(() => {
      this.#model.requireLive(epochId);
      return { databaseNowMs: this.#clock.nowMs(), timeline: '1', peers: [] };
    });
  }

  fence(epochId: bigint): Promise<void> {
    return this.#roundTrip(() => this.#model.fence(epochId));
  }

  draw(epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly DrawReply[]> {
    this.sent.draw += 1;
    return this.#roundTrip(() => this.#model.draw(epochId, requests));
  }

  settle(epochId: bigint, receipts: readonly Receipt[]): Promise<void> {
    this.sent.settle += 1;
    return this.#roundTrip(() => {
      this.#model.requireLive(epochId);
      if (receipts.some(({ model }) => model === POISON)) throw new SqlFault('the text is refused', '22021', null);
      this.#model.settle(epochId, receipts);
    });
  }

  release(epochId: bigint, leases: readonly LeaseRelease[]): Promise<readonly true[]> {
    this.sent.release += 1;
    return this.#roundTrip(() => this.#model.release(epochId, leases));
  }

  settleLate(): Promise<void> {
    return Promise.reject(new TypeError('no epoch is fenced here, so nothing is late'));
  }

  quarantine(): Promise<void> {
    return Promise.resolve();
  }

  #roundTrip<Reply>(work: () => Reply): Promise<Reply> {
    const random = this.#random;
    const latencyMs = this.mood === 'slow' ? random.between(10, 2_500) : random.between(0, 4);
    const isLost = this.mood === 'down' || (this.mood === 'lossy' && random.chance(0.6));
    const hasEffect = this.mood !== 'down' && random.chance(0.7);
    if (this.mood !== 'well') {
      this.unwellUntilMs = Math.max(this.unwellUntilMs, this.#clock.monotonicMs() + latencyMs + 200);
    }
    return new Promise((resolve, reject) => {
      this.#clock.after(latencyMs, () => {
        if (isLost) {
          reject(new DatabaseUnavailable('no answer'));
          // The statement may also take effect after everybody has given it up, and been asked again.
          if (hasEffect) this.#clock.after(random.pick([0, 0, 300, 3_000]), () => ignoringFaults(work));
          return;
        }
        try {
          resolve(work());
        } catch (fault) {
          reject(fault instanceof Error ? fault : new TypeError('thrown without being an error', { cause: fault }));
        }
        if (this.mood === 'lossy') this.#clock.after(random.between(0, 500), () => ignoringFaults(work));
      });
    });
  }
}

function ignoringFaults(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nobody hears of it.
  }
}
