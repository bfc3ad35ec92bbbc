import { z } from '@hono/zod-openapi';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { readActiveCosts, readCostHistory } from '../../catalogue/cost-versions.ts';
import { type PricedModel, readModelPrices } from '../../catalogue/model-prices.ts';
import type { Model } from '../../../domain/model.ts';
import { refuse } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { answerRefusal, ok } from '../answers.ts';
import * as contract from './model-contract.ts';
import { modelJson, routeCostJson } from './model-representations.ts';
import { type AdminApp, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

const tags = ['Catalogue'];

const list = workspaceRoute('models:read', {
  operationId: 'listModels',
  method: 'get',
  path: '/models',
  tags,
  summary: 'List the models that are on sale or were, at the prices that a workspace pays',
  request: { params: z.object(inWorkspace) },
  responses: ok(contract.models, 'Models in the order of their ids, without history.'),
});

const show = workspaceRoute('models:read', {
  operationId: 'showModel',
  method: 'get',
  path: '/models/{model}',
  tags,
  summary: 'Show a model with all prices that a workspace has paid',
  request: { params: z.object({ ...inWorkspace, model: z.string().openapi({ description: 'Its id.' }) }) },
  responses: ok(contract.model, 'The model, with its history.'),
});

const listAll = operatorRoute({
  operationId: 'listCatalogue',
  method: 'get',
  path: '/catalogue/models',
  tags,
  summary: 'List the models that are on sale or were, at list prices, and what their providers ask',
  request: {
    query: z.strictObject({
      history: z
        .enum(['true', 'false'], { error: 'must be true or false' })
        .optional()
        .openapi({ description: 'Whether to list former prices and costs, too.' }),
    }),
  },
  responses: ok(contract.catalogueModels, 'Models in the order of their ids.'),
});

export interface ModelParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly catalogue: Catalogue;
}

/** Adds the routes of models and what they cost. */
export function addModelRoutes(app: AdminApp, { sql, pacer, catalogue }: ModelParts): void {
  const answer = async (priced: readonly PricedModel[], withHistory: boolean) => {
    const sold = new Map<string, Model>(catalogue.list().map((model) => [model.id, model]));
    return await mapInSlices(priced, (model) => modelJson(model, sold.get(model.id) ?? null, { withHistory }));
  };
  app.openapi(list, async (c) => {
    const priced = await pacer.slice(() => readModelPrices(sql, c.var.scope, { withHistory: false }));
    return c.json({ data: [...(await answer(priced, false))] }, 200);
  });
  app.openapi(show, async (c) => {
    const { model } = c.req.valid('param');
    const [shown] = await answer(await readModelPrices(sql, c.var.scope, { model, withHistory: true }), true);
    if (shown === undefined) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such model.'));
    return c.json(shown, 200);
  });
  app.openapi(listAll, async (c) => {
    const withHistory = c.req.valid('query').history === 'true';
    const priced = await pacer.slice(() => readModelPrices(sql, c.var.operator, { withHistory }));
    const costs = await pacer.slice(() => (withHistory ? readCostHistory(sql) : readActiveCosts(sql)));
    const costsOf = Map.groupBy(costs, ({ model }) => model);
    const data = (await answer(priced, withHistory)).map((model) => ({
      ...model,
      costs: (costsOf.get(model.id) ?? []).map(routeCostJson),
    }));
    return c.json({ data }, 200);
  });
}
