import { shardOf } from '../../../src/domain/key.ts';
import { REFUSALS } from '../../../src/domain/refusals.ts';
import { must } from '../must.ts';
import type { CellNetwork } from './cell-network.ts';
import type { Outcome } from './cell-process.ts';
import { type CellRows, spentIn, type Stay } from './cell-rows.ts';

/** Within this time all processes that are well have heard of a change, and a request has come to its end. */
export const HEARD_MS = 5_000;
/** So often a request is forwarded at most. */
const FORWARDS_MAX = 4;

/** A request that its caller has sent. */
export interface Asked {
  readonly workspaceId: string;
  readonly key: string;
  /** The cell that it was sent to. */
  readonly entry: string;
  readonly atMs: number;
  /** Whether one of its messages was lost, or one of its processes ended. */
  isUnlucky: boolean;
  servedIn: string | null;
}

interface Judged {
  readonly cells: ReadonlyMap<string, CellRows>;
  readonly network: CellNetwork;
  readonly nowMs: () => number;
}

/** Knows from outside what was paid, asked and charged, and holds the cells to it. */
export class CellsJudge {
  readonly #judged: Judged;
  readonly #asked = new Map<string, Asked>();
  readonly #broken = new Set<string>();
  readonly #posted = new Map<string, bigint>();
  readonly #charged = new Map<string, bigint>();
  /** The cells that have rows of a workspace. */
  readonly #presence = new Map<string, Set<CellRows>>();
  readonly #changedAtMs = new Map<string, number>();
  /** When each cell, or link, was last in disorder. */
  readonly #disorderAtMs = new Map<string, number>();
  readonly happened = { served: 0, forwarded: 0, refused: 0, excused: 0, unknown: 0, ended: 0, returned: 0 };

  constructor(judged: Judged) {
    this.#judged = judged;
  }

  paid(workspaceId: string, amount: bigint): void {
    this.#posted.set(workspaceId, (this.#posted.get(workspaceId) ?? 0n) + amount);
  }

  asked(requestId: string, asked: Omit<Asked, 'isUnlucky' | 'servedIn'>): void {
    this.#asked.set(requestId, { ...asked, isUnlucky: false, servedIn: null });
  }

  unlucky(requestId: string): void {
    const asked = this.#asked.get(requestId);
    if (asked !== undefined) asked.isUnlucky = true;
  }

  disorder(shard: string): void {
    this.#disorderAtMs.set(shard, this.#judged.nowMs());
  }

  serving(requestId: string, shard: string): void {
    const asked = this.#asked.get(requestId);
    must(asked !== undefined, 'a request is served that nobody has sent');
    must(asked.servedIn === null, 'a request is served twice');
    asked.servedIn = shard;
    this.happened.served += 1;
    if (asked.entry !== shard) this.happened.forwarded += 1;
  }

  settled(workspaceId: string, charge: bigint): void {
    this.#charged.set(workspaceId, (this.#charged.get(workspaceId) ?? 0n) + charge);
  }

  /** Each change of a workspace's rows: it may be spent in one cell at most. */
  changed(rows: CellRows, workspaceId: string): void {
    let presence = this.#presence.get(workspaceId);
    if (presence === undefined) this.#presence.set(workspaceId, (presence = new Set()));
    presence.add(rows);
    const stays = [...presence].map((cell) => cell.stays.get(workspaceId)).filter((stay) => stay !== undefined);
    must(stays.filter(isSpendable).length <= 1, 'a workspace is live in two cells');
    must(stays.filter(({ movedTo }) => movedTo === null).length <= 1, 'a workspace lives in two cells');
  }

  /** What says where a workspace lives, or that it works there, has changed. */
  turned(workspaceId: string): void {
    this.#changedAtMs.set(workspaceId, this.#judged.nowMs());
  }

  answered(requestId: string, outcome: Outcome): void {
    const asked = this.#asked.get(requestId);
    must(asked !== undefined, 'an answer to nothing');
    if (asked.isUnlucky) this.broken(requestId);
    else this.#asked.delete(requestId);
    if (outcome === 'served') {
      must(asked.servedIn !== null, 'an answer that nobody has given');
      return;
    }
    this.happened.refused += 1;
    const isForeign = outcome.code === 'INVALID_API_KEY';
    if (isForeign && this.#mayBeUnknown(asked)) {
      this.happened.unknown += 1;
      return;
    }
    must(!isForeign, `a key is refused that is right: ${outcome.message}`);
    must(REFUSALS[outcome.code].status === 503 && outcome.retryAfterMs !== undefined, `refused: ${outcome.message}`);
    const isExcused = asked.isUnlucky || this.#isInTheWay(asked);
    must(isExcused, `a key does not work, and nothing is in its way: ${outcome.message}`);
    this.happened.excused += 1;
  }

