import type * as wire from '../alerts/alert-contract.ts';
import { type Call, ownerPath, type Page, type PageQuery, path, queryOf } from './call.ts';

// Calls about alerts. They are a workspace's, or the operator's own if it is null.

type AlertQuery = PageQuery & { readonly open?: 'true'; readonly rule?: string };
type DeliveryQuery = PageQuery & { readonly webhook?: string; readonly state?: wire.DeliveryJson['state'] };

/** The calls, by a function that makes one. Each @throws AdminRefused, AdminUnreachable */
export function alertCalls(call: Call) {
  return {
    listAlerts: (workspace: string | null, query: AlertQuery = {}) =>
      call<Page<wire.AlertJson>>('GET', `${ownerPath(workspace)}/alerts${queryOf(query)}`),
    listAlertRules: (workspace: string | null, page: PageQuery = {}) =>
      call<Page<wire.AlertRuleJson>>('GET', `${ownerPath(workspace)}/alert-rules${queryOf(page)}`),
    /** The operator's rules exist already: only a workspace's are created and deleted. */
    createAlertRule: (workspace: string, body: wire.AlertRuleCreation) =>
      call<wire.AlertRuleJson>('POST', `${ownerPath(workspace)}/alert-rules`, body),
    updateAlertRule: (workspace: string | null, id: string, body: wire.AlertRuleUpdate) =>
      call<wire.AlertRuleJson>('PATCH', ownerPath(workspace) + path`/alert-rules/${id}`, body),
    deleteAlertRule: (workspace: string, id: string) =>
      call<wire.AlertRuleJson>('DELETE', ownerPath(workspace) + path`/alert-rules/${id}`),
    listWebhooks: (workspace: string | null, page: PageQuery = {}) =>
      call<Page<wire.WebhookJson>>('GET', `${ownerPath(workspace)}/webhooks${queryOf(page)}`),
    createWebhook: (workspace: string | null, body: wire.WebhookCreation) =>
      call<wire.CreatedWebhookJson>('POST', `${ownerPath(workspace)}/webhooks`, body),
    updateWebhook: (workspace: string | null, id: string, body: wire.WebhookUpdate) =>
      call<wire.WebhookJson>('PATCH', ownerPath(workspace) + path`/webhooks/${id}`, body),
    rotateWebhookSecret: (workspace: string | null, id: string, body: wire.WebhookRotation) =>
      call<wire.WebhookWithSecretJson>('POST', ownerPath(workspace) + path`/webhooks/${id}/rotate`, body),
    deleteWebhook: (workspace: string | null, id: string) =>
      call<wire.WebhookJson>('DELETE', ownerPath(workspace) + path`/webhooks/${id}`),
    testWebhook: (workspace: string | null, id: string) =>
      call<wire.DeliveryJson>('POST', ownerPath(workspace) + path`/webhooks/${id}/test`),
    listDeliveries: (workspace: string | null, query: DeliveryQuery = {}) =>
      call<Page<wire.DeliveryJson>>('GET', `${ownerPath(workspace)}/deliveries${queryOf(query)}`),
    showDelivery: (workspace: string | null, id: string) =>
      call<wire.DeliveryJson>('GET', ownerPath(workspace) + path`/deliveries/${id}`),
    resendDelivery: (workspace: string | null, id: string) =>
      call<wire.DeliveryJson>('POST', ownerPath(workspace) + path`/deliveries/${id}/resend`),
  };
}
