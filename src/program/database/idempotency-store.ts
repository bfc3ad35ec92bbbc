import type { NanoUsd } from '../../domain/money.ts';
import type { ClaimResult, IdempotencyStore, IdempotentRequest } from '../../gate/gateway/claims/idempotency-store.ts';
import { assert } from '../../lib/assert.ts';
import { BRIEF, type Sql, UNHURRIED } from '../../lib/sql.ts';
import { withFencing } from './epoch-fencing.ts';

interface ClaimRow {
  state: ClaimResult['state'] | 'cancelled';
  request_id: string;
  answer: Buffer | null;
}

/** Claims of idempotency keys in PostgreSQL, each operation one statement. */
export class PostgresIdempotencyStore implements IdempotencyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async claim(epochId: bigint, request: IdempotentRequest, bodySha256: Buffer): Promise<ClaimResult> {
    const { workspaceId, keyId, idempotencyKey, requestId } = request;
    const [row] = await withFencing(
      this.#sql.query<ClaimRow>(
        'select * from claim_idempotency_key($1, $2, $3, $4, $5, $6)',
        [epochId, workspaceId, keyId, idempotencyKey, bodySha256, requestId],
        BRIEF,
      ),
    );
    assert(row !== undefined, 'a claim has a result');
    const { state, request_id: original, answer } = row;
    assert(state !== 'cancelled', 'a request that released its claim makes no other');
    if (state !== 'done') return { state };
    if (answer === null) return { state, requestId: original, answer };
    const [receipt] = await this.#sql.query<{ charge: NanoUsd }>(
      'select charge_nano_usd as charge from receipts where workspace_id = $1 and request_id = $2',
      [workspaceId, original],
      BRIEF,
    );
    return { state, requestId: original, answer, ...receipt };
  }

  async isClaimed({ workspaceId, keyId, idempotencyKey }: Omit<IdempotentRequest, 'requestId'>): Promise<boolean> {
    const rows = await this.#sql.query(
      'select from idempotent_requests where workspace_id = $1 and key_id = $2 and idempotency_key = $3',
      [workspaceId, keyId, idempotencyKey],
      BRIEF,
    );
    return rows.length > 0;
  }

  async release(request: IdempotentRequest, isInDoubt: boolean): Promise<void> {
    const { workspaceId, keyId, idempotencyKey, requestId } = request;
    await this.#sql.query(
      'select release_idempotency_key($1, $2, $3, $4, $5)',
      [workspaceId, keyId, idempotencyKey, requestId, isInDoubt],
      BRIEF,
    );
  }
}

/**
 * Deletes claims after a day. Claims taken over from another request are kept for 90 days, without their answers,
 * because that request's late receipt may arrive so much later, from a journal.
 */
export async function pruneIdempotentRequests(sql: Sql): Promise<void> {
  const isOld = `claimed_at < now() - interval '24 hours'`;
  const isForgettable = `superseded_request_id is null or claimed_at < now() - interval '90 days'`;
  await sql.query(`delete from idempotent_requests where ${isOld} and (${isForgettable})`, [], UNHURRIED);
  await sql.query(`update idempotent_requests set answer = null where ${isOld} and answer is not null`, [], UNHURRIED);
  await sql.query(`delete from cancelled_claims where cancelled_at < now() - interval '24 hours'`, [], UNHURRIED);
}
