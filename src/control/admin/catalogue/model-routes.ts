import type { Catalogue } from '../../catalogue/catalogue.ts';
import { readActiveCosts, readCostHistory } from '../../catalogue/cost-versions.ts';
import { type PricedModel, readModelPrices } from '../../catalogue/model-prices.ts';
import type { Model } from '../../../domain/model.ts';
import { refuse } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { mapInSlices } from '../../../lib/slices.ts';
import { modelJson, routeCostJson } from './model-representations.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

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
  serve(app, 'listModels', async ({ scope }) => {
    const priced = await pacer.slice(() => readModelPrices(sql, scope, { withHistory: false }));
    return { data: [...(await answer(priced, false))] };
  });
  serve(app, 'showModel', async ({ scope, params }) => {
    const { model } = params;
    const [shown] = await answer(await readModelPrices(sql, scope, { model, withHistory: true }), true);
    if (shown === undefined) return refuse('NOT_FOUND', 'There is no such model.');
    return shown;
  });
  serve(app, 'listCatalogue', async ({ operator, query }) => {
    const withHistory = query.history === 'true';
    const priced = await pacer.slice(() => readModelPrices(sql, operator, { withHistory }));
    const costs = await pacer.slice(() => (withHistory ? readCostHistory(sql) : readActiveCosts(sql)));
    const costsOf = Map.groupBy(costs, ({ model }) => model);
    const data = (await answer(priced, withHistory)).map((model) => ({
      ...model,
      costs: (costsOf.get(model.id) ?? []).map(routeCostJson),
    }));
    return { data };
  });
}
