import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { beginArrival, dropArrival, landArrivingRows, receiveRows } from '../../moves/arrivals.ts';
import { landArrival, openArrival } from '../../moves/land-arrival.ts';
import { cancelMove, type Move, showMove, startMove } from '../../moves/moves.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { MoveJson } from './move-contract.ts';

export interface MoveParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** Makes the partitions of receipts since the one with this id. False while receipts are read. */
  readonly makePartitions: (firstReceipt: string) => Promise<boolean>;
}

/** Adds the routes of moves of workspaces, from this cell and to it. */
export function addMoveRoutes(app: AdminApp, { sql, keyring, makePartitions }: MoveParts): void {
  serve(app, 'moveWorkspace', moveJson, ({ scope, body: { to, wait_seconds: waitSeconds } }) =>
    startMove(sql, scope, { shard: to, waitMs: waitSeconds * 1_000 }),
  );
  serve(app, 'showMove', moveJson, ({ scope }) => showMove(sql, scope));
  serve(app, 'cancelMove', moveJson, ({ scope }) => cancelMove(sql, scope));
  serve(app, 'beginArrival', async ({ operator, params: { arrival }, body }) => {
    const { move, first_receipt: firstReceipt, ...start } = body;
    if (firstReceipt !== null && !(await makePartitions(firstReceipt))) return receiptsAreRead();
    const problems = await beginArrival(sql, operator, { workspaceId: arrival, moveId: move, firstReceipt, ...start });
    return isRefusal(problems) ? problems : { problems: [...problems] };
  });
  serve(app, 'receiveRows', async ({ operator, params: { arrival }, body: { move, ...rows } }) =>
    done(arrival, await receiveRows(sql, keyring, operator, { workspaceId: arrival, moveId: move, ...rows })),
  );
  serve(app, 'landRows', async ({ operator, params: { arrival }, body: { move, ...rows } }) =>
    done(arrival, await landArrivingRows(sql, keyring, operator, { workspaceId: arrival, moveId: move, ...rows })),
  );
  serve(app, 'landArrival', async ({ operator, params: { arrival }, body: { move } }) => {
    const landed = await landArrival(sql, operator, { workspaceId: arrival, moveId: move });
    return isRefusal(landed) ? landed : { figures: landed.figures, counts: { ...landed.counts } };
  });
  serve(app, 'openArrival', async ({ operator, params: { arrival }, body: { move, figures } }) =>
    done(arrival, await openArrival(sql, operator, { workspaceId: arrival, moveId: move }, figures)),
  );
  serve(app, 'dropArrival', async ({ operator, params: { arrival }, body: { move } }) =>
    done(arrival, await dropArrival(sql, operator, { workspaceId: arrival, moveId: move })),
  );
}

function done(workspace: string, refusal: Refusal | null): { workspace: string } | Refusal {
  return refusal ?? { workspace };
}

function receiptsAreRead(): Refusal {
  const message = 'A proof of the ledger or a backup is reading the receipts: try again when it has ended.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1_000 });
}

function moveJson({ shard, state, rows, rowsLeft, problem, begunAt, endedAt, pauseMs }: Move): MoveJson {
  return {
    to: shard,
    state,
    rows: Number(rows),
    rows_left: Number(rowsLeft),
    problem,
    begun_at: begunAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    pause_ms: pauseMs,
  };
}
