import type * as wire from './alert-contract.ts';

// The calls of the admin API's client about alerts. They are a workspace's, or the operator's own if there is none.

type Call = <Answer>(method: 'GET' | 'POST', at: string, body?: object) => Promise<Answer>;

interface ListQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** The path of a list, with its query. */
function listPath(workspace: string | null, list: string, query: object = {}): string {
  const owner = workspace === null ? '' : `/workspaces/${encodeURIComponent(workspace)}`;
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${owner}/${list}${given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`}`;
}

/** The calls, by a function that makes one. Each @throws AdminRefused, AdminUnreachable */
export function alertCalls(call: Call) {
  return {
    listAlerts: (workspace: string | null, query: ListQuery & { readonly open?: 'true' } = {}) =>
      call<ListPage<wire.AlertJson>>('GET', listPath(workspace, 'alerts', query)),
    listWebhooks: (workspace: string | null, page: ListQuery = {}) =>
      call<ListPage<wire.WebhookJson>>('GET', listPath(workspace, 'webhooks', page)),
    createWebhook: (workspace: string | null, body: wire.WebhookCreation) =>
      call<wire.CreatedWebhookJson>('POST', listPath(workspace, 'webhooks'), body),
    testWebhook: (workspace: string | null, id: string) =>
      call<wire.DeliveryJson>('POST', listPath(workspace, `webhooks/${encodeURIComponent(id)}/test`)),
    listDeliveries: (workspace: string | null, query: ListQuery & { readonly webhook?: string } = {}) =>
      call<ListPage<wire.DeliveryJson>>('GET', listPath(workspace, 'deliveries', query)),
  };
}
