import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
import {
  type DeliveryFilter,
  listDeliveries,
  noDelivery,
  resendDelivery,
  sendTestWebhook,
  showDelivery,
} from '../../alerts/deliveries.ts';
import { TargetNetwork } from '../../alerts/target-network.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '../../alerts/webhook-endpoints.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type * as contract from './alert-contract.ts';
import { deliveryJson, webhookJson } from './alert-representations.ts';
import { pageJson, type pageQuery, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { deliveryQuery } from './webhook-wire.ts';

const OVERLAP_HOURS = 24;

export interface WebhookParts {
  readonly sql: ControlSql;
  readonly keyring: Keyring;
  /** Where webhooks may go; left out: to public addresses alone. */
  readonly webhookNetwork?: TargetNetwork;
}

type Scope = WorkspaceScope | OperatorScope;

/** Adds the routes of webhook endpoints and deliveries. */
export function addWebhookRoutes(app: AdminApp, parts: WebhookParts): void {
  const answers = webhookAnswers(parts);
  serve(app, 'listWebhooks', ({ scope, query }) => answers.list(scope, query));
  serve(app, 'createWebhook', ({ scope, body }) => answers.create(scope, body));
  serve(app, 'updateWebhook', ({ scope, ...request }) => answers.update(scope, request));
  serve(app, 'rotateWebhookSecret', ({ scope, ...request }) => answers.rotate(scope, request));
  serve(app, 'deleteWebhook', ({ scope, ...request }) => answers.remove(scope, request));
  serve(app, 'testWebhook', ({ scope, params }) => answers.test(scope, params.webhook));
  serve(app, 'listDeliveries', ({ scope, query }) => answers.deliveries(scope, query));
  serve(app, 'showDelivery', ({ scope, params }) => answers.delivery(scope, params.delivery));
  serve(app, 'resendDelivery', ({ scope, params }) => answers.resend(scope, params.delivery));
  serve(app, 'listInstanceWebhooks', ({ operator, query }) => answers.list(operator, query));
  serve(app, 'createInstanceWebhook', ({ operator, body }) => answers.create(operator, body));
  serve(app, 'updateInstanceWebhook', ({ operator, ...request }) => answers.update(operator, request));
  serve(app, 'rotateInstanceWebhookSecret', ({ operator, ...request }) => answers.rotate(operator, request));
  serve(app, 'deleteInstanceWebhook', ({ operator, ...request }) => answers.remove(operator, request));
  serve(app, 'testInstanceWebhook', ({ operator, params }) => answers.test(operator, params.webhook));
  serve(app, 'listInstanceDeliveries', ({ operator, query }) => answers.deliveries(operator, query));
  serve(app, 'showInstanceDelivery', ({ operator, params }) => answers.delivery(operator, params.delivery));
  serve(app, 'resendInstanceDelivery', ({ operator, params }) => answers.resend(operator, params.delivery));
}

interface Change {
  readonly params: { readonly webhook: string };
  readonly version: number | null;
}

/** The answers of the routes, for whichever scope. */
function webhookAnswers({ sql, keyring, webhookNetwork: network = new TargetNetwork([]) }: WebhookParts) {
  return {
    list: async (scope: Scope, query: z.output<typeof pageQuery>) =>
      pageJson(await listWebhookEndpoints(sql, scope, requestedPage(query)), webhookJson),
    create: async (scope: Scope, { url, description = '', once }: contract.WebhookCreation) => {
      const creation = { url, description, once: once ?? null };
      const made = await createWebhookEndpoint(sql, scope, creation, { network, keyring });
      return isRefusal(made) ? made : { ...webhookJson(made.endpoint), secret: made.secret };
    },
    update: async (scope: Scope, { params, version, body }: Change & { readonly body: contract.WebhookUpdate }) => {
      const change = { id: params.webhook, given: definedFields(body), version };
      const endpoint = await updateWebhookEndpoint(sql, scope, change, network);
      return isRefusal(endpoint) ? endpoint : webhookJson(endpoint);
    },
    rotate: async (scope: Scope, { params, version, body }: Change & { readonly body: contract.WebhookRotation }) => {
      const rotation = { id: params.webhook, version, overlapHours: body.overlap_hours ?? OVERLAP_HOURS };
      const rotated = await rotateWebhookSecret(sql, keyring, scope, rotation);
      return isRefusal(rotated) ? rotated : { ...webhookJson(rotated.endpoint), secret: rotated.secret };
    },
    remove: async (scope: Scope, { params, version }: Change) => {
      const endpoint = await deleteWebhookEndpoint(sql, scope, { id: params.webhook, version });
      return isRefusal(endpoint) ? endpoint : webhookJson(endpoint);
    },
    test: async (scope: Scope, id: string) => {
      const delivery = await sendTestWebhook(sql, scope, id);
      return isRefusal(delivery) ? delivery : deliveryJson(delivery);
    },
    deliveries: async (scope: Scope, query: z.output<typeof deliveryQuery>) => {
      const { state, webhook } = query;
      const filter: DeliveryFilter = definedFields({ state, endpointId: webhook });
      return pageJson(await listDeliveries(sql, scope, filter, requestedPage(query)), deliveryJson);
    },
    delivery: async (scope: Scope, id: string) => {
      const delivery = (await showDelivery(sql, scope, id)) ?? noDelivery();
      return isRefusal(delivery) ? delivery : deliveryJson(delivery);
    },
    resend: async (scope: Scope, id: string) => {
      const delivery = await resendDelivery(sql, scope, id);
      return isRefusal(delivery) ? delivery : deliveryJson(delivery);
    },
  };
}
