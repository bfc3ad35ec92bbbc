import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { PROGRAM_VERSION } from '../../../lib/program-version.ts';
import { askCells } from '../../cells/ask-cells.ts';
import type { CellAnswer, CellClient } from '../../cells/cell-client.ts';
import { type Cell, findCell, listCells, removeCell, storeCell } from '../../cells/cell-store.ts';
import { readCellUrl } from '../../cells/cell-url.ts';
import { checkCell } from '../../cells/check-cell.ts';
import { readOwnFigures } from '../../cells/own-figures.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { location } from '../accounts/account-contract.ts';
import { ledgerReport, type LedgerReportJson } from '../ledger/ledger-contract.ts';
import { allowLongResponse } from '../long-answers.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import {
  namesFound,
  cellFigures,
  type CellFiguresJson,
  type CellJson,
  type CellsFoundJson,
  type ListedCellJson,
} from './cell-contract.ts';

export interface CellParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** The shard of this cell. */
  readonly shard: string;
  readonly cells: CellClient;
}

const FOUND_MAX = 10;
/** Among these are names of workspaces that have moved. */
const NAMES_MAX = 100;
/** A proof takes minutes, or hours. */
const PROOF_MS_MAX = 28_800_000;
const NO_SUCH = 'another cell answers there, or a program that this one does not work with';

/** Adds the routes of other cells. */
export function addCellRoutes(app: AdminApp, { sql, keyring, shard: own, cells }: CellParts): void {
  const showOwn = async (): Promise<CellFiguresJson> => {
    const { workspaces: open, answers, lastProofAt, lastProofDifferences } = await readOwnFigures(sql);
    return {
      shard: own,
      version: PROGRAM_VERSION,
      workspaces: open,
      answers,
      last_proof_at: lastProofAt?.toISOString() ?? null,
      last_proof_differences: lastProofDifferences,
    };
  };
  serve(app, 'showCell', showOwn);
  serve(app, 'listCells', async () => {
    const known = await listCells(sql);
    const answers = await askCells(cells, known, 'showCell');
    return { own: await showOwn(), data: known.map((cell, index) => listedJson(cell, answers[index])) };
  });
  serve(app, 'searchCells', async ({ query: { search, request_id: id } }) => {
    const known = await listCells(sql);
    const answers =
      id === undefined
        ? await askCells(cells, known, 'listWorkspaces', { query: { search: search ?? '', limit: String(NAMES_MAX) } })
        : await askCells(cells, known, 'lookUp', { query: { request_id: id } });
    return { data: known.map((cell, index) => foundJson(cell, answers[index])) };
  });
  serve(app, 'verifyCell', async ({ params: { shard }, c }) => {
    const cell = await findCell(sql, shard);
    if (cell === null) return refuse('NOT_FOUND', `This cell knows no cell with the shard ${shard}.`);
    allowLongResponse(c);
    const answer = await cells.call(cell, 'verifyLedger', { body: {}, answerMsMax: PROOF_MS_MAX });
    return reportIn(cell, answer);
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

function listedJson(cell: Cell, answer: CellAnswer | undefined): ListedCellJson {
  if (answer?.ok !== true) return { ...cellJson(cell), problem: answer?.fault.message ?? NO_SUCH, figures: null };
  const read = cellFigures.safeParse(answer.body);
  const isRight = read.success && read.data.shard === cell.shard;
  return { ...cellJson(cell), problem: isRight ? null : NO_SUCH, figures: isRight ? read.data : null };
}

type Found = CellsFoundJson['data'][number];

function foundJson({ shard, url }: Cell, answer: CellAnswer | undefined): Found {
  const found = (more: Partial<Found>): Found => ({ shard, url, problem: null, workspaces: [], ...more });
  if (answer === undefined) return found({ problem: NO_SUCH });
  // What is found nowhere is no problem of a cell.
  if (!answer.ok) return found(answer.fault.code === 'NOT_FOUND' ? {} : { problem: answer.fault.message });
  const listed = namesFound.safeParse(answer.body);
  if (listed.success) {
    const here = listed.data.data.filter(({ moved_to: movedTo }) => movedTo === null).slice(0, FOUND_MAX);
    return found({ workspaces: here.map(({ id, name }) => ({ id, name })) });
  }
  const located = location.safeParse(answer.body);
  if (!located.success) return found({ problem: NO_SUCH });
  const { workspace_id: id, workspace_name: name, moved_to: movedTo } = located.data;
  return found(movedTo === null ? { workspaces: [{ id, name }] } : {});
}

function reportIn({ shard }: Cell, answer: CellAnswer): LedgerReportJson | Refusal {
  if (!answer.ok) return refuse('CONFLICT', `The cell ${shard} has not proven its ledger: ${answer.fault.message}`);
  const report = ledgerReport.safeParse(answer.body);
  return report.success ? report.data : refuse('CONFLICT', `The cell ${shard} has not proven its ledger: ${NO_SUCH}.`);
}
