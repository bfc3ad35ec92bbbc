import type { PurseName } from '../ports/database.ts';
import { DRAW_RULE } from './draw-rule.ts';
import type { Lease } from './lease.ts';
import { purseKey } from './purse-names.ts';

const ROOM = DRAW_RULE.briefMost;
const PROJECT_ROOM = DRAW_RULE.briefMost / DRAW_RULE.briefProjectPart;

/** Result of a sweep. */
export interface SweepResult {
  /** Leases with idle slack. */
  readonly idle: readonly Lease[];
  /** Leases that nothing needs any more; the registry has forgotten them. */
  readonly done: readonly Lease[];
}

/** The leases of end users and sessions. A caller may name a new one with each request, so there is a bound, and one for each project. */
export class BriefLeases {
  readonly #byName = new Map<string, Lease>();
  readonly #countOf = new Map<string, number>();

  get(name: PurseName): Lease | undefined {
    return this.#byName.get(purseKey(name));
  }

  /** Keeps a new lease, if there is room for it. */
  add(lease: Lease): void {
    const { projectId } = lease.name;
    if (projectId === undefined || this.#byName.size >= ROOM) return;
    const count = this.#countOf.get(projectId) ?? 0;
    if (count >= PROJECT_ROOM) return;
    this.#byName.set(purseKey(lease.name), lease);
    this.#countOf.set(projectId, count + 1);
  }

  /**
   * Forgets the leases that nothing needs any more. One in doubt is kept until no draw of it can take effect, and is drawn once
   * more: what took effect unseen goes back.
   */
  sweep(monotonicMs: number, isNeeded: (lease: Lease) => boolean): SweepResult {
    const done: Lease[] = [];
    const idle: Lease[] = [];
    for (const [id, lease] of this.#byName) {
      // A limit that is set is read with the next draw, which one without a limit would not need.
      if (lease.isOpen && monotonicMs - lease.lastDrawMs >= DRAW_RULE.briefForgetMs) idle.push(lease);
      const idleMs = monotonicMs - Math.max(lease.lastHoldMs, lease.lastDrawMs);
      if (idleMs < DRAW_RULE.briefForgetMs || !lease.isQuiet || isNeeded(lease)) continue;
      if (lease.isInDoubt) {
        lease.isInDoubt = idleMs < DRAW_RULE.forgetMs;
        if (lease.slack > 0n || !lease.isInDoubt) idle.push(lease);
      } else {
        this.forget(lease, id);
        if (lease.hasPurse) done.push(lease);
      }
    }
    return { idle, done };
  }

  /** Forgets a lease, if it is the one of its purse. */
  forget(lease: Lease, id = purseKey(lease.name)): void {
    if (this.#byName.get(id) !== lease) return;
    this.#byName.delete(id);
    this.#left(lease.name);
  }

  #left({ projectId = '' }: PurseName): void {
    const count = this.#countOf.get(projectId) ?? 0;
    if (count > 1) this.#countOf.set(projectId, count - 1);
    else this.#countOf.delete(projectId);
  }
}
