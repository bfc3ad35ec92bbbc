import { setTimeout as pauseFor } from 'node:timers/promises';
import { assert } from '../../lib/assert.ts';
import type { CellAnswer } from '../cells/cell-client.ts';
import { announceWorkspace, MOVED_DIGEST } from './arrivals.ts';
import { differing, type Figures, readFigures } from './figures.ts';
import { namedPrices } from './land-prices.ts';
import { type CallCell, MoveDelayed, MoveFailed, type MoveWorkParts } from './move-parts.ts';
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import { isFinal, isUnderWay, type MoveState, TO_DO } from './move-states.ts';
import { end, letGo, type Move, pause, readQuiet } from './moves.ts';
import { readRows } from './read-rows.ts';
import { hasSecrets, openSecrets } from './travelling-secrets.ts';

/** Of the other cell, for a slice of rows. */
const ANSWER_MS_MAX = 20_000;
const LANDING_MS_MAX = 1_800_000;
const QUIET_EVERY_MS = 20;
/** After so many looks, all leases are to be given back once more. */
const QUIET_ROUNDS = 25;
/** Once so few receipts are left to copy, or after so many rounds, the workspace is paused. */
const REST_MAX = 400;
const ROUNDS_MAX = 8;
/** How long the pause may last beyond the wait for running requests; and unless given, if the other cell does not answer. */
const PAUSE_MS_MAX = 600_000;
const AWAY_MS_MAX = 10_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface TripParts extends MoveWorkParts {
  readonly call: CallCell;
}

/** SQL for the receipts that a snapshot does not show. The conditions on the bytes of the number are those that the index knows. */
const settledAfter = (snapshot: string): string => `
  (xid8send(settled_xid) >= xid8send(pg_snapshot_xmax(${snapshot})) or xid8send(settled_xid) = any (array(
    select xid8send(running) from pg_snapshot_xip(${snapshot}) as running
  )))`;

const RECEIPTS = MOVED_TABLES.find(({ table }) => table === 'receipts') as MovedTable;

/** It was cancelled while rows were sent: nothing further is to be sent. */
class MoveTurned extends Error {
  override readonly name = 'MoveTurned';
}

/** A move on its way, from where it stands. */
export class MoveTrip {
  readonly #parts: TripParts;
  readonly #move: Move;

  constructor(parts: TripParts, move: Move) {
    this.#parts = parts;
    this.#move = move;
  }

  /** Carries the move on to its end. @throws MoveDelayed, MoveFailed, DatabaseUnavailable */
  async go(): Promise<void> {
    for (let state = await this.#state(); isUnderWay(state); state = await this.#state()) {
      try {
        await this.#goFrom(state);
      } catch (fault) {
        if (!(fault instanceof MoveTurned)) throw fault;
      }
    }
  }

  async #goFrom(state: MoveState): Promise<void> {
    const toDo = TO_DO[state];
    if (toDo === 'copy') await this.#copy();
    else if (toDo === 'finish') await this.#finish();
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

