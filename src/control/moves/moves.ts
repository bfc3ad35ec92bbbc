import { FIRST_SHARD } from '../../domain/key.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { actorName } from '../../domain/actor.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';
import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { announceWorkspace } from './arrivals.ts';
import { readProgress } from './move-progress.ts';
import { isUnderWay, MOVE_STEPS, type MoveState, UNDER_WAY } from './move-states.ts';
import { countSealed } from './receipt-counts.ts';

// Moves of workspaces from this cell, as the database has them.

export interface Move {
  readonly id: string;
  readonly workspaceId: string;
  readonly shard: string;
  readonly state: MoveState;
  /** How long running requests are waited for. */
  readonly waitMs: number;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
  /** From the beginning of its pause to the end of the move; null if it was not paused, or has not ended. */
  readonly pauseMs: number | null;
  /** Rows that were sent. */
  readonly rows: bigint;
  /** Rows that are still to be sent, as far as that is known. */
  readonly rowsLeft: bigint;
  /** Why it went back, or what it waits for; null: nothing. */
  readonly problem: string | null;
}

export const MOVE_COLUMNS = `id, workspace_id as "workspaceId", shard, state, wait_ms as "waitMs", begun_at as "begunAt",
  ended_at as "endedAt", round(extract(epoch from ended_at - paused_at) * 1000)::float8 as "pauseMs", rows, greatest(0, rows_expected - rows) as "rowsLeft", problem`;

/** SQL for the state that a step leads to. */
function reach(step: keyof typeof MOVE_STEPS): string {
  return `state = '${MOVE_STEPS[step].to}'`;
}

/** SQL for whether a move's state allows a step. */
function allows(step: keyof typeof MOVE_STEPS): string {
  return `state in (${MOVE_STEPS[step].from.map((state) => `'${state}'`).join(', ')})`;
}

