import { isRefusal, refuse } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { CellClient } from '../../cells/cell-client.ts';
import { type Cell, listCells, removeCell, storeCell } from '../../cells/cell-store.ts';
import { readCellUrl } from '../../cells/cell-url.ts';
import { checkCell, readCellStatus } from '../../cells/check-cell.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { CellJson, ListedCellJson } from './cell-contract.ts';

export interface CellParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** The shard of this cell. */
  readonly shard: string;
  readonly cells: CellClient;
}

/** Adds the routes of other cells. */
export function addCellRoutes(app: AdminApp, { sql, keyring, shard: own, cells }: CellParts): void {
  serve(app, 'listCells', async () => {
    const known = await listCells(sql);
    return { data: await Promise.all(known.map((cell) => listedJson(cells, cell))) };
  });
  serve(app, 'storeCell', cellJson, async ({ operator, params: { shard }, body, version }) => {
    const { token } = body;
    const address = readCellUrl(body.url);
    if ('problem' in address) return refuse('INVALID_REQUEST', `"url" ${address.problem}.`, { param: 'url' });
    const status = await checkCell(cells, { shard, token, ...address }, own);
    if (isRefusal(status)) return status;
    return await storeCell({ sql, keyring }, operator, { shard, token, version, ...address });
  });
  serve(app, 'deleteCell', cellJson, ({ operator, params: { shard }, version }) =>
    removeCell(sql, operator, { shard, version }),
  );
}

function cellJson({ shard, url, version, addedAt }: Cell): CellJson {
  return { shard, url, version, added_at: addedAt.toISOString() };
}

async function listedJson(cells: CellClient, cell: Cell): Promise<ListedCellJson> {
  const answer = await cells.call(cell, 'showStatus');
  if (!answer.ok) return { ...cellJson(cell), problem: answer.fault.message, program: null };
  const status = readCellStatus(answer.body);
  const isRight = status?.shard === cell.shard;
  const problem = isRight ? null : 'another cell answers there, or one that does not say its shard';
  return { ...cellJson(cell), problem, program: status?.version ?? null };
}
