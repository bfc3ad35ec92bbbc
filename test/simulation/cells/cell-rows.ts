import { hash } from 'node:crypto';
import type { CellAnswer } from '../../../src/control/cells/cell-client.ts';
import {
  ARRIVAL_STEPS,
  type ArrivalState,
  isUnderWay,
  MOVE_STEPS,
  type MoveState,
  stateAfter,
} from '../../../src/control/moves/move-states.ts';
import type { RefusalCode } from '../../../src/domain/refusals.ts';

// The database of one simulated cell: what its statements do to the rows of workspaces. Which step a move may make is decided by the
// tables of the program.

/** What a cell has of a workspace that lives in it, or has left it, or has landed. */
export interface Stay {
  readonly workspaceId: string;
  movedTo: string | null;
  isPaused: boolean;
  isShut: boolean;
  /** Nano-USD that were paid. */
  posted: bigint;
  /** Charges, by their requests. */
  receipts: Map<string, bigint>;
  /** Keys that open it, as they are sent. */
  keys: Set<string>;
  /** What each process may still spend, by its epoch. */
  readonly leases: Map<number, bigint>;
}

export interface ModelMove {
  readonly id: string;
  readonly workspaceId: string;
  readonly shard: string;
  state: MoveState;
  pausedAtMs: number;
  figures: string;
}

export interface Copy {
  readonly posted: bigint;
  readonly receipts: readonly (readonly [string, bigint])[];
  readonly keys: readonly string[];
}

interface Arrival {
  readonly moveId: string;
  readonly shard: string;
  state: ArrivalState;
  copy: Copy;
}

export interface RowsEvents {
  /** What a workspace's rows say has changed. */
  readonly onChange: (workspaceId: string) => void;
  /** All processes of the cell are to look the workspace up once more, and give its leases back. */
  readonly announce: (workspaceId: string) => void;
}

const LEASE = 100_000n;

export class CellRows {
  readonly shard: string;
  readonly stays = new Map<string, Stay>();
  readonly moves = new Map<string, ModelMove>();
  readonly #arrivals = new Map<string, Arrival>();
  /** Workspaces, by the digests of their keys. */
  readonly #byKey = new Map<string, string>();
  readonly #live = new Set<number>();
  readonly #events: RowsEvents;

  constructor(shard: string, events: RowsEvents) {
    this.shard = shard;
    this.#events = events;
  }

