import { randomUUID } from 'node:crypto';
import type { CellAnswer, CellCall } from '../cells/cell-client.ts';
import { findCell } from '../cells/cell-store.ts';
import type { OperationId } from '../operations/operations.ts';
import { MoveDelayed, MoveFailed, type MoveWorkParts } from './move-parts.ts';
import { MoveTrip } from './move-trip.ts';
import { UNDER_WAY } from './move-states.ts';
import { goBack, type Move, MOVE_COLUMNS } from './moves.ts';

// Carries moves on, some at a time, in one process of all: that which holds a move says so every second. Another one goes on with
// it if that process dies. Each step can be repeated.

const HELD = "interval '5 seconds'";
const HOLD_EVERY_MS = 1_000;
/** A move whose other cell is silent keeps none but itself waiting. */
const AT_A_TIME = 4;

export class MoveWork {
  readonly #parts: MoveWorkParts;
  readonly #holder = randomUUID();

  constructor(parts: MoveWorkParts) {
    this.#parts = parts;
  }

  /** Carries on all moves that no other process holds, each as far as it goes. */
  async run(): Promise<void> {
    const { sql } = this.#parts;
    const open = await sql.query<{ workspaceId: string }>(
      `select workspace_id as "workspaceId" from workspace_moves where ${UNDER_WAY}
       order by begun_at limit 20`,
    );
    const next = open.values();
    const work = async (): Promise<void> => {
      for (const { workspaceId } of next) {
        const move = await this.#hold(workspaceId);
        if (move !== null) await this.#carryOn(move);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #hold(workspaceId: string): Promise<Move | null> {
    const [move] = await this.#parts.sql.query<Move>(
      `update workspace_moves set holder = $2, held_until = now() + ${HELD}
       where workspace_id = $1 and (holder is null or holder = $2 or held_until < now()) returning ${MOVE_COLUMNS}`,
      [workspaceId, this.#holder],
    );
    return move ?? null;
  }

  async #carryOn(move: Move): Promise<void> {
    const { sql, clock, onFault } = this.#parts;
    let isOver = false;
    const holdOn = (): void => {
      clock.after(HOLD_EVERY_MS, () => {
        if (isOver) return;
        this.#hold(move.workspaceId).catch(onFault).finally(holdOn);
      });
    };
    holdOn();
    try {
      await new MoveTrip({ ...this.#parts, call: (operation, call) => this.#call(move, operation, call) }, move).go();
    } catch (fault) {
      if (fault instanceof MoveFailed) await sql.transaction((tx) => goBack(tx, move, fault.message));
      else if (fault instanceof MoveDelayed) await this.#note(move, fault.message);
      else throw fault;
    } finally {
      isOver = true;
    }
  }

  async #note({ id, workspaceId }: Move, problem: string): Promise<void> {
    await this.#parts.sql.query('update workspace_moves set problem = $3 where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      problem.slice(0, 500),
    ]);
  }

  async #call({ shard }: Move, operation: OperationId, call: CellCall): Promise<CellAnswer> {
    const cell = await findCell(this.#parts.sql, shard);
    if (cell === null) throw new MoveDelayed(`this cell does not know the cell ${shard} any more`);
    return await this.#parts.cells.call(cell, operation, call);
  }
}
