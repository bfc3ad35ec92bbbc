import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { feeOn } from '../../domain/payment-amounts.ts';
import { type PaymentProvider, ProviderUnavailable } from './payment-provider.ts';
import type { AutoStop } from './payment-settings.ts';
import type { Payments } from './payments.ts';
import { createTopUp } from './top-ups.ts';
import { newId } from '../../lib/uuid7.ts';

// Automatic top-ups, which a job makes and no request waits for. Each step leaves its state in the database, so a process that
// dies between two of them leaves the rest to the next run: a top-up's row comes first, its charge has an idempotency key, and
// a notice is marked as given in the transaction that gives it.

/** The most workspaces, top-ups or notices of one run. */
const BATCH = 100;
/** SQL for a workspace that lives in this cell and is not moving just now: nothing of any other one can be changed here. */
const CHANGES_HERE = 'w.moved_to is null and w.paused_at is null';

/** A stop of a workspace's automatic top-ups, for its owners. */
export interface AutoTopUpNotice {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** `month_max`: the next one would exceed the month's maximum. */
  readonly stop: AutoStop | 'month_max';
  /** Why the last one failed, in the provider's words. */
  readonly failure: string | null;
  /** The page on which the payer completes what needs authentication, after which they go on; null: none. */
  readonly recoveryUrl: string | null;
  readonly since: Date;
  /** When it ends by itself; null: it does not. */
  readonly until: Date | null;
}

export interface AutoTopUpParts {
  readonly sql: Sql;
  readonly provider: PaymentProvider;
  readonly payments: Payments;
  /** Called for each stop, in the transaction that marks it. False: it can't be given yet, and is tried again. */
  readonly onNotice: (tx: SqlRunner, notice: AutoTopUpNotice) => Promise<boolean>;
  /** Called with failures that the next run may not meet. */
  readonly onFault: (fault: unknown) => void;
}

/** Makes the top-ups that are due, charges those that are pending, and reports stops. */
export async function runAutoTopUps(parts: AutoTopUpParts): Promise<void> {
  await beginDue(parts);
  await chargePending(parts);
  await openRecoveries(parts);
  await giveNotices(parts);
}

interface DueRow {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly amount: NanoUsd;
  readonly monthMax: NanoUsd;
  readonly monthStart: Date;
  readonly monthEnd: Date;
  /** What automatic top-ups of the month have charged, and charge now, fees included. */
  readonly monthCharged: NanoUsd;
  /** One is being charged, so that the balance may rise by itself. */
  readonly isUnderWay: boolean;
}

/** A kept card is charged without a page, on which tax could be computed. */
function chargesCards({ terms }: Payments): boolean {
  return terms.hasTax !== true;
}

async function beginDue(parts: AutoTopUpParts): Promise<void> {
  const { sql, provider, payments } = parts;
  if (!chargesCards(payments)) return;
  const due = await sql.query<DueRow>(
    `with month as (
       select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as starts,
         (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as ends
     )
     select s.workspace_id as "workspaceId", w.name as "workspaceName", s.auto_amount_nano_usd as amount,
       s.auto_month_max_nano_usd as "monthMax", month.starts as "monthStart", month.ends as "monthEnd",
       made.charged as "monthCharged", made.under_way as "isUnderWay"
     from month cross join payment_settings s join purses p on p.workspace_id = s.workspace_id and p.kind = 'credit'
       join workspaces w on w.id = s.workspace_id and w.closing_at is null and w.archived_at is null and ${CHANGES_HERE}
       cross join lateral (
         select coalesce(sum(amount_nano_usd + fee_nano_usd) filter (where created_at >= month.starts), 0)::bigint as charged,
           coalesce(bool_or(state <> 'paid'), false) as under_way
         from top_ups where workspace_id = s.workspace_id and origin = 'auto' and state in ('pending', 'processing', 'paid')
       ) made
     where s.auto_enabled and s.auto_stop is null and s.provider = $1
       and (s.auto_failed_at is null or s.auto_failed_at <= now() - interval '1 hour')
       and p.limit_nano_usd - p.spent_nano_usd - p.owed_nano_usd
         - (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = p.id) < s.auto_threshold_nano_usd
     order by random() limit ${BATCH}`,
    [provider.name],
  );
  for (const row of due) {
    const { workspaceId, amount, monthMax, monthCharged, isUnderWay } = row;
    const fee = feeOn(amount, payments.terms.fee);
    if (monthCharged + amount + fee > monthMax) {
      if (!isUnderWay) await giveMonthNotice(parts, row);
      continue;
    }
    await sql.query('select begin_auto_top_up($1, $2, $3, $4)', [workspaceId, newId(), amount, fee]);
  }
}

/** Reports that the month has no room for another one: once a month, unless the settings change. */
async function giveMonthNotice(parts: AutoTopUpParts, row: DueRow): Promise<void> {
  const { workspaceId, workspaceName, monthStart: since, monthEnd: until } = row;
  const notice = {
    workspaceId,
    workspaceName,
    stop: 'month_max',
    failure: null,
    recoveryUrl: null,
    since,
    until,
  } as const;
  await giveNotice(parts, notice, {
    mark: 'auto_month_noticed_at',
    isDue: 'auto_enabled and coalesce(auto_month_noticed_at < $2, true)',
    since,
  });
}

