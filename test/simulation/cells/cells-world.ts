import { askCells } from '../../../src/control/cells/ask-cells.ts';
import type { CellAnswer } from '../../../src/control/cells/cell-client.ts';
import type { Cell } from '../../../src/control/cells/cell-store.ts';
import { composeKey, KEY_ID_LENGTH, KEY_SECRET_LENGTH, shardOf } from '../../../src/domain/key.ts';
import type { ForwardFailure } from '../../../src/gate/gateway/forwarder.ts';
import { must } from '../must.ts';
import { Random } from '../random.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { CellNetwork } from './cell-network.ts';
import { CellProcess, type Outcome, type Sent } from './cell-process.ts';
import { CellRows, type ModelMove } from './cell-rows.ts';
import { CellTrip } from './cell-trip.ts';
import { CellsJudge, HEARD_MS } from './cells-judge.ts';

export const CELLS = 100;
export const PROCESSES = 1_000;
const WORKSPACES = 100;
/** Those to which something happens in one seed. */
const BUSY = 8;
/** Cells to which the busy ones move, so that paths meet. */
const STAGE = 6;
const CREDIT = 10_000_000n;
const FENCED_MS = 3_000;
const HELD_MS = 5_000;
const MOVE_EVERY_MS = 1_000;
const HEAR_MS = 300;
const FAN_OUT_MAX = 32;
const SEARCH_MS_MAX = 1_000;
const STARTED_MS = Date.UTC(2027, 0, 1);

const SHARDS = Array.from({ length: CELLS }, (_, index) => String(index).padStart(2, '0'));
const URLS = SHARDS.map((shard) => [shard, `https://${shard}.gateway.example`] as const);
/** What each cell knows of all others. */
const KNOWN = new Map(SHARDS.map((shard) => [shard, new Map(URLS.filter(([other]) => other !== shard))]));

interface SimulatedCell {
  readonly rows: CellRows;
  readonly processes: CellProcess[];
  /** Until when a process carries a move on, by the workspace. */
  readonly heldUntilMs: Map<string, number>;
}

interface Workspace {
  readonly id: string;
  readonly keys: string[];
}

/** A hundred cells with a thousand processes, what lies between them, and their callers, all out of one seed. */
export class CellsWorld {
  readonly #random: Random;
  readonly #time = new VirtualClock(STARTED_MS);
  readonly #network: CellNetwork;
  readonly #cells = new Map<string, SimulatedCell>();
  readonly #judge: CellsJudge;
  readonly #workspaces: readonly Workspace[];
  readonly #busy: readonly Workspace[];
  readonly #stage: readonly string[];
  readonly #faults: unknown[] = [];
  #ids = 0;
  #isOver = false;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#network = new CellNetwork(this.#random, this.#time);
    for (const shard of SHARDS) this.#cells.set(shard, this.#newCell(shard));
    const rows = new Map([...this.#cells].map(([shard, cell]) => [shard, cell.rows]));
    this.#judge = new CellsJudge({ cells: rows, network: this.#network, nowMs: () => this.#time.monotonicMs() });
    for (const shard of SHARDS) {
      for (let count = PROCESSES / CELLS; count > 0; count -= 1) this.#startProcess(shard);
    }
    this.#stage = Array.from({ length: STAGE }, () => this.#random.pick(SHARDS));
    this.#workspaces = Array.from({ length: WORKSPACES }, (_, index) => this.#newWorkspace(index));
    this.#busy = this.#workspaces.slice(0, BUSY);
  }

  get happened(): CellsJudge['happened'] {
    return this.#judge.happened;
  }

  /** One thing that may happen, then some time. */
  async step(): Promise<void> {
    const kind = this.#random.between(0, 99);
    if (kind < 58) this.#request();
    else if (kind < 72) this.#move();
    else if (kind < 76) this.#amend();
    else if (kind < 78) this.#search();
    else this.#disturb(kind);
    await this.#pass(this.#random.pick([0, 5, 30, 100, 400]));
  }

  /** Puts everything right, brings it to its end, and asks once more with each key. */
  async quiet(): Promise<void> {
    this.#isOver = true;
    for (const shard of this.#network.lost) this.#comeBack(shard);
    this.#network.heal();
    for (const cell of this.#cells.values()) for (const { clock } of cell.processes) clock.resume();
    await this.#pass(30_000);
    this.#judge.checkSettled();
    for (const { id, keys } of this.#workspaces) {
      for (const key of keys) this.#ask(id, key, shardOf(key));
    }
    await this.#pass(HEARD_MS);
    this.#judge.checkSettled();
  }

  async #pass(ms: number): Promise<void> {
    await this.#time.pass(ms);
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind} ${String(this.#ids).padStart(6, '0')}`;
  }

  #newCell(shard: string): SimulatedCell {
    const rows: CellRows = new CellRows(shard, {
      onChange: (workspaceId) => this.#watched(() => this.#judge.changed(rows, workspaceId)),
      announce: (workspaceId) => {
        this.#judge.turned(workspaceId);
        this.#announce(shard, workspaceId);
      },
    });
    return { rows, processes: [], heldUntilMs: new Map() };
  }

  #newWorkspace(index: number): Workspace {
    const shard = index < BUSY ? this.#random.pick(this.#stage) : this.#random.pick(SHARDS);
    const id = this.#id('workspace');
    const key = this.#newKey(shard);
    this.#cell(shard).rows.create(id, key, CREDIT);
    this.#judge.paid(id, CREDIT);
    return { id, keys: [key] };
  }

  #newKey(shard: string): string {
    this.#ids += 1;
    return composeKey(shard + String(this.#ids).padStart(KEY_ID_LENGTH, '0'), 'x'.repeat(KEY_SECRET_LENGTH));
  }

  #cell(shard: string): SimulatedCell {
    const cell = this.#cells.get(shard);
    must(cell !== undefined, 'there is no such cell');
    return cell;
  }

  #startProcess(shard: string): void {
    const { rows, processes } = this.#cell(shard);
    this.#ids += 1;
    processes.push(
      new CellProcess({
        time: this.#time,
        random: this.#random,
        rows,
        epoch: this.#ids,
        knownCells: () => KNOWN.get(shard) ?? new Map(),
        isLost: () => this.#network.lost.has(shard),
        forward: (to, sent) => this.#forward(shard, to, sent),
        onServing: ({ requestId }) => this.#watched(() => this.#judge.serving(requestId, shard)),
        onSettled: (workspaceId, charge) => this.#judge.settled(workspaceId, charge),
      }),
    );
  }

