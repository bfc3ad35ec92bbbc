import { claimShard } from '../../src/control/accounts/shard.ts';
import type { CellAnswer, CellCall } from '../../src/control/cells/cell-client.ts';
import { storeCell } from '../../src/control/cells/cell-store.ts';
import {
  beginArrival,
  dropArrival,
  landArrivingRows,
  receiveRows,
  type ArrivalStart,
  type LandingRows,
} from '../../src/control/moves/arrivals.ts';
import { landArrival, openArrival } from '../../src/control/moves/land-arrival.ts';
import type { Figures } from '../../src/control/moves/figures.ts';
import { MoveWork } from '../../src/control/moves/move-work.ts';
import { showMove, startMove, type Move } from '../../src/control/moves/moves.ts';
import type { OperationId } from '../../src/control/operations/operations.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { DatabaseUnavailable } from '../../src/lib/sql.ts';
import { granted } from './accounts.ts';
import { startTestDatabase, type TestDatabase } from './database.ts';
import { testKeyring } from './keyring.ts';
import { operatorScope, scopeOf } from './scopes.ts';
import { UNPACED } from './verify-ledger.ts';

/** Two databases that know each other as cells, without the programs between them. */
export interface TwoCells {
  readonly zero: TestDatabase;
  readonly one: TestDatabase;
  readonly stop: () => Promise<void>;
}

export async function startTwoCells(): Promise<TwoCells> {
  const [zero, one] = await Promise.all([startTestDatabase(), startTestDatabase()]);
  await claimShard(one.control, '01');
  for (const [cell, shard] of [
    [zero, '01'],
    [one, '00'],
  ] as const) {
    const other = { shard, url: `https://${shard}.gateway.example`, token: 'fg_op_1234', version: null };
    granted(await storeCell({ sql: cell.control, keyring: testKeyring(cell.control) }, operatorScope(), other));
  }
  return {
    zero,
    one,
    stop: async () => {
      await zero.stop();
      await one.stop();
    },
  };
}

/** A process of one cell that moves workspaces to the other one, with these ways to their databases. */
export function moverOf(
  from: Sql,
  to: Sql,
  shard = '00',
  onCall?: (operation: OperationId, shard: string) => void | Promise<void>,
): MoveWork {
  return new MoveWork({
    sql: from,
    pacer: UNPACED,
    clock: new SystemClock(),
    keyring: testKeyring(from),
    cells: {
      call: async (cell, operation, call) => {
        await onCall?.(operation, cell.shard);
        return await answered(to, cell.shard, operation, call ?? {});
      },
    },
    shard,
    awayMsMax: 100,
    onFault: () => undefined,
  });
}

async function answered(sql: Sql, shard: string, operation: OperationId, call: CellCall): Promise<CellAnswer> {
  try {
    const body = await serveArrival(sql, operation, call);
    if (!isRefusal(body)) return { ok: true, body };
    return { ok: false, fault: { shard, kind: 'refused', code: body.code, message: `it refuses: ${body.message}` } };
  } catch (fault) {
    const isAway = fault instanceof DatabaseUnavailable || (fault as Error).message.startsWith('the process dies');
    if (!isAway) throw fault;
    return { ok: false, fault: { shard, kind: 'away', code: null, message: 'no instance answers there' } };
  }
}

async function serveArrival(sql: Sql, operation: OperationId, { params, body }: CellCall) {
  const name = { workspaceId: params?.['arrival'] ?? '', moveId: (body as { move: string }).move };
  const scope = operatorScope();
  switch (operation) {
    case 'beginArrival': {
      const { first_receipt: firstReceipt, ...start } = body as { first_receipt: string | null } & ArrivalStart;
      const problems = await beginArrival(sql, scope, { ...start, ...name, firstReceipt });
      return isRefusal(problems) ? problems : { problems };
    }
    case 'receiveRows': {
      const rows = body as { tables: string[]; keys: string[]; rows: string[] };
      return (await receiveRows(sql, testKeyring(sql), scope, { ...name, ...rows })) ?? {};
    }
    case 'landRows': {
      const rows = body as Pick<LandingRows, 'table' | 'rows' | 'kept'>;
      return (await landArrivingRows(sql, testKeyring(sql), scope, { ...name, ...rows })) ?? {};
    }
    case 'landArrival':
      return await landArrival(sql, scope, name);
    case 'openArrival':
      return (await openArrival(sql, scope, name, (body as { figures: Figures }).figures)) ?? {};
    case 'dropArrival':
      return (await dropArrival(sql, scope, name)) ?? {};
    default:
      throw new Error(`a move does not call ${operation}`);
  }
}

/** Moves a workspace, from its start to its end. */
export async function moveTo(from: TestDatabase, to: TestDatabase, workspaceId: string, shard: string): Promise<Move> {
  granted(await startMove(from.control, scopeOf(workspaceId), { shard, waitMs: 2_000 }));
  await moverOf(from.control, to.control, shard === '01' ? '00' : '01').run();
  return granted(await showMove(from.control, scopeOf(workspaceId)));
}

/** Has a cell sell what another one sells, by ids of its own. */
export async function copyPrices(from: TestDatabase, to: TestDatabase): Promise<void> {
  const rows = await from.database.query<{ row: string }>(
    `select to_jsonb(p)::text as row from price_versions p where workspace_id is null order by id`,
  );
  await to.database.query(
    `insert into price_versions (model, version, terms, created_at, retired_at)
     select model, version, terms, created_at, retired_at
     from unnest($1::text[]) as line cross join lateral jsonb_populate_record(null::price_versions, line::jsonb)`,
    [rows.map(({ row }) => row)],
  );
}

/** Has all processes of a cell give back what they lease, as they do when they end. */
export async function returnLeases({ database }: TestDatabase): Promise<void> {
  const epochs = await database.query<{ id: bigint }>(
    'update epochs set fenced_at = now(), reaped_at = now() where reaped_at is null returning id',
  );
  for (const { id } of epochs) {
    await database.query('select give_back_leases($1, array(select purse_id from leases where epoch_id = $1))', [id]);
  }
}