interface PendingRow {
  readonly topUpId: string;
  readonly workspaceId: string;
  readonly amount: NanoUsd;
  readonly fee: NanoUsd;
  readonly createdAt: Date;
  readonly customer: string;
  /** Automatic top-ups are still turned on, and the workspace is open. */
  readonly mayCharge: boolean;
}

async function chargePending({ sql, provider, payments, onFault }: AutoTopUpParts): Promise<void> {
  const pending = await sql.query<PendingRow>(
    `select t.id as "topUpId", t.workspace_id as "workspaceId", t.amount_nano_usd as amount, t.fee_nano_usd as fee,
       t.created_at as "createdAt", s.customer_reference as customer,
       s.auto_enabled and s.auto_stop is null and w.closing_at is null and w.archived_at is null as "mayCharge"
     from top_ups t join payment_settings s on s.workspace_id = t.workspace_id join workspaces w on w.id = t.workspace_id
     where t.state = 'pending' and t.origin = 'auto' and ${CHANGES_HERE} and t.provider = $1 and s.customer_reference is not null
     order by t.id limit ${BATCH}`,
    [provider.name],
  );
  for (const { mayCharge, ...request } of pending) {
    try {
      await payments.apply(await provider.chargeKept(request, mayCharge && chargesCards(payments)));
    } catch (fault) {
      if (!(fault instanceof ProviderUnavailable)) throw fault;
      onFault(fault);
    }
  }
}

/** Makes the top-up by which a payer completes what needs authentication. */
async function openRecoveries({ sql, provider, payments, onFault }: AutoTopUpParts): Promise<void> {
  const paused = await sql.query<{ workspaceId: string; amount: NanoUsd; fee: NanoUsd; failedId: string }>(
    `select s.workspace_id as "workspaceId", t.amount_nano_usd as amount, t.fee_nano_usd as fee, t.id as "failedId"
     from payment_settings s join workspaces w on w.id = s.workspace_id and ${CHANGES_HERE} cross join lateral (
       select * from top_ups where workspace_id = s.workspace_id and origin = 'auto' and state = 'failed'
       order by id desc limit 1
     ) t
     where s.auto_stop = 'authentication_required' and s.recovery_top_up_id is null and s.provider = $1 limit ${BATCH}`,
    [provider.name],
  );
  for (const { workspaceId, amount, fee, failedId } of paused) {
    const scope = scopeOf(workspaceId);
    const order = { origin: 'checkout', provider: provider.name, amount, fee, savesMethod: true } as const;
    const made = await createTopUp(sql, scope, { ...order, once: `recovery of ${failedId}` });
    assert(!isRefusal(made), 'a recovery top-up repeats itself only');
    const opened = made.checkoutReference === null ? await payments.openCheckout(scope, made) : made;
    if (isRefusal(opened)) {
      onFault(new Error(`the recovery page of an automatic top-up could not be opened: ${opened.message}`));
      continue;
    }
    await sql.query(
      `update payment_settings set recovery_top_up_id = $2
       where workspace_id = $1 and auto_stop = 'authentication_required' and recovery_top_up_id is null`,
      [workspaceId, opened.id],
    );
  }
}

/** A notice, with the time of its stop to the microsecond. */
type StopRow = AutoTopUpNotice & { readonly stoppedAt: string };

async function giveNotices(parts: AutoTopUpParts): Promise<void> {
  const stops = await parts.sql.query<StopRow>(
    `select s.workspace_id as "workspaceId", w.name as "workspaceName", s.auto_stop as stop,
       recovery.checkout_url as "recoveryUrl", s.auto_stopped_at as since, null as until,
       s.auto_stopped_at::text as "stoppedAt", (
         select failure from top_ups where workspace_id = s.workspace_id and origin = 'auto' and state = 'failed'
         order by id desc limit 1
       ) as failure
     from payment_settings s
       join workspaces w on w.id = s.workspace_id and w.closing_at is null and w.archived_at is null and ${CHANGES_HERE}
       left join top_ups recovery on recovery.workspace_id = s.workspace_id and recovery.id = s.recovery_top_up_id
     where s.auto_stop is not null and s.auto_noticed_at is null
       and (s.auto_stop = 'failures' or s.recovery_top_up_id is not null) limit ${BATCH}`,
  );
  for (const { stoppedAt, ...notice } of stops) {
    await giveNotice(parts, notice, {
      mark: 'auto_noticed_at',
      isDue: 'auto_stopped_at = $2::timestamptz and auto_noticed_at is null',
      since: stoppedAt,
    });
  }
}

/** Gives a notice and marks it in the settings, in one transaction; unless it is not due there any more. */
async function giveNotice(
  { sql, onNotice }: AutoTopUpParts,
  notice: AutoTopUpNotice,
  { mark, isDue, since }: { readonly mark: string; readonly isDue: string; readonly since: string | Date },
): Promise<void> {
  const { workspaceId } = notice;
  await sql.transaction(async (tx) => {
    const [due] = await tx.query(
      `select 1 from payment_settings where workspace_id = $1 and ${isDue} for no key update`,
      [workspaceId, since],
    );
    if (due === undefined || !(await onNotice(tx, notice))) return;
    await tx.query(`update payment_settings set ${mark} = now() where workspace_id = $1`, [workspaceId]);
  });
}

function scopeOf(workspaceId: string): WorkspaceScope {
  const act = { actor: { kind: 'job', name: 'auto top-up' }, address: null, requestId: null } as const;
  const scope = authorise(act, 'payments:write', workspaceId);
  assert(!isRefusal(scope), 'a job has every permission');
  return scope;
}
