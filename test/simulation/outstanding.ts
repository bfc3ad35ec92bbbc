import type { NanoUsd } from '../../src/domain/money.ts';
import type { Principal } from '../../src/domain/principal.ts';
import type { MemoryStore } from './memory-store.ts';
import { must } from './must.ts';

/** What a request counts against: its workspace's, its project's and its key's limit, its end user's and its session's. */
const subjectsOf = ({ workspaceId, projectId, keyId, served }: Principal): readonly string[] => [
  workspaceId,
  projectId,
  keyId,
  ...[served?.endUserId ?? null, served?.sessionId ?? null].filter((id) => id !== null),
];

/**
 * What processes hold, or have charged without the database knowing it yet, as counted from what requests were told: by
 * epoch and subject. The leases of an epoch must have it, or others may spend it as well.
 */
export class Outstanding {
  readonly #bySubject = new Map<bigint, Map<string, NanoUsd>>();
  readonly #unsettled = new Map<string, { readonly epochId: bigint; readonly principal: Principal; charge: NanoUsd }>();

  held(epochId: bigint, principal: Principal, amount: NanoUsd): void {
    this.#add(epochId, principal, amount);
  }

  /** A hold is gone without a charge: its process is. */
  dropped(epochId: bigint, principal: Principal, amount: NanoUsd): void {
    this.#add(epochId, principal, -amount);
  }

  closed(epochId: bigint, principal: Principal, amount: NanoUsd, requestId: string, charge: NanoUsd): void {
    this.#add(epochId, principal, charge - amount);
    this.#unsettled.set(requestId, { epochId, principal, charge });
  }

  /** The database has the charge, or has refused it for good. */
  known(requestId: string): void {
    const entry = this.#unsettled.get(requestId);
    if (entry === undefined) return;
    this.#unsettled.delete(requestId);
    this.#add(entry.epochId, entry.principal, -entry.charge);
  }

  /** Looks at every epoch that lives and of which no server has lost anything. */
  check(model: MemoryStore, isShaken: (epochId: bigint) => boolean): void {
    for (const [epochId, bySubject] of this.#bySubject) {
      const epoch = model.epochs.get(epochId);
      if (epoch === undefined || epoch.fenced || isShaken(epochId)) {
        if (epoch?.fenced === true) this.#bySubject.delete(epochId);
        continue;
      }
      const room = roomOf(model, epochId);
      for (const [subjectId, amount] of bySubject) {
        const has = room.get(subjectId);
        must(has === null || amount <= (has ?? 0n), 'a process holds more than its leases have');
      }
    }
  }

  #add(epochId: bigint, principal: Principal, amount: NanoUsd): void {
    let bySubject = this.#bySubject.get(epochId);
    if (bySubject === undefined) {
      bySubject = new Map();
      this.#bySubject.set(epochId, bySubject);
    }
    for (const id of subjectsOf(principal)) bySubject.set(id, (bySubject.get(id) ?? 0n) + amount);
  }
}

/** What the leases of an epoch have beyond what is charged, by subject, over all windows; null where one is open. */
function roomOf(model: MemoryStore, epochId: bigint): ReadonlyMap<string, NanoUsd | null> {
  const room = new Map<string, NanoUsd | null>();
  for (const [purseId, { granted, charged, open }] of model.epochs.get(epochId)?.leases ?? []) {
    const { subjectId } = model.purseOf(purseId).name;
    const before = room.get(subjectId);
    room.set(subjectId, open || before === null ? null : (before ?? 0n) + granted - charged);
  }
  return room;
}
