import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  AlertRuleCreation,
  AlertRuleJson,
  AlertRuleUpdate,
  DeliveryJson,
  WebhookCreation,
  WebhookRotation,
  WebhookUpdate,
} from '../../../src/control/admin/alerts/alert-contract.ts';
import type { DeliveryState } from '../../../src/domain/delivery-states.ts';
import { callApi, callOwned } from './client.ts';
import { filteredQuery } from './paged.ts';

// Alerts, their rules, webhook endpoints and deliveries: those of a workspace, or the operator's own.

/** The id of a workspace; null is the operator. */
export type AlertOwner = string | null;

/** Only workspaces have streams of events, so the operator's alerts are read again this often. */
const OPERATOR_LOOK_MS = 15_000;
/** The sender looks every 2 s. */
const DUE_LOOK_MS = 2_000;
const WAITING_LOOK_MS = 20_000;
/** A new workspace gets its first rules within half a minute. */
const FIRST_RULES_LOOK_MS = 10_000;
const PAGE_ROWS = 50;

const keyOf = (owner: AlertOwner, ...parts: readonly unknown[]): readonly unknown[] => [
  ...(owner === null ? ['operator'] : ['workspace', owner]),
  'alerts',
  ...parts,
];

/** Reads again all that is shown of alerts, rules, endpoints and deliveries. Resolves when it is done. */
export async function reloadAlerts(queries: QueryClient, owner: AlertOwner): Promise<void> {
  await queries.invalidateQueries({ queryKey: keyOf(owner) });
}

/** Which alerts are listed. */
export interface AlertListing {
  readonly isOpen: boolean;
  /** Only those of this rule; null: of all. */
  readonly rule: string | null;
}

export const alertsQuery = (owner: AlertOwner, { isOpen, rule }: AlertListing) =>
  filteredQuery(
    keyOf(owner, 'list', { isOpen, rule }),
    ({ signal, cursor }) =>
      callOwned('GET /alerts', owner, { signal, query: { open: isOpen, rule, cursor, limit: PAGE_ROWS } }),
    { refetchInterval: owner === null ? OPERATOR_LOOK_MS : false },
  );

/** All rules: there are 50 at most. */
export const alertRulesQuery = (owner: AlertOwner) =>
  queryOptions({
    queryKey: keyOf(owner, 'rules'),
    queryFn: ({ signal }) => callOwned('GET /alert-rules', owner, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.length === 0 ? FIRST_RULES_LOOK_MS : false),
  });

export const createAlertRule = (workspace: string, body: AlertRuleCreation) =>
  callApi('POST /workspaces/{workspace}/alert-rules', { workspace, body });

/** A thing that is changed, as it was read. */
type Seen = Pick<AlertRuleJson, 'id' | 'version'>;

export const updateAlertRule = (owner: AlertOwner, { id, version }: Seen, body: AlertRuleUpdate) =>
  callOwned('PATCH /alert-rules/{rule}', owner, { rule: id, body, version });

export const deleteAlertRule = (workspace: string, { id, version }: Seen) =>
  callApi('DELETE /workspaces/{workspace}/alert-rules/{rule}', { workspace, rule: id, version });

/** All endpoints: there are 20 at most. */
export const webhooksQuery = (owner: AlertOwner) =>
  queryOptions({
    queryKey: keyOf(owner, 'webhooks'),
    queryFn: ({ signal }) => callOwned('GET /webhooks', owner, { signal }),
  });

export const createWebhook = (owner: AlertOwner, body: WebhookCreation) => callOwned('POST /webhooks', owner, { body });

export const updateWebhook = (owner: AlertOwner, { id, version }: Seen, body: WebhookUpdate) =>
  callOwned('PATCH /webhooks/{webhook}', owner, { webhook: id, body, version });

export const rotateWebhook = (owner: AlertOwner, { id, version }: Seen, body: WebhookRotation) =>
  callOwned('POST /webhooks/{webhook}/rotate', owner, { webhook: id, body, version });

export const deleteWebhook = (owner: AlertOwner, { id, version }: Seen) =>
  callOwned('DELETE /webhooks/{webhook}', owner, { webhook: id, version });

export const testWebhook = (owner: AlertOwner, id: string) =>
  callOwned('POST /webhooks/{webhook}/test', owner, { webhook: id });

/** Which deliveries are listed. */
export interface DeliveryListing {
  readonly state: DeliveryState | null;
  /** Only those of this endpoint; null: of all, and mails. */
  readonly webhook: string | null;
}

export const deliveriesQuery = (owner: AlertOwner, { state, webhook }: DeliveryListing) =>
  filteredQuery(
    keyOf(owner, 'deliveries', { state, webhook }),
    ({ signal, cursor }) =>
      callOwned('GET /deliveries', owner, { signal, query: { state, webhook, cursor, limit: PAGE_ROWS } }),
    { refetchInterval: ({ state: { data } }) => lookAfterMs(data?.pages.flatMap((page) => page.data) ?? []) },
  );

export const deliveryQuery = (owner: AlertOwner, delivery: string) =>
  queryOptions({
    queryKey: keyOf(owner, 'delivery', delivery),
    queryFn: ({ signal }) => callOwned('GET /deliveries/{delivery}', owner, { delivery, signal }),
    refetchInterval: ({ state: { data } }) => lookAfterMs(data === undefined ? [] : [data]),
  });

/** When deliveries are read again: soon while one is due, seldom while one waits for its next attempt. */
function lookAfterMs(deliveries: readonly DeliveryJson[]): number | false {
  const waiting = deliveries.filter(({ state }) => state === 'waiting');
  if (waiting.length === 0) return false;
  const soonMs = Date.now() + WAITING_LOOK_MS;
  const isDue = waiting.some(({ next_attempt_at: at }) => at !== null && Date.parse(at) < soonMs);
  return isDue ? DUE_LOOK_MS : WAITING_LOOK_MS;
}

export const resendDelivery = (owner: AlertOwner, id: string) =>
  callOwned('POST /deliveries/{delivery}/resend', owner, { delivery: id });
