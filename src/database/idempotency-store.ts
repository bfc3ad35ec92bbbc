import type { Claim, IdempotencyStore, IdempotentRequest } from '../gateway/idempotency-store.ts';
import { assert } from '../lib/assert.ts';
import { type Sql, UNHURRIED } from '../lib/sql.ts';
import { withFencing } from './epoch-fencing.ts';

interface ClaimRow {
  state: Claim['state'];
  request_id: string;
  answer: Buffer | null;
}

/** Claims of idempotency keys on PostgreSQL: one statement each. */
export class PostgresIdempotencyStore implements IdempotencyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): Promise<Claim> {
    const { workspaceId, keyId, idempotencyKey, requestId } = request;
    const [row] = await withFencing(
      this.#sql.query<ClaimRow>('select * from claim_idempotency_key($1, $2, $3, $4, $5, $6)', [
        epochId,
        workspaceId,
        keyId,
        idempotencyKey,
        bodySha256,
        requestId,
      ]),
    );
    assert(row !== undefined, 'a claim is answered');
    const { state, request_id: original, answer } = row;
    return state === 'done' ? { state, requestId: original, answer } : { state };
  }

  async release({ workspaceId, keyId, idempotencyKey, requestId }: IdempotentRequest): Promise<void> {
    await this.#sql.query(
      `delete from idempotent_requests
       where workspace_id = $1 and key_id = $2 and idempotency_key = $3 and request_id = $4 and completed_at is null`,
      [workspaceId, keyId, idempotencyKey, requestId],
    );
  }
}

/** Forgets keys that were used more than a day ago. */
export async function pruneIdempotentRequests(sql: Sql): Promise<void> {
  await sql.query(`delete from idempotent_requests where claimed_at < now() - interval '24 hours'`, [], UNHURRIED);
}
