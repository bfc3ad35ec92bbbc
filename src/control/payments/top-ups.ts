import { recordAudit } from '../audit/audit.ts';
import { actorName } from '../../domain/actor.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { TopUpState } from '../../domain/top-up-states.ts';
import { assert } from '../../lib/assert.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import type { TopUpOrigin } from './payment-facts.ts';
import { newId } from '../../lib/uuid7.ts';

/** A purchase of credit. Amounts in nano-USD. */
export interface TopUp {
  readonly id: string;
  readonly workspaceId: string;
  readonly provider: string;
  readonly origin: TopUpOrigin;
  readonly state: TopUpState;
  /** The credit. */
  readonly amount: NanoUsd;
  /** Paid on top of it. */
  readonly fee: NanoUsd;
  /** Paid on top of both, once it is paid; it never becomes credit. */
  readonly tax: NanoUsd;
  /** Whether the payer agreed that the means of payment is kept. */
  readonly savesMethod: boolean;
  /** What refunds take back or have taken, fee and tax included; and what disputes do. */
  readonly refunded: NanoUsd;
  readonly disputed: NanoUsd;
  readonly actor: string;
  readonly once: string | null;
  /** The provider's page on which it is paid. */
  readonly checkoutReference: string | null;
  readonly checkoutUrl: string | null;
  readonly expiresAt: Date | null;
  /** The provider's id of the payment. */
  readonly payment: string | null;
  readonly postingId: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A top-up to be made. */
export interface TopUpOrder {
  readonly provider: string;
  readonly origin: TopUpOrigin;
  readonly amount: NanoUsd;
  readonly fee: NanoUsd;
  readonly savesMethod: boolean;
  readonly once: string | null;
}

/** Which top-ups a list shows; each field that is left out lets all through. */
export interface TopUpFilter {
  readonly state?: TopUpState;
  readonly provider?: string;
}

/** The most checkout pages of a workspace that wait to be paid. */
const UNPAID_MAX = 50;

const SELECT_TOP_UPS = `
  select t.id, t.workspace_id as "workspaceId", t.provider, t.origin, t.state, t.amount_nano_usd as amount,
    t.fee_nano_usd as fee, t.tax_nano_usd as tax, t.saves_method as "savesMethod", reversed.refunded, reversed.disputed, t.actor, t.once,
    t.checkout_reference as "checkoutReference", t.checkout_url as "checkoutUrl", t.expires_at as "expiresAt",
    t.payment_reference as payment, t.posting_id as "postingId", t.failure, t.created_at as "createdAt",
    t.updated_at as "updatedAt"
  from top_ups t cross join lateral (
    select coalesce(sum(r.amount_nano_usd) filter (where r.kind = 'refund'), 0)::bigint as refunded,
      coalesce(sum(r.amount_nano_usd) filter (where r.kind = 'dispute'), 0)::bigint as disputed
    from payment_reversals r where r.workspace_id = t.workspace_id and r.top_up_id = t.id and r.counted
  ) reversed`;

/**
 * Makes the row of a top-up, before its provider is asked for anything. A repeat with the same `once` returns the row that is
 * there; with other terms it is refused. So are top-ups of a workspace that is being closed, and more while too many wait to
 * be paid.
 */
export async function createTopUp(
  sql: Sql,
  scope: WorkspaceScope,
  order: TopUpOrder,
): Promise<(TopUp & { readonly repeated: boolean }) | Refusal> {
  const { workspaceId, act } = scope;
  const { provider, origin, amount, fee, savesMethod, once } = order;
  return await sql.transaction(async (tx) => {
    const open = await tx.query('select from workspaces where id = $1 and closing_at is null for share', [workspaceId]);
    if (open.length === 0) return refuse('CONFLICT', 'The workspace has been closed, and takes no more credit.');
    const unpaid = await tx.query(
      `select from top_ups where workspace_id = $1 and state = 'pending' and once is distinct from $2 limit ${UNPAID_MAX}`,
      [workspaceId, once],
    );
    if (unpaid.length === UNPAID_MAX) {
      return refuse('CONFLICT', `${UNPAID_MAX} top-ups wait to be paid: pay one, or wait until some have expired.`);
    }
    const [made] = await tx.query<{ id: string }>(
      `insert into top_ups (workspace_id, id, provider, origin, amount_nano_usd, fee_nano_usd, saves_method, actor, once)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (workspace_id, once) where once is not null do nothing returning id`,
      [workspaceId, newId(), provider, origin, amount, fee, savesMethod, actorName(act.actor), once],
    );
    const [found] = await tx.query<TopUp>(
      `${SELECT_TOP_UPS} where t.workspace_id = $1 and (t.id = $2 or ($2::uuid is null and t.once = $3))`,
      [workspaceId, made?.id ?? null, once],
    );
    assert(found !== undefined, 'a top-up is made or there');
    if (made !== undefined) {
      const target = { kind: 'top_up', id: found.id };
      const after = { provider, amount_nano_usd: amount.toString(), fee_nano_usd: fee.toString() };
      await recordAudit(tx, scope, { action: 'top_up.create', target, after });
      return { ...found, repeated: false };
    }
    const isSame = found.amount === amount && found.provider === provider && found.savesMethod === savesMethod;
    if (isSame) return { ...found, repeated: true };
    const message = `Another top-up was made under "${once}", with another amount or other terms.`;
    return refuse('IDEMPOTENCY_MISMATCH', message, { param: 'once' });
  });
}

/** Keeps the provider's page on which a top-up is paid. */
export async function keepCheckout(
  sql: SqlRunner,
  workspaceId: string,
  id: string,
  { reference, url, expiresAt }: { readonly reference: string; readonly url: string | null; readonly expiresAt: Date },
): Promise<void> {
  await sql.query(
    `update top_ups set checkout_reference = $3, checkout_url = $4, expires_at = $5
     where workspace_id = $1 and id = $2 and checkout_reference is distinct from $3`,
    [workspaceId, id, reference, url, expiresAt],
  );
}

/** One top-up; null if the workspace has none with this id. */
export async function findTopUp(sql: SqlRunner, { workspaceId }: WorkspaceScope, id: string): Promise<TopUp | null> {
  const [row] = await sql.query<TopUp>(`${SELECT_TOP_UPS} where t.workspace_id = $1 and t.id = $2`, [workspaceId, id]);
  return row ?? null;
}

/** A page of the workspace's top-ups, newest first. */
export async function listTopUps(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  { state, provider }: TopUpFilter,
  page: PageRequest = {},
): Promise<Page<TopUp>> {
  return await readPage(page, (after, count) =>
    sql.query<TopUp>(
      `${SELECT_TOP_UPS} where t.workspace_id = $1 and ($2::text is null or t.state = $2)
         and ($3::text is null or t.provider = $3) and ($4::uuid is null or t.id < $4)
       order by t.id desc limit $5`,
      [workspaceId, state ?? null, provider ?? null, after, count],
    ),
  );
}

/** A page of the top-ups of all workspaces, newest first. */
export async function listAllTopUps(
  sql: SqlRunner,
  _scope: OperatorScope,
  { state, provider }: TopUpFilter,
  page: PageRequest = {},
): Promise<Page<TopUp>> {
  return await readPage(page, (after, count) =>
    sql.query<TopUp>(
      `${SELECT_TOP_UPS} where ($1::text is null or t.state = $1) and ($2::text is null or t.provider = $2)
         and ($3::uuid is null or t.id < $3)
       order by t.id desc limit $4`,
      [state ?? null, provider ?? null, after, count],
    ),
  );
}