/** The last move of the scope's workspace from this cell. */
export async function showMove(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<Move | Refusal> {
  const [move] = await sql.query<Move>(`select ${MOVE_COLUMNS} from workspace_moves where workspace_id = $1`, [
    workspaceId,
  ]);
  return move ?? refuse('NOT_FOUND', 'The workspace has never moved from this cell.');
}

/** Whether any move is to be carried on. */
export async function isAnyUnderWay(sql: Pick<ControlSql, 'glance'>): Promise<boolean> {
  const [row] = await sql.glance<{ isAny: boolean }>(
    `select exists (select from workspace_moves where ${UNDER_WAY}) as "isAny"`,
  );
  return row?.isAny === true;
}

interface Standing {
  readonly name: string;
  readonly movedTo: string | null;
  readonly isClosed: boolean;
  readonly isThisCell: boolean;
  readonly knowsCell: boolean;
  readonly openPayments: bigint;
  readonly droppedWeeks: bigint;
  readonly state: MoveState | null;
  readonly shard: string | null;
}

const STANDING = `
  select name, moved_to as "movedTo", closing_at is not null or archived_at is not null as "isClosed",
    coalesce((select shard from database_shard), $3) = $2 as "isThisCell",
    exists (select from cells where cells.shard = $2) as "knowsCell",
    (select count(*) from top_ups where workspace_id = $1 and state in ('pending', 'processing')
       and (expires_at is null or expires_at > now())) as "openPayments",
    (select count(*) from partition_totals join purses on purses.id = purse_id and kind = 'credit'
       join sealed_partitions s on s.name = partition and dropped_at is not null where workspace_id = $1) as "droppedWeeks",
    moves.state, moves.shard
  from workspaces left join workspace_moves moves on moves.workspace_id = workspaces.id
  where workspaces.id = $1 for update of workspaces`;

/** Begins to move the scope's workspace, or returns the move to that cell that is under way. */
export async function startMove(
  sql: Sql,
  scope: WorkspaceScope,
  { shard, waitMs }: { readonly shard: string; readonly waitMs: number },
): Promise<Move | Refusal> {
  const { workspaceId } = scope;
  return await makeChange(sql, async (tx) => {
    const [found] = await tx.query<Standing>(STANDING, [workspaceId, shard, FIRST_SHARD]);
    if (found === undefined) return refuse('NOT_FOUND', 'There is no such workspace.');
    if (isUnderWay(found.state)) {
      // What has arrived for the former move goes when that of a new one begins.
      const isBack = found.state === 'returning';
      if (found.shard === shard && !isBack) return await showMove(tx, scope);
      if (found.shard !== shard) return refuse('CONFLICT', underWay(found.shard ?? '', isBack));
    }
    const refused = refusalToMove(found, shard);
    if (refused !== null) return refused;
    const move = newId();
    await tx.query('delete from workspace_moves where workspace_id = $1', [workspaceId]);
    await tx.query(
      `insert into workspace_moves (workspace_id, id, shard, state, wait_ms, actor) values ($1, $2, $3, 'copying', $4, $5)`,
      [workspaceId, move, shard, waitMs, actorName(scope.act.actor)],
    );
    await recordAudit(tx, scope, {
      action: 'workspace.move',
      target: { kind: 'workspace', id: workspaceId, name: found.name },
      after: { to: shard },
    });
    return await showMove(tx, scope);
  });
}

function underWay(shard: string, isBack: boolean): string {
  if (!isBack) return `The workspace is moving to the cell ${shard}: end that first.`;
  return `The cell ${shard} is still to drop what has arrived there: cancel the move once more to do without.`;
}

function refusalToMove(found: Standing, shard: string): Refusal | null {
  const { movedTo, isClosed, isThisCell, knowsCell, openPayments, droppedWeeks } = found;
  if (movedTo !== null) return refuse('CONFLICT', `The workspace lives in the cell ${movedTo}: move it from there.`);
  if (isClosed) return refuse('CONFLICT', 'The workspace has been closed: what is left of it stays.');
  if (isThisCell) {
    return refuse('INVALID_REQUEST', `${shard} is this cell, where the workspace lives.`, { param: 'to' });
  }
  if (!knowsCell) {
    const message = `This cell knows no cell ${shard}: add it with "faregate cell add".`;
    return refuse('NOT_FOUND', message, { param: 'to' });
  }
  if (openPayments > 0n) {
    return refuse('CONFLICT', 'A payment of the workspace is open: move it once that is paid, failed or expired.');
  }
  if (droppedWeeks > 0n) {
    return refuse('CONFLICT', 'Sealed receipts of the workspace were dropped, which its ledger there would lack.');
  }
  return null;
}

/**
 * Ends a move before the workspace lives elsewhere: it works here again immediately. If it is cancelled once more, the other cell is not
 * waited for, which may never answer again: what was set apart there stays until the workspace arrives again.
 */
export async function cancelMove(sql: Sql, scope: WorkspaceScope): Promise<Move | Refusal> {
  const { workspaceId } = scope;
  return await makeChange(sql, async (tx) => {
    const move = await lockMove(tx, workspaceId);
    if (move === null) return refuse('NOT_FOUND', 'The workspace is not moving.');
    if (move.state === 'returned') return move;
    if (move.state === 'returning') {
      await end(tx, move, 'endReturn');
      return await showMove(tx, scope);
    }
    const isBack = await goBack(tx, move, 'it was cancelled');
    if (!isBack)
      return refuse('CONFLICT', `The workspace lives in the cell ${move.shard} already: move it back from there.`);
    await recordAudit(tx, scope, {
      action: 'workspace.cancel_move',
      target: { kind: 'workspace', id: workspaceId },
      after: { to: move.shard },
    });
    return await showMove(tx, scope);
  });
}

/** The credit first, as postings do, whose changes lock the workspace's row after that. */
async function lockWorkspace(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(`select from purses where workspace_id = $1 and kind = 'credit' for no key update`, [workspaceId]);
  await tx.query('select from workspaces where id = $1 for update', [workspaceId]);
}

async function lockMove(tx: SqlRunner, workspaceId: string): Promise<Move | null> {
  await lockWorkspace(tx, workspaceId);
  const [move] = await tx.query<Move>(
    `select ${MOVE_COLUMNS} from workspace_moves where workspace_id = $1 for update`,
    [workspaceId],
  );
  return move ?? null;
}

/** Lets the workspace work here again. False if it is too late, or another move is under way. */
export async function goBack(tx: SqlRunner, { id, workspaceId }: Move, problem: string): Promise<boolean> {
  await lockWorkspace(tx, workspaceId);
  const back = await tx.query(
    `update workspace_moves set ${reach('goBack')}, problem = $3, paused_at = null
     where workspace_id = $1 and id = $2 and ${allows('goBack')} returning id`,
    [workspaceId, id, problem],
  );
  if (back.length === 0) return false;
  await tx.query(`update purses set shut = false where workspace_id = $1 and kind = 'credit'`, [workspaceId]);
  await tx.query('update workspaces set paused_at = null where id = $1', [workspaceId]);
  await announceWorkspace(tx, workspaceId);
  return true;
}

/** Refuses new requests of the workspace, and has its leases given back. False if the move is no longer to be copied. */
export async function pause(sql: Sql, { id, workspaceId }: Move): Promise<boolean> {
  return await sql.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const paused = await tx.query(
      `update workspace_moves set ${reach('pause')}, paused_xid = pg_current_xact_id(), paused_at = clock_timestamp()
       where workspace_id = $1 and id = $2 and ${allows('pause')} returning id`,
      [workspaceId, id],
    );
    if (paused.length === 0) return false;
    await tx.query('update workspaces set paused_at = clock_timestamp() where id = $1', [workspaceId]);
    await tx.query(`update purses set shut = true where workspace_id = $1 and kind = 'credit'`, [workspaceId]);
    await announceWorkspace(tx, workspaceId);
    return true;
  });
}

