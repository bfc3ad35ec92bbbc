import { recordAudit } from '../audit/audit.ts';
import { formatPercent } from '../../domain/price-adjustment.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { repriceWorkspaces, takePrices } from './workspace-prices.ts';
import { newId } from '../../lib/uuid7.ts';

/** By how much a workspace's prices differ from the list's, or did. */
export interface PriceAdjustment {
  readonly id: string;
  /** Null: for all models that have no adjustment of their own. */
  readonly model: string | null;
  /** Hundredths of a percent of each rate; below zero: a discount. */
  readonly basisPoints: number;
  readonly startedAt: Date;
  /** Null while it is in force. */
  readonly endedAt: Date | null;
}

/** The adjustment that there shall be; null: none, so that the next wider price applies. */
export interface AdjustmentChange {
  readonly model: string | null;
  readonly basisPoints: number | null;
}

const COLUMNS = 'id, model, basis_points as "basisPoints", started_at as "startedAt", ended_at as "endedAt"';

/** All adjustments of the workspace, newest first, past ones included. */
export async function listAdjustments(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  page: PageRequest,
): Promise<Page<PriceAdjustment>> {
  return await readPage(page, async (after, count) =>
    sql.query<PriceAdjustment>(
      `select ${COLUMNS} from price_adjustments
       where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
      [workspaceId, after, count],
    ),
  );
}

/**
 * Replaces the workspace's adjustment for a model or for all models, in the transaction given. Returns the one in force, or
 * the one that was ended. Requests that are admitted later pay by it; in other processes within a second.
 */
export async function adjustPrices(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { model, basisPoints }: AdjustmentChange,
): Promise<PriceAdjustment | Refusal> {
  const { workspaceId } = scope;
  await takePrices(tx);
  const former = await activeAdjustment(tx, scope, model);
  if (former === null && basisPoints === null) return noAdjustment(model);
  if (former !== null && former.basisPoints === basisPoints) return former;
  if (basisPoints !== null && model !== null && !(await isListed(tx, model))) return noModel(model);
  const ended = former === null ? null : await end(tx, scope, former.id);
  const made = basisPoints === null ? null : await begin(tx, scope, { model, basisPoints });
  await repriceWorkspaces(tx, { workspaceId, ...(model === null ? {} : { model }) });
  await tx.query(`insert into changes (kind, subject_id) values ('catalogue', $1)`, [model ?? '*']);
  const percentOf = (adjustment: PriceAdjustment | null) => ({
    model,
    change_percent: adjustment === null ? null : formatPercent(adjustment.basisPoints),
  });
  const result = made ?? ended;
  assert(result !== null, 'an adjustment was made or ended');
  await recordAudit(tx, scope, {
    action: 'price.adjust',
    target: { kind: 'price_adjustment', id: result.id, name: model },
    before: percentOf(former),
    after: percentOf(made),
  });
  return result;
}

async function activeAdjustment(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  model: string | null,
): Promise<PriceAdjustment | null> {
  const [row] = await tx.query<PriceAdjustment>(
    `select ${COLUMNS} from price_adjustments
     where workspace_id = $1 and model is not distinct from $2 and ended_at is null`,
    [workspaceId, model],
  );
  return row ?? null;
}

async function isListed(tx: SqlRunner, model: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 as listed from price_versions where model = $1 and workspace_id is null and retired_at is null',
    [model],
  );
  return rows.length > 0;
}

async function end(tx: SqlRunner, { workspaceId }: WorkspaceScope, id: string): Promise<PriceAdjustment | null> {
  const [row] = await tx.query<PriceAdjustment>(
    `update price_adjustments set ended_at = now() where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
    [workspaceId, id],
  );
  return row ?? null;
}

async function begin(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  { model, basisPoints }: { readonly model: string | null; readonly basisPoints: number },
): Promise<PriceAdjustment | null> {
  const [row] = await tx.query<PriceAdjustment>(
    `insert into price_adjustments (workspace_id, id, model, basis_points) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [workspaceId, newId(), model, basisPoints],
  );
  return row ?? null;
}

function noModel(model: string): Refusal {
  return refuse('INVALID_REQUEST', `There is no model "${model}" on sale.`, { param: 'model' });
}

function noAdjustment(model: string | null): Refusal {
  const what = model === null ? 'all models' : `the model "${model}"`;
  return refuse('NOT_FOUND', `This workspace has no adjustment for ${what}.`);
}
