import { pruneChanges } from '../accounts/changes.ts';
import { ensureReceiptPartitions } from '../database/partitions.ts';
import type { Cancel, Clock } from '../lib/clock.ts';
import type { Sql } from '../lib/sql.ts';

const INTERVAL_MS = 600_000;

/** Regular work that no request waits for: partitions ahead of time, and changes that everybody has read. */
export class Housekeeping {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #onFault: (fault: unknown) => void;
  #cancel: Cancel = () => undefined;
  #stopped = false;

  constructor(sql: Sql, clock: Clock, onFault: (fault: unknown) => void) {
    this.#sql = sql;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  start(): void {
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(INTERVAL_MS, () => {
      this.#run().catch(this.#onFault).finally(() => this.start());
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    await ensureReceiptPartitions(this.#sql, this.#clock.nowMs());
    await pruneChanges(this.#sql);
  }
}