  /** Whether the cell that was asked has never had the workspace, and the key is of another one. */
  #mayBeUnknown({ workspaceId, entry, key }: Asked): boolean {
    const stay = this.#judged.cells.get(entry)?.stays.get(workspaceId);
    return shardOf(key) !== entry && (stay === undefined || !stay.keys.has(key) || this.#turnedLately(workspaceId));
  }

  #turnedLately(workspaceId: string): boolean {
    return this.#judged.nowMs() - (this.#changedAtMs.get(workspaceId) ?? -Infinity) < HEARD_MS;
  }

  /** Whether a pause, a move that is not over, or a cell or link that was away explains a refusal. */
  #isInTheWay({ workspaceId, entry }: Asked): boolean {
    const { cells, network, nowMs } = this.#judged;
    if (this.#turnedLately(workspaceId)) return true;
    let at = entry;
    for (let forwards = 0; forwards <= FORWARDS_MAX; forwards += 1) {
      if (nowMs() - (this.#disorderAtMs.get(at) ?? -Infinity) < HEARD_MS || network.lost.has(at)) return true;
      const rows = cells.get(at);
      const stay = rows?.stays.get(workspaceId);
      if (stay === undefined) return false;
      if (stay.isPaused) return true;
      if (stay.movedTo === null) return false;
      if (rows?.moves.get(workspaceId)?.state === 'moved') return true;
      if (!network.isOpen(at, stay.movedTo)) return true;
      at = stay.movedTo;
    }
    return true;
  }

  /** All money is where it belongs. */
  checkSums(): void {
    let sum = 0n;
    for (const rows of this.#judged.cells.values()) {
      for (const stay of rows.stays.values()) if (isCounted(rows, stay, this.#presence)) sum += balanceOf(stay);
    }
    const expected = [...this.#posted].reduce(
      (total, [workspaceId, posted]) => total + posted - (this.#charged.get(workspaceId) ?? 0n),
      0n,
    );
    must(sum === expected, `the cells have ${sum} nano-USD, and ${expected} were paid and not spent`);
  }

  /** Each workspace lives in one cell, with all that was paid and charged. */
  checkSettled(): void {
    must(this.#asked.size === this.#broken.size, 'a request is without an answer');
    for (const [workspaceId, presence] of this.#presence) {
      const homes = [...presence].filter((rows) => rows.stays.get(workspaceId)?.movedTo === null);
      must(homes.length === 1, 'a workspace lives nowhere');
      const stay = homes[0]?.stays.get(workspaceId);
      const balance = (this.#posted.get(workspaceId) ?? 0n) - (this.#charged.get(workspaceId) ?? 0n);
      must(stay !== undefined && balanceOf(stay) === balance, 'a workspace has another balance than it should');
      for (const { moves } of presence) {
        const state = moves.get(workspaceId)?.state;
        must(state === undefined || state === 'ended' || state === 'returned', 'a move has not come to its end');
        if (state === 'ended') this.happened.ended += 1;
        if (state === 'returned') this.happened.returned += 1;
      }
    }
    this.checkSums();
  }

  /** A process on its way has ended: another cell may still serve it, whatever its caller has seen. */
  broken(requestId: string): void {
    this.#broken.add(requestId);
  }
}

function isSpendable({ movedTo, isShut, leases }: Stay): boolean {
  return (movedTo === null && !isShut) || leases.size > 0;
}

function balanceOf(stay: Stay): bigint {
  return stay.posted - spentIn(stay);
}

/** Between the point of no return and its opening, the cell that it has left answers for a workspace. */
function isCounted(rows: CellRows, stay: Stay, presence: ReadonlyMap<string, ReadonlySet<CellRows>>): boolean {
  if (stay.movedTo === null) return true;
  if (rows.moves.get(stay.workspaceId)?.state !== 'moved') return false;
  const homes = [...(presence.get(stay.workspaceId) ?? [])];
  return homes.every((cell) => cell.stays.get(stay.workspaceId)?.movedTo !== null);
}
