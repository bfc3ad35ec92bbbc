import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { InstanceHealth } from '../../../gate/upstreams/health/standing.ts';
import { ok } from '../answers.ts';
import { providers } from './provider-contract.ts';
import { providersJson } from './provider-representations.ts';
import { type AdminApp, operatorRoute } from '../route-access.ts';

export interface ProviderParts {
  readonly catalogue: Catalogue;
  /** The providers as the processes of this instance know them; takes a second at most. */
  readonly health: () => Promise<InstanceHealth>;
}

const list = operatorRoute({
  operationId: 'listProviders',
  method: 'get',
  path: '/providers',
  tags: ['Catalogue'],
  summary: 'List the providers and their routes, and which of them answer',
  description:
    "Each process knows routes by its own attempts alone, so the answer adds up the processes of this instance that answer within a second. Other instances on the same database are not among them. What is known is dropped when the config file is read again. Routes of several models to the same model of a provider share their state. The sandbox's routes never rest.",
  responses: ok(providers, "Providers in the config file's order."),
});

/** Adds the route of providers. */
export function addProviderRoutes(app: AdminApp, { catalogue, health }: ProviderParts): void {
  app.openapi(list, async (c) => {
    const known = await health();
    return c.json(providersJson(known, { configured: catalogue.configured, sold: catalogue.list() }, Date.now()), 200);
  });
}
