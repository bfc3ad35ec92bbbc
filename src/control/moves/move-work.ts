import { randomUUID } from 'node:crypto';
import type { CellAnswer, CellCall } from '../cells/cell-client.ts';
import { findCell } from '../cells/cell-store.ts';
import { Places } from '../../lib/places.ts';
import type { OperationId } from '../operations/operations.ts';
import { MoveDelayed, MoveFailed, MoveLost, type MoveWorkParts } from './move-parts.ts';
import { MoveTrip } from './move-trip.ts';
import { UNDER_WAY } from './move-states.ts';
import { goBack, type Move, MOVE_COLUMNS } from './moves.ts';

// Carries moves on, some at a time, in one process of all: that which holds a move says so every second. Another one goes on with
// it if that process dies. Each step can be repeated.

const HELD = "interval '5 seconds'";
const HOLD_EVERY_MS = 1_000;
/** Moves altogether, and those to one cell: one that is silent keeps none waiting but those to it. */
const AT_A_TIME = { most: 16, mostPerKey: 4 };
const OPEN_MAX = 100;

export class MoveWork {
  readonly #parts: MoveWorkParts;
  readonly #holder = randomUUID();
  readonly #places = new Places(AT_A_TIME);
  readonly #carried = new Set<string>();

  constructor(parts: MoveWorkParts) {
    this.#parts = parts;
  }

  /**
   * Carries on moves that no other process holds, each as far as it goes: those for which there is a place, and which it does not carry
   * already. It may be called again before it ends.
   */
  async run(): Promise<void> {
    const open = await this.#parts.sql.query<{ workspaceId: string; shard: string }>(
      `select workspace_id as "workspaceId", shard from workspace_moves where ${UNDER_WAY} and workspace_id <> all ($1)
       order by held_until nulls first, begun_at limit ${OPEN_MAX}`,
      [[...this.#carried]],
    );
    const ends = await Promise.allSettled(open.map((move) => this.#carry(move)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #carry({ workspaceId, shard }: { readonly workspaceId: string; readonly shard: string }): Promise<void> {
    const leave = this.#carried.has(workspaceId) ? null : this.#places.take(shard);
    if (leave === null) return;
    this.#carried.add(workspaceId);
    try {
      const move = await this.#hold(workspaceId);
      if (move !== null) await this.#carryOn(move);
    } finally {
      this.#carried.delete(workspaceId);
      leave();
    }
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
      else if (fault instanceof MoveLost) return;
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

  async #call({ id, workspaceId, shard }: Move, operation: OperationId, call: CellCall): Promise<CellAnswer> {
    // What a process that was stopped for a while has read is older than what another one has sent since.
    const held = await this.#hold(workspaceId);
    if (held?.id !== id) throw new MoveLost('Another process goes on with the move.');
    const cell = await findCell(this.#parts.sql, shard);
    if (cell === null) throw new MoveDelayed(`this cell does not know the cell ${shard} any more`);
    return await this.#parts.cells.call(cell, operation, call);
  }
}
