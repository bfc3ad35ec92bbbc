import { recordAudit } from '../audit/audit.ts';
import type { DeliveryState } from '../../domain/delivery-states.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { ownerOf } from './notice-owner.ts';
import { queueWebhooks } from './webhook-queue.ts';

/** How the sending of a notice stands. Its content is not shown. */
export interface Delivery {
  readonly id: string;
  readonly channel: 'mail' | 'webhook';
  /** The mail address, or the URL at the time. */
  readonly recipient: string;
  /** Of a mail. */
  readonly subject: string | null;
  readonly endpointId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null: it was sent or given up. */
  readonly nextAttemptAt: Date | null;
  readonly finishedAt: Date | null;
  readonly lastError: string | null;
  readonly lastStatus: number | null;
}

/** Which deliveries a list shows; each field that is left out lets all through. */
export interface DeliveryFilter {
  readonly endpointId?: string;
  readonly state?: Delivery['state'];
}

type Scope = WorkspaceScope | OperatorScope;

const COLUMNS = `id, channel, recipient, subject, endpoint_id as "endpointId", state, attempts, created_at as "createdAt",
  case when state = 'waiting' then next_attempt_at end as "nextAttemptAt", finished_at as "finishedAt",
  last_error as "lastError", last_status as "lastStatus"`;

export const noDelivery = (): Refusal => refuse('NOT_FOUND', 'There is no such delivery.');

/** A page of what was sent in the last month, or is still to be sent, newest first. */
export async function listDeliveries(
  sql: SqlRunner,
  scope: Scope,
  filter: DeliveryFilter,
  page: PageRequest = {},
): Promise<Page<Delivery>> {
  return await readPage(page, async (after, count) =>
    sql.query<Delivery>(
      `select ${COLUMNS} from notices
       where workspace_id = $1 and ($2::uuid is null or id < $2) and ($3::uuid is null or endpoint_id = $3)
         and ($4::text is null or state = $4)
       order by id desc limit $5`,
      [ownerOf(scope), after, filter.endpointId ?? null, filter.state ?? null, count],
    ),
  );
}

/** One delivery; null if there is none. */
export async function showDelivery(sql: SqlRunner, scope: Scope, id: string): Promise<Delivery | null> {
  const [delivery] = await sql.query<Delivery>(`select ${COLUMNS} from notices where workspace_id = $1 and id = $2`, [
    ownerOf(scope),
    id,
  ]);
  return delivery ?? null;
}

/** Sends a notice again that was sent or given up, under its id. Refused if it waits, or was erased. */
export async function resendDelivery(sql: Sql, scope: Scope, id: string): Promise<Delivery | Refusal> {
  return await sql.transaction(async (tx) => {
    const [notice] = await tx.query<{ state: Delivery['state']; isErased: boolean; hasEndpoint: boolean }>(
      `select n.state, n.body is null as "isErased", n.channel = 'mail' or exists (
         select from webhook_endpoints e where e.workspace_id = n.workspace_id and e.id = n.endpoint_id and e.enabled
       ) as "hasEndpoint"
       from notices n where n.workspace_id = $1 and n.id = $2 for update`,
      [ownerOf(scope), id],
    );
    if (notice === undefined) return noDelivery();
    if (notice.state === 'waiting') return refuse('CONFLICT', 'This delivery is being sent already.');
    if (notice.isErased) return refuse('CONFLICT', 'This mail held a link for its recipient and was erased.');
    if (!notice.hasEndpoint) return refuse('CONFLICT', 'Its webhook endpoint is disabled or was deleted.');
    const [delivery] = await tx.query<Delivery>(
      `update notices set state = 'waiting', finished_at = null, next_attempt_at = now(),
         give_up_at = now() + interval '24 hours'
       where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [ownerOf(scope), id],
    );
    if (delivery === undefined) return noDelivery();
    const target = { kind: 'delivery', id, name: delivery.recipient };
    await recordAudit(tx, scope, { action: 'delivery.resend', target });
    return delivery;
  });
}

/** Webhooks to an endpoint may wait in this number before no more are sent to try it. */
const WAITING_MAX = 20;
const WAITING_RETRY_MS = 60_000;

/** Sends a webhook to one endpoint, to try it. Refused if there is no such endpoint, it is disabled, or too many wait for it. */
export async function sendTestWebhook(sql: Sql, scope: Scope, endpointId: string): Promise<Delivery | Refusal> {
  return await sql.transaction(async (tx) => {
    const waiting = await tx.query(
      `select from notices where workspace_id = $1 and endpoint_id = $2 and state = 'waiting' limit ${WAITING_MAX}`,
      [ownerOf(scope), endpointId],
    );
    if (waiting.length >= WAITING_MAX) {
      const message = `${WAITING_MAX} webhooks to this endpoint are waiting already: test it again once they were received or given up.`;
      return refuse('RATE_LIMITED', message, { retryAfterMs: WAITING_RETRY_MS });
    }
    const fields = { text: 'This is a test of the webhook endpoint.' };
    const [id] = await queueWebhooks(tx, ownerOf(scope), { type: 'test', fields }, endpointId);
    if (id === undefined) return refuse('NOT_FOUND', 'There is no such webhook endpoint, or it is disabled.');
    await recordAudit(tx, scope, { action: 'webhook.test', target: { kind: 'webhook', id: endpointId } });
    return (await showDelivery(tx, scope, id)) ?? noDelivery();
  });
}