  async #copy(): Promise<void> {
    await this.#begin();
    await this.#copyHistory();
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      if ((await this.#copySettled()) <= REST_MAX) break;
    }
    await pause(this.#parts.sql, this.#move);
  }

  /** Asks the other cell whether it can take the workspace, which goes back if not. */
  async #begin(): Promise<void> {
    const { sql, shard } = this.#parts;
    const { workspaceId, id } = this.#move;
    const [known] = await sql.query<{ name: string; first: string | null; models: string[]; people: object[] }>(
      `select name, (select min(request_id::text) from receipts where workspace_id = $1) as first,
         array(
           select distinct m from (
             select unnest(models) as m from keys where workspace_id = $1 and revoked_at is null
             union select unnest(models) from projects where workspace_id = $1 and archived_at is null
             union select model_when_spent from projects where workspace_id = $1 and archived_at is null
           ) named where m is not null and m not like '%*%'
         ) as models,
         (select coalesce(jsonb_agg(jsonb_build_object('id', users.id, 'email', email)), '[]')
          from members join users on users.id = user_id where workspace_id = $1) as people
       from workspaces where id = $1`,
      [workspaceId],
    );
    assert(known !== undefined, 'a workspace that moves is there');
    const prices = await namedPrices(sql, workspaceId);
    const answer = await this.#send('beginArrival', {
      move: id,
      shard,
      name: known.name,
      digest: MOVED_DIGEST,
      first_receipt: known.first,
      prices,
      models: known.models,
      people: known.people,
    });
    const { problems } = answer as { readonly problems: readonly string[] };
    if (problems.length > 0) throw new MoveFailed(problems.join(' '));
  }

  /** Copies the receipts from before the copy, from where that stands. */
  async #copyHistory(): Promise<void> {
    const { sql, pacer } = this.#parts;
    const { workspaceId, id } = this.#move;
    const [start] = await sql.query<{ to: string | null }>(
      `update workspace_moves set copied = coalesce(copied, pg_current_snapshot()) where workspace_id = $1 and id = $2
       returning copied_to::text as to`,
      [workspaceId, id],
    );
    let after: readonly string[] | null = start?.to === undefined || start.to === null ? null : [start.to];
    while (after?.[0] !== LAST_ID) {
      const slice = await pacer.slice(() => readRows(sql, RECEIPTS, { workspaceId, after }));
      await this.#sendRows(RECEIPTS.table, slice.keys, slice.rows);
      after = slice.next ?? [LAST_ID];
      await sql.query('update workspace_moves set copied_to = $3::uuid where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
        after[0] ?? LAST_ID,
      ]);
    }
  }

  /** Copies the receipts that were settled since the last ones that were copied. Returns how many. */
  async #copySettled(): Promise<number> {
    const { sql } = this.#parts;
    const { workspaceId, id } = this.#move;
    const [bounds] = await sql.query<{ copied: string; now: string }>(
      `select copied::text, pg_current_snapshot()::text as now from workspace_moves where workspace_id = $1 and id = $2`,
      [workspaceId, id],
    );
    assert(bounds !== undefined, 'a move is there until it has ended');
    let sent = 0;
    const among = settledAfter(`'${bounds.copied}'::pg_snapshot`);
    let after: readonly string[] | null = null;
    do {
      const slice = await readRows(sql, RECEIPTS, { workspaceId, after, among });
      await this.#sendRows(RECEIPTS.table, slice.keys, slice.rows);
      sent += slice.rows.length;
      after = slice.next;
    } while (after !== null);
    await sql.query('update workspace_moves set copied = $3::pg_snapshot where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
      bounds.now,
    ]);
    return sent;
  }

  /** Copies the rest, compares both sides, and lets go of the workspace. */
  async #finish(): Promise<void> {
    const { sql } = this.#parts;
    await this.#untilQuiet();
    try {
      const figures = await this.#land();
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

  async #untilQuiet(): Promise<void> {
    const { sql } = this.#parts;
    for (let round = 1; ; round += 1) {
      const { isQuiet, pausedForMs } = await readQuiet(sql, this.#move);
      if (isQuiet || (await this.#state()) !== 'paused') return;
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

  /** Sends all that is not there yet, and has it land. Returns what is counted in both cells. */
  async #land(): Promise<Figures> {
    const { sql } = this.#parts;
    const { workspaceId, id } = this.#move;
    await this.#begin();
    await this.#copyHistory();
    while ((await this.#copySettled()) > 0);
    for (const table of MOVED_TABLES) if (table !== RECEIPTS) await this.#copyTable(table);
    const figures = await readFigures(sql, workspaceId);
    const landed = (await this.#send('landArrival', { move: id }, LANDING_MS_MAX)) as { readonly figures: Figures };
    const differences = differing(figures, landed.figures);
    if (differences.length > 0) throw new MoveFailed(`the cells count differently: ${differences.join(', ')}.`);
    return figures;
  }

  async #copyTable(table: MovedTable): Promise<void> {
    const { sql, keyring } = this.#parts;
    const { workspaceId } = this.#move;
    let after: readonly string[] | null = null;
    do {
      const slice = await readRows(sql, table, { workspaceId, after });
      const rows = hasSecrets(table.table)
        ? await Promise.all(slice.rows.map((row) => openSecrets(keyring, table.table, row)))
        : slice.rows;
      await this.#sendRows(table.table, slice.keys, rows);
      after = slice.next;
    } while (after !== null);
  }

  async #sendRows(table: string, keys: readonly string[], rows: readonly string[]): Promise<void> {
    if (rows.length === 0) return;
    const { workspaceId, id } = this.#move;
    await this.#send('receiveRows', { move: id, table, keys, rows });
    const [row] = await this.#parts.sql.query<{ state: MoveState }>(
      'update workspace_moves set rows = rows + $3 where workspace_id = $1 and id = $2 returning state',
      [workspaceId, id, rows.length],
    );
    if (row === undefined || row.state === 'returning') throw new MoveTurned('The move goes back.');
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
      await sql.query(
        'update workspace_moves set copied = null, copied_to = null where workspace_id = $1 and id = $2',
        [workspaceId, id],
      );
      try {
        await this.#land();
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

  async #send(
    operation: 'beginArrival' | 'receiveRows' | 'landArrival',
    body: object,
    answerMsMax = ANSWER_MS_MAX,
  ): Promise<unknown> {
    const answer = await this.#call(operation, body, answerMsMax);
    if (answer.ok) return answer.body;
    const { message } = answer.fault;
    throw isFinal(answer.fault) ? new MoveFailed(message) : new MoveDelayed(message);
  }

  async #call(
    operation: 'beginArrival' | 'receiveRows' | 'landArrival' | 'openArrival' | 'dropArrival',
    body: object,
    answerMsMax = ANSWER_MS_MAX,
  ): Promise<CellAnswer> {
    return await this.#parts.call(operation, { params: { arrival: this.#move.workspaceId }, body, answerMsMax });
  }
}