  create(workspaceId: string, key: string, posted: bigint): void {
    this.#put({
      workspaceId,
      movedTo: null,
      isPaused: false,
      isShut: false,
      posted,
      receipts: new Map(),
      keys: new Set([key]),
      leases: new Map(),
    });
  }

  #put(stay: Stay): void {
    this.stays.set(stay.workspaceId, stay);
    for (const key of stay.keys) this.#know(key, stay.workspaceId);
    this.#events.onChange(stay.workspaceId);
  }

  #know(key: string, workspaceId: string): void {
    this.#byKey.set(hash('sha256', key, 'latin1'), workspaceId);
  }

  find(secret: Buffer): Stay | null {
    return this.stays.get(this.#byKey.get(secret.toString('latin1')) ?? '') ?? null;
  }

  /** Makes a key, or takes a payment. False while the workspace is paused or lives elsewhere. */
  amend(workspaceId: string, change: { readonly key?: string; readonly posted?: bigint }): boolean {
    const stay = this.stays.get(workspaceId);
    if (stay === undefined || stay.movedTo !== null || stay.isPaused) return false;
    stay.posted += change.posted ?? 0n;
    if (change.key !== undefined) {
      stay.keys.add(change.key);
      this.#know(change.key, workspaceId);
    }
    return true;
  }

  beginEpoch(epoch: number): void {
    this.#live.add(epoch);
  }

  /** What an epoch has leased goes back, and it settles nothing any more. */
  fence(epoch: number): void {
    this.#live.delete(epoch);
    for (const stay of this.stays.values()) if (stay.leases.delete(epoch)) this.#events.onChange(stay.workspaceId);
  }

  /** What an epoch may spend of a workspace from now on; null: nothing. */
  draw(epoch: number, workspaceId: string): bigint | null {
    const stay = this.stays.get(workspaceId);
    if (stay === undefined || !this.#live.has(epoch) || stay.isShut || stay.movedTo !== null) return null;
    const granted = stay.leases.get(epoch) ?? LEASE;
    if (leftOf(stay) < granted) return null;
    stay.leases.set(epoch, granted);
    this.#events.onChange(workspaceId);
    return granted;
  }

  giveBack(epoch: number, workspaceId: string): void {
    if (this.stays.get(workspaceId)?.leases.delete(epoch) === true) this.#events.onChange(workspaceId);
  }

  /** False if the epoch is over: the charge is written off. */
  settle(epoch: number, workspaceId: string, requestId: string, charge: bigint): boolean {
    const stay = this.stays.get(workspaceId);
    const leased = stay?.leases.get(epoch);
    if (stay === undefined || leased === undefined || !this.#live.has(epoch)) return false;
    stay.receipts.set(requestId, charge);
    stay.leases.set(epoch, leased - charge);
    this.#events.onChange(workspaceId);
    return true;
  }

  startMove(workspaceId: string, id: string, shard: string): boolean {
    const stay = this.stays.get(workspaceId);
    if (stay === undefined || stay.movedTo !== null || shard === this.shard) return false;
    if (isUnderWay(this.moves.get(workspaceId)?.state ?? null)) return false;
    this.moves.set(workspaceId, { id, workspaceId, shard, state: 'copying', pausedAtMs: 0, figures: '' });
    return true;
  }

  /** The move with this id, unless a later one has taken its place. */
  moveNow({ workspaceId, id }: ModelMove): ModelMove | null {
    const move = this.moves.get(workspaceId);
    return move?.id === id ? move : null;
  }

  #step(move: ModelMove, step: keyof typeof MOVE_STEPS): Stay | null {
    const now = this.moveNow(move);
    const next = now === null ? null : stateAfter<MoveState>(MOVE_STEPS[step], now.state);
    const stay = this.stays.get(move.workspaceId);
    if (now === null || next === null || stay === undefined) return null;
    now.state = next;
    return stay;
  }

  pause(move: ModelMove, nowMs: number): void {
    const stay = this.#step(move, 'pause');
    if (stay === null) return;
    move.pausedAtMs = nowMs;
    stay.isPaused = true;
    stay.isShut = true;
    this.#told(stay);
  }

  goBack(move: ModelMove): void {
    const stay = this.#step(move, 'goBack');
    if (stay === null) return;
    stay.isPaused = false;
    stay.isShut = false;
    this.#told(stay);
  }

  /** Whether no process can spend credit of the workspace. */
  isQuiet(workspaceId: string): boolean {
    return (this.stays.get(workspaceId)?.leases.size ?? 0) === 0;
  }

  /** The point of no return. */
  letGo(move: ModelMove, figures: string): void {
    if (!this.isQuiet(move.workspaceId)) return;
    const stay = this.#step(move, 'letGo');
    if (stay === null) return;
    move.figures = figures;
    stay.movedTo = move.shard;
    stay.isPaused = false;
    this.#told(stay);
  }

  end(move: ModelMove, step: 'end' | 'endReturn'): void {
    if (this.#step(move, step) !== null) this.#events.onChange(move.workspaceId);
  }

  #told({ workspaceId }: Stay): void {
    this.#events.onChange(workspaceId);
    this.#events.announce(workspaceId);
  }

  announce(workspaceId: string): void {
    this.#events.announce(workspaceId);
  }

  copyOf(workspaceId: string): Copy {
    const stay = this.stays.get(workspaceId);
    if (stay === undefined) throw new Error('a workspace that moves is there');
    return { posted: stay.posted, receipts: [...stay.receipts], keys: [...stay.keys] };
  }

  /** What a cell answers to the messages of a move. */
  beginArrival(workspaceId: string, moveId: string, from: string): CellAnswer {
    const open = this.#refusalOfOpen(workspaceId);
    if (open !== null) return open;
    const copy = { posted: 0n, receipts: [], keys: [] };
    this.#arrivals.set(workspaceId, { moveId, shard: from, state: 'arriving', copy });
    if (!this.isQuiet(workspaceId)) this.announce(workspaceId);
    return done();
  }

  receive(workspaceId: string, moveId: string, copy: Copy): CellAnswer {
    const arrival = this.#arrivals.get(workspaceId);
    if (arrival?.moveId !== moveId) return this.#refused('NOT_FOUND');
    if (stateAfter<ArrivalState>(ARRIVAL_STEPS.land, arrival.state) === null) return this.#refused('CONFLICT');
    arrival.copy = copy;
    return done();
  }

  land(workspaceId: string, moveId: string): CellAnswer {
    const arrival = this.#arrivals.get(workspaceId);
    if (arrival?.moveId !== moveId) return this.#refused('NOT_FOUND');
    const next = stateAfter<ArrivalState>(ARRIVAL_STEPS.land, arrival.state);
    if (next === null) return this.#refused('CONFLICT');
    const open = this.#refusalOfOpen(workspaceId);
    if (open !== null) return open;
    if (!this.isQuiet(workspaceId)) return this.#refused('SERVICE_UNAVAILABLE');
    const { posted, receipts, keys } = arrival.copy;
    this.#put({
      workspaceId,
      movedTo: arrival.shard,
      isPaused: false,
      isShut: true,
      posted,
      receipts: new Map(receipts),
      keys: new Set(keys),
      leases: new Map(),
    });
    arrival.state = next;
    this.announce(workspaceId);
    return done(this.figuresOf(workspaceId));
  }

  open(workspaceId: string, moveId: string, figures: string): CellAnswer {
    const arrival = this.#arrivals.get(workspaceId);
    if (arrival?.moveId !== moveId) return this.#refused('NOT_FOUND');
    if (arrival.state === ARRIVAL_STEPS.open.to) return done();
    const next = stateAfter<ArrivalState>(ARRIVAL_STEPS.open, arrival.state);
    const stay = this.stays.get(workspaceId);
    if (next === null || stay === undefined || this.figuresOf(workspaceId) !== figures)
      return this.#refused('CONFLICT');
    arrival.state = next;
    stay.movedTo = null;
    stay.isShut = false;
    this.#told(stay);
    return done();
  }

  drop(workspaceId: string, moveId: string): CellAnswer {
    const arrival = this.#arrivals.get(workspaceId);
    if (arrival?.moveId !== moveId) return done();
    if (arrival.state === 'open') return this.#refused('CONFLICT');
    this.#arrivals.delete(workspaceId);
    return done();
  }

  #refusalOfOpen(workspaceId: string): CellAnswer | null {
    return this.stays.get(workspaceId)?.movedTo === null ? this.#refused('CONFLICT') : null;
  }

  #refused(code: RefusalCode): CellAnswer {
    return { ok: false, fault: { shard: this.shard, kind: 'refused', message: `it refuses: ${code}`, code } };
  }

  /** What both cells count of a workspace. */
  figuresOf(workspaceId: string): string {
    const stay = this.stays.get(workspaceId);
    if (stay === undefined) return 'nothing';
    return `${stay.posted} ${spentIn(stay)} ${stay.receipts.size} ${stay.keys.size}`;
  }
}

function done(body: unknown = {}): CellAnswer {
  return { ok: true, body };
}

export function spentIn({ receipts }: Pick<Stay, 'receipts'>): bigint {
  return receipts.values().reduce((sum, charge) => sum + charge, 0n);
}

function leftOf(stay: Stay): bigint {
  return stay.leases.values().reduce((left, leased) => left - leased, stay.posted - spentIn(stay));
}
