import { setTimeout as pauseFor } from 'node:timers/promises';
import { assert } from '../../lib/assert.ts';
import { announceWorkspace } from './arrivals.ts';
import type { Figures } from './figures.ts';
import { MoveCopy } from './move-copy.ts';
import {
  type CallCell,
  type MoveCallName,
  MoveDelayed,
  MoveFailed,
  MoveTurned,
  type MoveWorkParts,
} from './move-parts.ts';
import { saveProgress } from './move-progress.ts';
import { isFinal, isUnderWay, type MoveState, TO_DO } from './move-states.ts';
import { end, letGo, type Move, pause, readQuiet } from './moves.ts';

/** Of the other cell, for what it does within moments. */
const ANSWER_MS_MAX = 20_000;
const QUIET_EVERY_MS = 20;
/** After so many looks, all leases are to be given back once more. */
const QUIET_ROUNDS = 25;
/** How long the pause may last beyond the wait for running requests; and unless given, if the other cell does not answer. */
const PAUSE_MS_MAX = 600_000;
const AWAY_MS_MAX = 10_000;

/** A move on its way, from where it stands. */
export class MoveTrip {
  readonly #parts: MoveWorkParts & { readonly call: CallCell };
  readonly #move: Move;
  readonly #copy: MoveCopy;

  constructor(parts: MoveWorkParts & { readonly call: CallCell }, move: Move) {
    this.#parts = parts;
    this.#move = move;
    this.#copy = new MoveCopy(
      { ...parts, send: (operation, body, answerMsMax) => this.#send(operation, body, answerMsMax) },
      move,
    );
  }

  /** Carries the move on to its end. @throws MoveDelayed, MoveFailed, DatabaseUnavailable */
  async go(): Promise<void> {
    for (let { state }: { state: MoveState } = this.#move; isUnderWay(state); state = await this.#state()) {
      try {
        await this.#goFrom(state);
      } catch (fault) {
        if (!(fault instanceof MoveTurned)) throw fault;
      }
    }
  }

  async #goFrom(state: MoveState): Promise<void> {
    const toDo = TO_DO[state];
    if (toDo === 'copy') {
      await this.#copy.ahead();
      await pause(this.#parts.sql, this.#move);
    } else if (toDo === 'finish') await this.#finish();
    else if (toDo === 'open') await this.#open();
    else if (toDo === 'drop') await this.#drop();
  }

  async #state(): Promise<MoveState> {
    const { id, workspaceId } = this.#move;
    const [row] = await this.#parts.sql.query<{ state: MoveState }>(
      'select state from workspace_moves where workspace_id = $1 and id = $2',
      [workspaceId, id],
    );
    return row?.state ?? 'returned';
  }

  /** Copies the rest, compares both sides, and lets go of the workspace. */
  async #finish(): Promise<void> {
    const { sql } = this.#parts;
    if (!(await this.#untilQuiet())) return;
    try {
      const figures = await this.#copy.rest();
      const { pausedForMs } = await readQuiet(sql, this.#move);
      if (pausedForMs > this.#move.waitMs + PAUSE_MS_MAX) throw new MoveFailed('the copy of the rest took too long.');
      await letGo(sql, this.#move, figures);
    } catch (fault) {
      if (!(fault instanceof MoveDelayed)) throw fault;
      const { pausedForMs } = await readQuiet(sql, this.#move);
      if (pausedForMs > this.#move.waitMs + (this.#parts.awayMsMax ?? AWAY_MS_MAX))
        throw new MoveFailed(fault.message, { cause: fault });
      await pauseFor(QUIET_EVERY_MS * 10);
    }
  }

  /** Waits until nothing of the workspace changes any more. False if it is not paused any more. */
  async #untilQuiet(): Promise<boolean> {
    const { sql } = this.#parts;
    for (let round = 1; ; round += 1) {
      const { isQuiet, isPaused, pausedForMs } = await readQuiet(sql, this.#move);
      if (isQuiet || !isPaused) return isPaused;
      if (pausedForMs > this.#move.waitMs) {
        const seconds = this.#move.waitMs / 1_000;
        throw new MoveFailed(
          `requests of the workspace ran for longer than ${seconds} s: wait for longer, or suspend it.`,
        );
      }
      // A lease that was drawn while the pause began was not there yet when that was announced.
      if (round % QUIET_ROUNDS === 0) await announceWorkspace(sql, this.#move.workspaceId);
      await pauseFor(QUIET_EVERY_MS);
    }
  }

  /** The workspace lives there: the other cell opens it, as often as it has to be asked. */
  async #open(): Promise<void> {
    const { sql } = this.#parts;
    const { workspaceId, id } = this.#move;
    const [row] = await sql.query<{ figures: Figures }>(
      'select figures from workspace_moves where workspace_id = $1 and id = $2',
      [workspaceId, id],
    );
    assert(row !== undefined, 'a move is there until it has ended');
    const answer = await this.#call('openArrival', { move: id, figures: row.figures });
    if (!answer.ok) {
      // Another process, or a restore, has changed what had landed: everything is still here.
      if (answer.fault.code !== 'CONFLICT' && answer.fault.code !== 'NOT_FOUND') {
        throw new MoveDelayed(answer.fault.message);
      }
      await saveProgress(sql, this.#move, null);
      try {
        await this.#copy.rest();
      } catch (fault) {
        throw fault instanceof MoveFailed ? new MoveDelayed(fault.message, { cause: fault }) : fault;
      }
      return;
    }
    await end(this.#parts.sql, this.#move, 'end');
  }

  async #drop(): Promise<void> {
    const answer = await this.#call('dropArrival', { move: this.#move.id });
    if (!answer.ok) throw new MoveDelayed(answer.fault.message);
    await end(this.#parts.sql, this.#move, 'endReturn');
  }

  async #send(operation: MoveCallName, body: object, answerMsMax?: number): Promise<unknown> {
    const answer = await this.#call(operation, body, answerMsMax);
    if (answer.ok) return answer.body;
    const { message } = answer.fault;
    throw isFinal(answer.fault) ? new MoveFailed(message) : new MoveDelayed(message);
  }

  async #call(
    operation: MoveCallName,
    body: object,
    answerMsMax = ANSWER_MS_MAX,
  ): Promise<Awaited<ReturnType<CallCell>>> {
    return await this.#parts.call(operation, { params: { arrival: this.#move.workspaceId }, body, answerMsMax });
  }
}