  /** What the judge finds ends the seed, wherever it is found. */
  #watched(check: () => void): void {
    try {
      check();
    } catch (fault) {
      this.#faults.push(fault);
    }
  }

  #announce(shard: string, workspaceId: string): void {
    for (const process of this.#cell(shard).processes) {
      process.clock.after(this.#random.between(1, HEAR_MS), () =>
        process.hear({ kind: 'workspace', subjectId: workspaceId }),
      );
    }
  }

  #serverIn(shard: string): CellProcess | null {
    const running = this.#cell(shard).processes.filter(({ isRunning }) => isRunning);
    return running.length === 0 ? null : this.#random.pick(running);
  }

  async #forward(from: string, to: string, sent: Sent): Promise<Outcome | ForwardFailure> {
    const passed = (sent.forwardedBy ?? '').split(',');
    this.#watched(() => must(new Set(passed).size === passed.length, 'a request is forwarded in a circle'));
    if (this.#faults.length > 0) return 'broken';
    const passage = await this.#network.pass(from, to, async (): Promise<Outcome | 'away' | 'broken'> => {
      const process = this.#serverIn(to);
      return process === null ? 'away' : await this.#serveAt(process, sent);
    });
    if (passage === 'away' || passage === 'broken') this.#judge.unlucky(sent.requestId);
    return typeof passage === 'string' ? passage : passage.answer;
  }

  /** The answer of a process; broken if it ends before. */
  async #serveAt(process: CellProcess, sent: Sent): Promise<Outcome | 'broken'> {
    this.#underWay.set(sent, process);
    const { promise, resolve } = Promise.withResolvers<Outcome | 'broken'>();
    process.serve(sent).then(resolve, (fault: unknown) => this.#faults.push(fault));
    this.#breaks.set(sent, () => {
      this.#judge.unlucky(sent.requestId);
      resolve('broken');
    });
    const outcome = await promise;
    this.#underWay.delete(sent);
    this.#breaks.delete(sent);
    return outcome;
  }

  readonly #underWay = new Map<Sent, CellProcess>();
  readonly #breaks = new Map<Sent, () => void>();

  #request(): void {
    const { id, keys } = this.#random.pick(this.#random.chance(0.9) ? this.#busy : this.#workspaces);
    const key = this.#random.pick(keys);
    this.#ask(id, key, this.#random.chance(0.8) ? shardOf(key) : this.#random.pick(this.#stage));
  }

  #ask(workspaceId: string, key: string, entry: string): void {
    const requestId = this.#id('request');
    const process = this.#serverIn(entry);
    // The router has nobody to send it to.
    if (process === null) return;
    this.#judge.asked(requestId, { workspaceId, key, entry, atMs: this.#time.monotonicMs() });
    this.#serveAt(process, { requestId, key, forwardedBy: undefined }).then(
      (outcome) => {
        if (outcome === 'broken') this.#judge.broken(requestId);
        else this.#watched(() => this.#judge.answered(requestId, outcome));
      },
      (fault: unknown) => this.#faults.push(fault),
    );
  }

  /** Where it can be changed or moved. */
  #homeOf({ id }: Workspace): SimulatedCell | undefined {
    return [...this.#cells.values()].find(({ rows }) => rows.stays.get(id)?.movedTo === null);
  }

  #amend(): void {
    const workspace = this.#random.pick(this.#busy);
    const home = this.#homeOf(workspace);
    if (home === undefined || this.#network.lost.has(home.rows.shard)) return;
    if (this.#random.chance(0.5)) {
      if (home.rows.amend(workspace.id, { posted: 1_000n })) this.#judge.paid(workspace.id, 1_000n);
      return;
    }
    const key = this.#newKey(home.rows.shard);
    if (workspace.keys.length < 4 && home.rows.amend(workspace.id, { key })) workspace.keys.push(key);
  }

  #move(): void {
    const workspace = this.#random.pick(this.#busy);
    const home = this.#homeOf(workspace);
    if (home === undefined || this.#network.lost.has(home.rows.shard)) return this.#cancel(workspace);
    const move = home.rows.moves.get(workspace.id);
    if (move !== undefined && this.#random.chance(0.3)) home.rows.goBack(move);
    else if (home.rows.startMove(workspace.id, this.#id('move'), this.#random.pick(this.#stage))) {
      this.#carryOn(home, workspace.id);
    }
  }

  /** Wherever it is moving from, which may be too late. */
  #cancel({ id }: Workspace): void {
    for (const { rows } of this.#cells.values()) {
      const move = rows.moves.get(id);
      if (move !== undefined && !this.#network.lost.has(rows.shard)) rows.goBack(move);
    }
  }

  /** A process of the cell takes the move on, and another one if that one ends or stands still. */
  #carryOn(cell: SimulatedCell, workspaceId: string): void {
    const { rows, heldUntilMs } = cell;
    const move = rows.moves.get(workspaceId);
    if (move === undefined || move.state === 'ended' || move.state === 'returned') return;
    this.#time.after(MOVE_EVERY_MS, () => this.#carryOn(cell, workspaceId));
    if ((heldUntilMs.get(workspaceId) ?? 0) > this.#time.monotonicMs()) return;
    const process = this.#serverIn(rows.shard);
    if (process === null) return;
    const hold = (): void => {
      heldUntilMs.set(workspaceId, this.#time.monotonicMs() + HELD_MS);
    };
    let isOver = false;
    const holdOn = (): void => {
      process.clock.after(MOVE_EVERY_MS, () => {
        if (isOver) return;
        hold();
        holdOn();
      });
    };
    hold();
    holdOn();
    const trip = new CellTrip(
      {
        rows,
        nowMs: () => this.#time.monotonicMs(),
        wait: (ms) => waitOn(process, ms),
        call: (of, serve) => this.#callFor(process, rows.shard, of, serve),
      },
      move,
    );
    trip.go().then(
      () => {
        isOver = true;
        heldUntilMs.delete(workspaceId);
      },
      (fault: unknown) => this.#faults.push(fault),
    );
  }

  async #callFor(
    process: CellProcess,
    from: string,
    { shard }: ModelMove,
    serve: (there: CellRows) => CellAnswer,
  ): Promise<CellAnswer> {
    const passage = await this.#network.pass(from, shard, () => serve(this.#cell(shard).rows));
    await waitOn(process, 1);
    if (typeof passage !== 'string') return passage.answer;
    return { ok: false, fault: { shard, kind: 'away', message: 'no instance answers there', code: null } };
  }

  #disturb(kind: number): void {
    if (this.#isOver) return;
    const shard = this.#random.pick(this.#stage);
    const process = this.#serverIn(shard);
    if (kind < 84 && process !== null) this.#kill(shard, process);
    else if (kind < 88 && process !== null) this.#stall(shard, process);
    else if (kind < 91) this.#lose(shard);
    else if (kind < 93) for (const lost of this.#network.lost) this.#comeBack(lost);
    else if (kind < 95) this.#network.losses = this.#random.pick([0, 0, 10, 30]);
    else this.#network.cut(shard, this.#random.pick(this.#stage), this.#random.between(100, 8_000));
  }

  #kill(shard: string, process: CellProcess): void {
    const { rows, processes } = this.#cell(shard);
    process.clock.end();
    processes.splice(processes.indexOf(process), 1);
    for (const [sent, server] of this.#underWay) if (server === process) this.#breaks.get(sent)?.();
    this.#time.after(FENCED_MS, () => rows.fence(process.epoch));
    this.#time.after(this.#random.between(500, 4_000), () => {
      if (!this.#network.lost.has(shard)) this.#startProcess(shard);
    });
  }

  /** Stands still, for longer than its epoch lasts or not. */
  #stall(shard: string, process: CellProcess): void {
    const stillMs = this.#random.pick([500, 2_000, 7_000]);
    process.clock.pause();
    for (const [sent, server] of this.#underWay) if (server === process) this.#judge.unlucky(sent.requestId);
    this.#judge.disorder(shard);
    if (stillMs > FENCED_MS) this.#time.after(FENCED_MS, () => this.#cell(shard).rows.fence(process.epoch));
    this.#time.after(stillMs, () => {
      this.#judge.disorder(shard);
      process.clock.resume();
      // It finds its epoch over, and begins as another process.
      if (stillMs > FENCED_MS && this.#cell(shard).processes.includes(process)) {
        process.clock.after(1, () => this.#kill(shard, process));
      }
    });
  }

  #lose(shard: string): void {
    if (this.#network.lost.has(shard)) return;
    this.#network.lost.add(shard);
    const { processes } = this.#cell(shard);
    while (processes[0] !== undefined) this.#kill(shard, processes[0]);
    this.#time.after(this.#random.between(1_000, 20_000), () => this.#comeBack(shard));
  }

  #comeBack(shard: string): void {
    if (!this.#network.lost.delete(shard)) return;
    this.#judge.disorder(shard);
    for (let count = PROCESSES / CELLS; count > 0; count -= 1) this.#startProcess(shard);
  }

  /** An operator of some cell looks for something in all others. */
  #search(): void {
    const from = this.#random.pick(SHARDS);
    if (this.#network.lost.has(from)) return;
    const begunMs = this.#time.monotonicMs();
    const others = SHARDS.filter((shard) => shard !== from).map((shard) => ({ shard }) as Cell);
    let asking = 0;
    const call = async ({ shard }: Cell, signal: AbortSignal | undefined): Promise<CellAnswer> => {
      asking += 1;
      this.#watched(() => must(asking <= FAN_OUT_MAX, 'a search asks too many cells at a time'));
      const passage = await Promise.race([
        this.#network.lost.has(shard)
          ? new Promise<'away'>(() => undefined)
          : this.#network.pass(from, shard, () => shard),
        aborted(signal),
      ]);
      asking -= 1;
      if (typeof passage === 'object') return { ok: true, body: passage.answer };
      return { ok: false, fault: { shard, kind: 'late', message: 'it has not answered', code: null } };
    };
    const client = {
      call: (cell: Cell, _: unknown, options = {}) => call(cell, (options as { signal?: AbortSignal }).signal),
    };
    askCells(client, others, 'listWorkspaces', {}, (ms) => this.#signalAfter(ms)).then(
      (answers) => this.#watched(() => this.#checkFound(others, answers, begunMs)),
      (fault: unknown) => this.#faults.push(fault),
    );
  }

  #checkFound(others: readonly Cell[], answers: readonly CellAnswer[], begunMs: number): void {
    must(this.#time.monotonicMs() - begunMs <= SEARCH_MS_MAX, 'a search takes too long');
    must(answers.length === others.length, 'a search leaves a cell out');
    for (const [index, answer] of answers.entries()) {
      const shard = others[index]?.shard ?? '';
      must(answer.ok ? answer.body === shard : answer.fault.shard === shard, 'a search takes one cell for another');
    }
  }

  #signalAfter(ms: number): AbortSignal {
    const ending = new AbortController();
    this.#time.after(ms, () => ending.abort());
    return ending.signal;
  }
}

function waitOn({ clock }: CellProcess, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function aborted(signal: AbortSignal | undefined): Promise<'away'> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve('away');
    else signal?.addEventListener('abort', () => resolve('away'));
  });
}
