import { makeChange } from '../../audit/change.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { adjustPrices, listAdjustments, type PriceAdjustment } from '../../catalogue/price-adjustments.ts';
import { formatPercent, parsePercent } from '../../../domain/price-adjustment.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './price-contract.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

export interface PriceParts {
  readonly sql: ControlSql;
  readonly catalogue: Catalogue;
}

/** Adds the routes of what a workspace pays. */
export function addPriceRoutes(app: AdminApp, { sql, catalogue }: PriceParts): void {
  serve(app, 'listPriceAdjustments', pagesOf(adjustmentJson), ({ scope, query }) =>
    listAdjustments(sql, scope, requestedPage(query)),
  );
  serve(app, 'adjustPrices', async ({ scope, body }) => {
    const { model = null, change_percent: percent } = body;
    const change = { model, basisPoints: percent === null ? null : parsePercent(percent) };
    const adjustment = await makeChange(sql, (tx) => adjustPrices(tx, scope, change));
    if (isRefusal(adjustment)) return adjustment;
    await catalogue.reload();
    return adjustmentJson(adjustment);
  });
}

function adjustmentJson(adjustment: PriceAdjustment): contract.PriceAdjustmentJson {
  return recordJson(contract.priceAdjustment, { ...adjustment, changePercent: formatPercent(adjustment.basisPoints) });
}
