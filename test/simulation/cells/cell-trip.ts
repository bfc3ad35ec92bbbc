import type { CellAnswer } from '../../../src/control/cells/cell-client.ts';
import { isFinal, isUnderWay, TO_DO } from '../../../src/control/moves/move-states.ts';
import type { CellRows, Copy, ModelMove } from './cell-rows.ts';

// A move on its way, as one process of the cell carries it on: the order of its steps and messages. What each step may be made from,
// what is to be done, and which refusal ends the move is decided by the program.

export interface TripParts {
  readonly rows: CellRows;
  readonly nowMs: () => number;
  /** Never resolves if the process ends before. */
  readonly wait: (ms: number) => Promise<void>;
  readonly call: (move: ModelMove, serve: (there: CellRows) => CellAnswer) => Promise<CellAnswer>;
}

const QUIET_EVERY_MS = 50;
const QUIET_ROUNDS = 10;
/** How long requests are waited for, and a cell that does not answer. */
const WAIT_MS = 2_000;
const AWAY_MS = 1_500;

class Delayed extends Error {}
class Failed extends Error {}

export class CellTrip {
  readonly #parts: TripParts;
  readonly #move: ModelMove;

  constructor(parts: TripParts, move: ModelMove) {
    this.#parts = parts;
    this.#move = move;
  }

  /** Carries it on as far as it goes now. */
  async go(): Promise<void> {
    const { rows, wait } = this.#parts;
    try {
      for (let move = rows.moveNow(this.#move); move !== null && isUnderWay(move.state);) {
        const toDo = TO_DO[move.state];
        await wait(2);
        if (toDo === 'copy') await this.#copy();
        else if (toDo === 'finish') await this.#finish();
        else if (toDo === 'open') await this.#open();
        else await this.#drop();
        move = rows.moveNow(this.#move);
      }
    } catch (fault) {
      if (fault instanceof Failed) rows.goBack(this.#move);
      else if (!(fault instanceof Delayed)) throw fault;
    }
  }

  async #copy(): Promise<void> {
    const { rows, nowMs, wait } = this.#parts;
    await this.#begin();
    await this.#sendAll();
    await wait(20);
    rows.pause(this.#move, nowMs());
  }

  async #begin(): Promise<void> {
    const { workspaceId, id } = this.#move;
    await this.#send((there) => there.beginArrival(workspaceId, id, this.#parts.rows.shard));
  }

  async #sendAll(): Promise<void> {
    const { workspaceId, id } = this.#move;
    const copy: Copy = this.#parts.rows.copyOf(workspaceId);
    await this.#send((there) => there.receive(workspaceId, id, copy));
  }

  async #finish(): Promise<void> {
    await this.#untilQuiet();
    try {
      const figures = await this.#land();
      this.#parts.rows.letGo(this.#move, figures);
    } catch (fault) {
      if (!(fault instanceof Delayed)) throw fault;
      if (this.#pausedForMs() > WAIT_MS + AWAY_MS) throw new Failed(fault.message, { cause: fault });
      await this.#parts.wait(QUIET_EVERY_MS);
    }
  }

  async #untilQuiet(): Promise<void> {
    const { rows, wait } = this.#parts;
    const { workspaceId } = this.#move;
    for (let round = 1; !rows.isQuiet(workspaceId) && this.#move.state === 'paused'; round += 1) {
      if (this.#pausedForMs() > WAIT_MS) throw new Failed('requests ran for too long');
      if (round % QUIET_ROUNDS === 0) rows.announce(workspaceId);
      await wait(QUIET_EVERY_MS);
    }
  }

  #pausedForMs(): number {
    return this.#parts.nowMs() - this.#move.pausedAtMs;
  }

  async #land(): Promise<string> {
    const { workspaceId, id } = this.#move;
    await this.#begin();
    await this.#sendAll();
    const figures = this.#parts.rows.figuresOf(workspaceId);
    const landed = await this.#send((there) => there.land(workspaceId, id));
    if (landed !== figures) throw new Failed('the cells count differently');
    return figures;
  }

  async #open(): Promise<void> {
    const { rows, call } = this.#parts;
    const { workspaceId, id, figures } = this.#move;
    const answer = await call(this.#move, (there) => there.open(workspaceId, id, figures));
    if (answer.ok) rows.end(this.#move, 'end');
    else if (answer.fault.code === 'CONFLICT' || answer.fault.code === 'NOT_FOUND') await this.#land();
    else throw new Delayed(answer.fault.message);
  }

  async #drop(): Promise<void> {
    const { rows, call } = this.#parts;
    const { workspaceId, id } = this.#move;
    const answer = await call(this.#move, (there) => there.drop(workspaceId, id));
    if (!answer.ok) throw new Delayed(answer.fault.message);
    rows.end(this.#move, 'endReturn');
  }

  async #send(serve: (there: CellRows) => CellAnswer): Promise<unknown> {
    const answer = await this.#parts.call(this.#move, serve);
    if (answer.ok) return answer.body;
    throw isFinal(answer.fault) ? new Failed(answer.fault.message) : new Delayed(answer.fault.message);
  }
}
