import { recordAudit } from '../../audit/audit.ts';
import { actorName } from '../../../domain/actor.ts';
import type { NanoUsd } from '../../../domain/money.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import type { OperatorScope } from '../../../domain/workspace-scope.ts';
import { assert } from '../../../lib/assert.ts';
import { type Page, type PageRequest, readPage } from '../../../lib/page.ts';
import type { Sql, SqlRunner } from '../../../lib/sql.ts';
import { hashOfCode, newCode } from './code-text.ts';
import { newId } from '../../../lib/uuid7.ts';

/** The most codes of one batch. */
export const BATCH_CODES_MAX = 1_000;

/** What a batch of codes is made with. */
export interface BatchOrder {
  readonly count: number;
  /** What each code is worth; nano-USD. */
  readonly amount: NanoUsd;
  /** Whether the codes are sold, so that their credit counts as paid; else it is granted. */
  readonly sold: boolean;
  readonly expiresAt: Date;
  readonly reason: string;
  /** A name under which it is made once. */
  readonly once: string | null;
}

/** A batch of codes that was made. */
export interface Batch {
  readonly id: string;
  readonly count: number;
  readonly redeemed: number;
  readonly amount: NanoUsd;
  readonly sold: boolean;
  readonly expiresAt: Date;
  readonly hasExpired: boolean;
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
}

/** A batch that was made, by this request or by the one that this one repeats. */
export interface CreatedBatch extends Batch {
  /** They are not stored. Null: the answer to an earlier request had them. */
  readonly codes: readonly string[] | null;
}

/** A code as it is listed. */
export interface RedemptionCode {
  readonly id: string;
  readonly batchId: string;
  readonly lastFour: string;
  readonly amount: NanoUsd;
  readonly expiresAt: Date;
  /** The workspace that redeemed it, and the actor; null: not redeemed. */
  readonly workspaceId: string | null;
  readonly workspaceName: string | null;
  readonly topUpId: string | null;
  readonly redeemedBy: string | null;
  readonly redeemedAt: Date | null;
}

const SELECT_BATCHES = `select b.id, b.count, b.amount_nano_usd as amount, b.posting_kind = 'top_up' as sold,
    b.expires_at as "expiresAt", b.expires_at <= now() as "hasExpired", b.reason, b.actor, b.created_at as "createdAt",
    (select count(*)::integer from redemption_codes c where c.batch_id = b.id and c.redeemed_at is not null) as redeemed
  from redemption_batches b`;

/**
 * Makes a batch of codes, of which only hashes are kept. Codes are money, so `once` names a batch for good, as it does a
 * posting: a repetition makes none, and has no codes. Refused if the name stands for another order.
 */
export async function createBatch(sql: Sql, scope: OperatorScope, order: BatchOrder): Promise<CreatedBatch | Refusal> {
  const { count, amount, sold, expiresAt, reason, once } = order;
  assert(count > 0 && count <= BATCH_CODES_MAX, 'a batch has a bounded number of codes');
  const id = newId();
  const codes = Array.from({ length: count }, () => newCode());
  const actor = actorName(scope.act.actor);
  return await sql.transaction(async (tx) => {
    const [batch] = await tx.query<Pick<Batch, 'createdAt' | 'hasExpired'>>(
      `insert into redemption_batches (id, count, amount_nano_usd, posting_kind, expires_at, reason, actor, once)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (once) do nothing
       returning created_at as "createdAt", expires_at <= now() as "hasExpired"`,
      [id, count, amount, sold ? 'top_up' : 'grant', expiresAt, reason, actor, once],
    );
    if (batch === undefined) return await repeatedBatch(tx, order);
    await tx.query(
      `insert into redemption_codes (id, batch_id, code_sha256, last_four)
       select code_id, $1, code_sha256, last_four
       from unnest($2::uuid[], $3::bytea[], $4::text[]) as code (code_id, code_sha256, last_four)`,
      [id, codes.map(() => newId()), codes.map(hashOfCode), codes.map((code) => code.slice(-4))],
    );
    const after = { count, amount_nano_usd: amount.toString(), sold, expires_at: expiresAt.toISOString(), reason };
    await recordAudit(tx, scope, { action: 'codes.create', target: { kind: 'code_batch', id }, after });
    return {
      id,
      count,
      redeemed: 0,
      amount,
      sold,
      expiresAt,
      hasExpired: batch.hasExpired,
      reason,
      actor,
      createdAt: batch.createdAt,
      codes,
    };
  });
}

/** The batch that was made under the order's name, without its codes. Refused if it was ordered otherwise. */
async function repeatedBatch(tx: SqlRunner, order: BatchOrder): Promise<CreatedBatch | Refusal> {
  const [former] = await tx.query<Batch>(`${SELECT_BATCHES} where b.once = $1`, [order.once]);
  assert(former !== undefined, 'a batch whose name is taken exists');
  const isSame =
    former.count === order.count &&
    former.amount === order.amount &&
    former.sold === order.sold &&
    former.expiresAt.getTime() === order.expiresAt.getTime() &&
    former.reason === order.reason;
  if (isSame) return { ...former, codes: null };
  const message = `"${order.once}" belongs to another batch, of ${former.createdAt.toISOString()}.`;
  return refuse('IDEMPOTENCY_MISMATCH', message, { param: 'once' });
}

/** Expires the unredeemed codes of a batch now. Null: there is no such batch. */
export async function cancelBatch(sql: Sql, scope: OperatorScope, id: string): Promise<Batch | null> {
  return await sql.transaction(async (tx) => {
    const [batch] = await tx.query<Batch>(`${SELECT_BATCHES} where b.id = $1 for no key update of b`, [id]);
    if (batch === undefined) return null;
    const [ended] = await tx.query<Pick<Batch, 'expiresAt'>>(
      `update redemption_batches set expires_at = now() where id = $1 and expires_at > now()
       returning expires_at as "expiresAt"`,
      [id],
    );
    if (ended === undefined) return batch;
    await recordAudit(tx, scope, {
      action: 'codes.cancel',
      target: { kind: 'code_batch', id },
      before: { expires_at: batch.expiresAt.toISOString() },
      after: { expires_at: ended.expiresAt.toISOString() },
    });
    return { ...batch, ...ended, hasExpired: true };
  });
}

/** A page of the batches, newest first. */
export async function listBatches(sql: SqlRunner, _scope: OperatorScope, page: PageRequest = {}): Promise<Page<Batch>> {
  return await readPage(page, (after, count) =>
    sql.query<Batch>(`${SELECT_BATCHES} where $1::uuid is null or b.id < $1 order by b.id desc limit $2`, [
      after,
      count,
    ]),
  );
}

/** A page of codes, in the order in which they were made; of one batch, or with null of all. */
export async function listCodes(
  sql: SqlRunner,
  _scope: OperatorScope,
  batchId: string | null,
  page: PageRequest = {},
): Promise<Page<RedemptionCode>> {
  return await readPage(page, (after, count) =>
    sql.query<RedemptionCode>(
      `select c.id, c.batch_id as "batchId", c.last_four as "lastFour", b.amount_nano_usd as amount,
         b.expires_at as "expiresAt", c.workspace_id as "workspaceId", w.name as "workspaceName",
         c.top_up_id as "topUpId", c.redeemed_by as "redeemedBy", c.redeemed_at as "redeemedAt"
       from redemption_codes c join redemption_batches b on b.id = c.batch_id
         left join workspaces w on w.id = c.workspace_id
       where ($1::uuid is null or c.batch_id = $1) and ($2::uuid is null or c.id > $2)
       order by c.id limit $3`,
      [batchId, after, count],
    ),
  );
}
