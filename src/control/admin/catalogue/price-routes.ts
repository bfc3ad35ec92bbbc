import { makeChange } from '../../audit/change.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { adjustPrices, listAdjustments, type PriceAdjustment } from '../../catalogue/price-adjustments.ts';
import { formatPercent, parsePercent } from '../../../domain/price-adjustment.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { pageJson, requestedPage } from '../pages.ts';
import type * as contract from './price-contract.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

export interface PriceParts {
  readonly sql: ControlSql;
  readonly catalogue: Catalogue;
}

/** Adds the routes of what a workspace pays. */
export function addPriceRoutes(app: AdminApp, { sql, catalogue }: PriceParts): void {
  serve(app, 'listPriceAdjustments', async ({ scope, query }) => {
    const page = await listAdjustments(sql, scope, requestedPage(query));
    return pageJson(page, adjustmentJson);
  });
  serve(app, 'adjustPrices', async ({ scope, body }) => {
    const { model = null, change_percent: percent } = body;
    const change = { model, basisPoints: percent === null ? null : parsePercent(percent) };
    const adjustment = await makeChange(sql, (tx) => adjustPrices(tx, scope, change));
    if (isRefusal(adjustment)) return adjustment;
    await catalogue.reload();
    return adjustmentJson(adjustment);
  });
}

function adjustmentJson({ id, model, basisPoints, startedAt, endedAt }: PriceAdjustment): contract.PriceAdjustmentJson {
  return {
    id,
    model,
    change_percent: formatPercent(basisPoints),
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}
