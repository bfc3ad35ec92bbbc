import type { Lease } from './lease.ts';

/**
 * Changes of purses that no lease here was known to draw from. The draw that makes such a lease may be under way when the
 * change is heard, with an answer from before it. What was heard is kept for one to two sweeps, which outlasts that draw.
 */
export class ChangesHeard {
  /** By purse, the number of the last draw before the change was heard. */
  #before = new Map<bigint, bigint>();
  #now = new Map<bigint, bigint>();

  /** A purse has changed; `lastSequence` is the number of the last draw that was made by now. */
  note(purseId: bigint, lastSequence: bigint): void {
    this.#now.set(purseId, lastSequence);
  }

  /** Whether a change of its purse was heard between a new lease's draw and the answer. It is told once. */
  takeNewer({ purseId, sent }: Pick<Lease, 'purseId' | 'sent'>): boolean {
    const last = this.#now.get(purseId) ?? this.#before.get(purseId);
    this.#now.delete(purseId);
    this.#before.delete(purseId);
    return last !== undefined && sent <= last;
  }

  /** Forgets what was heard before the last time. */
  age(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }
}