/** How a pause stands. */
export interface Quiet {
  /** Whether no process has a lease of its purses, and each change that had begun before the pause is over. */
  readonly isQuiet: boolean;
  readonly isPaused: boolean;
  readonly pausedForMs: number;
}

export async function readQuiet(sql: SqlRunner, { workspaceId }: Move): Promise<Quiet> {
  const [quiet] = await sql.query<Quiet>(
    `select not exists (select from leases l join purses p on p.id = l.purse_id where p.workspace_id = $1)
         and pg_snapshot_xmin(pg_current_snapshot()) > paused_xid as "isQuiet", state = 'paused' as "isPaused",
       (extract(epoch from clock_timestamp() - w.paused_at) * 1000)::double precision as "pausedForMs"
     from workspace_moves m join workspaces w on w.id = m.workspace_id where m.workspace_id = $1`,
    [workspaceId],
  );
  return quiet ?? { isQuiet: false, isPaused: false, pausedForMs: Infinity };
}

/**
 * The point of no return: from here on the workspace lives in the other cell. False if the move is not paused any more, or a process
 * has a lease of its purses.
 */
export async function letGo(sql: Sql, move: Move, figures: object): Promise<boolean> {
  const { id, workspaceId, shard } = move;
  return await sql.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { counted } = await readProgress(tx, move);
    const sealed = await countSealed(tx, workspaceId, counted?.sealed ?? null);
    const gone = await tx.query(
      `update workspace_moves set ${reach('letGo')}, moved_at = clock_timestamp(), figures = $3::jsonb, problem = null,
         sealed_receipts = $4::bigint, sealed_write_off_nano_usd = $5::numeric
       where workspace_id = $1 and id = $2 and ${allows('letGo')} and not exists (
         select from leases l join purses p on p.id = l.purse_id where p.workspace_id = $1
       ) returning id`,
      [workspaceId, id, JSON.stringify(figures), sealed.receipts, sealed.writeOffs],
    );
    if (gone.length === 0) return false;
    await tx.query('update workspaces set moved_to = $2, paused_at = null where id = $1', [workspaceId, shard]);
    await announceWorkspace(tx, workspaceId);
    return true;
  });
}

/** There is nothing more to do for a move. */
export async function end(sql: SqlRunner, { id, workspaceId }: Move, step: 'end' | 'endReturn'): Promise<void> {
  await sql.query(
    `with ended as (
       update workspace_moves set ${reach(step)}, ended_at = clock_timestamp()${step === 'end' ? ', problem = null' : ''}
       where workspace_id = $1 and id = $2 and ${allows(step)} returning 1
     )
     delete from departing_rows where workspace_id = $1 and exists (select from ended)`,
    [workspaceId, id],
  );
}
