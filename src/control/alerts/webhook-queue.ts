import type { SqlRunner } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';

/** What a webhook says: its type, and fields that go with it. */
export interface WebhookMessage {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Receiver {
  readonly id: string;
  readonly url: string;
}

/**
 * Puts a message into the outbox for each enabled endpoint of the workspace, or for one of them; in the transaction of what
 * it is about. Each delivery has an id of its own, in its body too. Returns the ids.
 */
export async function queueWebhooks(
  tx: SqlRunner,
  workspaceId: string,
  { type, fields }: WebhookMessage,
  only: string | null = null,
): Promise<readonly string[]> {
  const receivers = await tx.query<Receiver>(
    `select id, url from webhook_endpoints
     where workspace_id = $1 and enabled and ($2::uuid is null or id = $2) order by id`,
    [workspaceId, only],
  );
  const createdAt = new Date().toISOString();
  const ids: string[] = [];
  for (const receiver of receivers) {
    const id = newId();
    await tx.query(
      `insert into notices (workspace_id, id, channel, endpoint_id, recipient, body)
       values ($1, $2, 'webhook', $3, $4, $5)`,
      [workspaceId, id, receiver.id, receiver.url, JSON.stringify({ id, type, created_at: createdAt, ...fields })],
    );
    ids.push(id);
  }
  return ids;
}
