import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { readRouteDay } from '../../routes/route-hours.ts';
import type { InstanceHealth } from '../../../gate/upstreams/health/standing.ts';
import { providersJson } from './provider-representations.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

export interface ProviderParts {
  readonly catalogue: Catalogue;
  /** The providers as the processes of this instance know them; takes a second at most. */
  readonly health: () => Promise<InstanceHealth>;
  readonly sql: ControlSql;
}

/** Adds the route of providers. */
export function addProviderRoutes(app: AdminApp, { catalogue, health, sql }: ProviderParts): void {
  serve(app, 'listProviders', async ({ operator }) => {
    const [known, day] = await Promise.all([health(), readRouteDay(sql, operator)]);
    return providersJson(known, { configured: catalogue.configured, sold: catalogue.list(), day }, Date.now());
  });
}
