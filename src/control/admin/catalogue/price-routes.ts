import { z } from '@hono/zod-openapi';
import { makeChange } from '../../audit/change.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { adjustPrices, listAdjustments, type PriceAdjustment } from '../../catalogue/price-adjustments.ts';
import { formatPercent, parsePercent } from '../../../domain/price-adjustment.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { answerRefusal, json, ok } from '../answers.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import * as contract from './price-contract.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from '../route-access.ts';

const tags = ['Catalogue'];

const list = workspaceRoute('models:read', {
  operationId: 'listPriceAdjustments',
  method: 'get',
  path: '/prices',
  tags,
  summary: "List by how much a workspace's prices differ from the list, now and formerly",
  request: { params: z.object(inWorkspace), query: pageQuery },
  responses: ok(pageOf(contract.priceAdjustment), 'Adjustments, newest first.'),
});

const adjust = workspaceRoute('prices:write', {
  operationId: 'adjustPrices',
  method: 'post',
  path: '/prices',
  tags,
  summary: 'Give a workspace a discount or a mark-up on a model or on all models, or end it',
  request: {
    params: z.object(inWorkspace),
    body: json(contract.priceAdjustmentChange, { model: 'small-chat', change_percent: '-10' }),
  },
  responses: ok(contract.priceAdjustment, 'The adjustment in force, or the one that was ended.'),
});

export interface PriceParts {
  readonly sql: ControlSql;
  readonly catalogue: Catalogue;
}

/** Adds the routes of what a workspace pays. */
export function addPriceRoutes(app: AdminApp, { sql, catalogue }: PriceParts): void {
  app.openapi(list, async (c) => {
    const page = await listAdjustments(sql, c.var.scope, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, adjustmentJson), 200);
  });
  app.openapi(adjust, async (c) => {
    const { model = null, change_percent: percent } = c.req.valid('json');
    const change = { model, basisPoints: percent === null ? null : parsePercent(percent) };
    const adjustment = await makeChange(sql, (tx) => adjustPrices(tx, c.var.scope, change));
    if (isRefusal(adjustment)) return answerRefusal(c, adjustment);
    await catalogue.reload();
    return c.json(adjustmentJson(adjustment), 200);
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
