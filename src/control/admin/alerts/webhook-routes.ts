import { definedFields } from '../../../lib/defined-fields.ts';
import {
  type DeliveryFilter,
  listDeliveries,
  noDelivery,
  resendDelivery,
  sendTestWebhook,
  showDelivery,
} from '../../alerts/deliveries.ts';
import { TargetNetwork } from '../../../lib/target-network.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from '../../alerts/webhook-endpoints.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type * as contract from './alert-contract.ts';
import { deliveryJson, webhookJson } from './alert-representations.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serveOwned } from '../serve.ts';

const OVERLAP_HOURS = 24;

export interface WebhookParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** Where webhooks may go; left out: to public addresses alone. */
  readonly webhookNetwork?: TargetNetwork;
}

/** Adds the routes of webhook endpoints and deliveries: of a workspace's, and of the operator's own. */
export function addWebhookRoutes(app: AdminApp, parts: WebhookParts): void {
  const { sql, keyring, webhookNetwork: network = new TargetNetwork([]) } = parts;
  serveOwned(app, 'listWebhooks', pagesOf(webhookJson), ({ owner, query }) =>
    listWebhookEndpoints(sql, owner, requestedPage(query)),
  );
  serveOwned(app, 'createWebhook', secretJson, ({ owner, body: { url, description = '', once = null } }) =>
    createWebhookEndpoint(sql, owner, { url, description, once }, { network, keyring }),
  );
  serveOwned(app, 'updateWebhook', webhookJson, ({ owner, params, version, body }) =>
    updateWebhookEndpoint(sql, owner, { id: params.webhook, given: definedFields(body), version }, network),
  );
  serveOwned(app, 'rotateWebhookSecret', secretJson, ({ owner, params, version, body }) => {
    const { overlap_hours: overlapHours = OVERLAP_HOURS } = body;
    return rotateWebhookSecret(sql, keyring, owner, { id: params.webhook, version, overlapHours });
  });
  serveOwned(app, 'deleteWebhook', webhookJson, ({ owner, params, version }) =>
    deleteWebhookEndpoint(sql, owner, { id: params.webhook, version }),
  );
  serveOwned(app, 'testWebhook', deliveryJson, ({ owner, params }) => sendTestWebhook(sql, owner, params.webhook));
  serveOwned(app, 'listDeliveries', pagesOf(deliveryJson), ({ owner, query }) => {
    const { state, webhook } = query;
    const filter: DeliveryFilter = definedFields({ state, endpointId: webhook });
    return listDeliveries(sql, owner, filter, requestedPage(query));
  });
  serveOwned(app, 'showDelivery', deliveryJson, async ({ owner, params }) => {
    return (await showDelivery(sql, owner, params.delivery)) ?? noDelivery();
  });
  serveOwned(app, 'resendDelivery', deliveryJson, ({ owner, params }) => resendDelivery(sql, owner, params.delivery));
}

interface Revealed<Secret> {
  readonly endpoint: WebhookEndpoint;
  readonly secret: Secret;
}

function secretJson<Secret>({
  endpoint,
  secret,
}: Revealed<Secret>): contract.WebhookJson & { readonly secret: Secret } {
  return { ...webhookJson(endpoint), secret };
}
