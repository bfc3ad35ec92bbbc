import { definedFields } from '../../../lib/defined-fields.ts';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
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
import { answerRefusal } from '../answers.ts';
import { pageJson, type pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, expectedVersion } from '../route-access.ts';
import { type deliveryQuery, ofOperator, ofWorkspace } from './webhook-operations.ts';

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
  app.openapi(ofWorkspace.list, (c) => answers.list(c, c.var.scope, c.req.valid('query')));
  app.openapi(ofWorkspace.create, (c) => answers.create(c, c.var.scope, c.req.valid('json')));
  app.openapi(ofWorkspace.update, (c) =>
    answers.update(c, c.var.scope, {
      id: c.req.valid('param').webhook,
      version: expectedVersion(c),
      given: c.req.valid('json'),
    }),
  );
  app.openapi(ofWorkspace.rotate, (c) =>
    answers.rotate(c, c.var.scope, {
      id: c.req.valid('param').webhook,
      version: expectedVersion(c),
      given: c.req.valid('json'),
    }),
  );
  app.openapi(ofWorkspace.remove, (c) =>
    answers.remove(c, c.var.scope, { id: c.req.valid('param').webhook, version: expectedVersion(c) }),
  );
  app.openapi(ofWorkspace.test, (c) => answers.test(c, c.var.scope, c.req.valid('param').webhook));
  app.openapi(ofWorkspace.deliveries, (c) => answers.deliveries(c, c.var.scope, c.req.valid('query')));
  app.openapi(ofWorkspace.delivery, (c) => answers.delivery(c, c.var.scope, c.req.valid('param').delivery));
  app.openapi(ofWorkspace.resend, (c) => answers.resend(c, c.var.scope, c.req.valid('param').delivery));
  app.openapi(ofOperator.list, (c) => answers.list(c, c.var.operator, c.req.valid('query')));
  app.openapi(ofOperator.create, (c) => answers.create(c, c.var.operator, c.req.valid('json')));
  app.openapi(ofOperator.update, (c) =>
    answers.update(c, c.var.operator, {
      id: c.req.valid('param').webhook,
      version: expectedVersion(c),
      given: c.req.valid('json'),
    }),
  );
  app.openapi(ofOperator.rotate, (c) =>
    answers.rotate(c, c.var.operator, {
      id: c.req.valid('param').webhook,
      version: expectedVersion(c),
      given: c.req.valid('json'),
    }),
  );
  app.openapi(ofOperator.remove, (c) =>
    answers.remove(c, c.var.operator, { id: c.req.valid('param').webhook, version: expectedVersion(c) }),
  );
  app.openapi(ofOperator.test, (c) => answers.test(c, c.var.operator, c.req.valid('param').webhook));
  app.openapi(ofOperator.deliveries, (c) => answers.deliveries(c, c.var.operator, c.req.valid('query')));
  app.openapi(ofOperator.delivery, (c) => answers.delivery(c, c.var.operator, c.req.valid('param').delivery));
  app.openapi(ofOperator.resend, (c) => answers.resend(c, c.var.operator, c.req.valid('param').delivery));
}

interface Change {
  readonly id: string;
  readonly version: ReturnType<typeof expectedVersion>;
}

/** The answers of the routes, for whichever scope. */
function webhookAnswers({ sql, keyring, webhookNetwork: network = new TargetNetwork([]) }: WebhookParts) {
  return {
    list: async (c: Context, scope: Scope, query: z.output<typeof pageQuery>) =>
      c.json(pageJson(await listWebhookEndpoints(sql, scope, requestedPage(query)), webhookJson), 200),
    create: async (c: Context, scope: Scope, { url, description = '', once }: contract.WebhookCreation) => {
      const creation = { url, description, once: once ?? null };
      const made = await createWebhookEndpoint(sql, scope, creation, { network, keyring });
      if (isRefusal(made)) return answerRefusal(c, made);
      return c.json({ ...webhookJson(made.endpoint), secret: made.secret }, 201);
    },
    update: async (c: Context, scope: Scope, change: Change & { readonly given: contract.WebhookUpdate }) => {
      const { id, version, given } = change;
      if (isRefusal(version)) return answerRefusal(c, version);
      const changed = definedFields(given);
      const endpoint = await updateWebhookEndpoint(sql, scope, { id, given: changed, version }, network);
      return isRefusal(endpoint) ? answerRefusal(c, endpoint) : c.json(webhookJson(endpoint), 200);
    },
    rotate: async (c: Context, scope: Scope, change: Change & { readonly given: contract.WebhookRotation }) => {
      const { id, version, given } = change;
      if (isRefusal(version)) return answerRefusal(c, version);
      const rotation = { id, version, overlapHours: given.overlap_hours ?? OVERLAP_HOURS };
      const rotated = await rotateWebhookSecret(sql, keyring, scope, rotation);
      if (isRefusal(rotated)) return answerRefusal(c, rotated);
      return c.json({ ...webhookJson(rotated.endpoint), secret: rotated.secret }, 200);
    },
    remove: async (c: Context, scope: Scope, { id, version }: Change) => {
      if (isRefusal(version)) return answerRefusal(c, version);
      const endpoint = await deleteWebhookEndpoint(sql, scope, { id, version });
      return isRefusal(endpoint) ? answerRefusal(c, endpoint) : c.json(webhookJson(endpoint), 200);
    },
    test: async (c: Context, scope: Scope, id: string) => {
      const delivery = await sendTestWebhook(sql, scope, id);
      return isRefusal(delivery) ? answerRefusal(c, delivery) : c.json(deliveryJson(delivery), 200);
    },
    deliveries: async (c: Context, scope: Scope, query: z.output<typeof deliveryQuery>) => {
      const { state, webhook } = query;
      const filter: DeliveryFilter = definedFields({
        state,
        endpointId: webhook,
      });
      return c.json(pageJson(await listDeliveries(sql, scope, filter, requestedPage(query)), deliveryJson), 200);
    },
    delivery: async (c: Context, scope: Scope, id: string) => {
      const delivery = (await showDelivery(sql, scope, id)) ?? noDelivery();
      return isRefusal(delivery) ? answerRefusal(c, delivery) : c.json(deliveryJson(delivery), 200);
    },
    resend: async (c: Context, scope: Scope, id: string) => {
      const delivery = await resendDelivery(sql, scope, id);
      return isRefusal(delivery) ? answerRefusal(c, delivery) : c.json(deliveryJson(delivery), 200);
    },
  };
}
