import type { LostRecords } from '../../control/sinks/workspace-sinks.ts';
import type { Cancel, Clock } from '../../lib/clock.ts';
import { orAfter } from '../../lib/pause.ts';

interface LossRecordParts {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly write: (lost: readonly LostRecords[]) => Promise<void>;
}

/** Adds up what was lost, and writes it every few seconds. What can't be written waits for the next time. */
export class LossRecord {
  readonly #parts: LossRecordParts;
  #unwritten = new Map<string, LostRecords>();
  #cancel: Cancel | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: LossRecordParts) {
    this.#parts = parts;
  }

  add(lost: LostRecords): void {
    const key = `${lost.workspaceId} ${lost.sink}`;
    const records = (this.#unwritten.get(key)?.records ?? 0) + lost.records;
    this.#unwritten.set(key, { ...lost, records });
    this.#cancel ??= this.#parts.clock.after(this.#parts.everyMs, () => this.#write());
  }

  /** Writes the rest, within this time. */
  async stop(withinMs: number): Promise<void> {
    this.#cancel?.();
    await this.#writing;
    this.#write();
    await orAfter(this.#parts.clock, this.#writing, withinMs);
    this.#cancel?.();
  }

  #write(): void {
    this.#cancel = null;
    const lost = [...this.#unwritten.values()];
    if (lost.length === 0) return;
    this.#unwritten = new Map();
    this.#writing = this.#writing
      .then(() => this.#parts.write(lost))
      .catch(() => lost.forEach((each) => this.add(each)));
  }
}
