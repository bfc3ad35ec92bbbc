import { versionConflict } from '../audit/versions.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { recordAudit, changedFields } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { actorName } from '../../domain/actor.ts';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { amountRefusal, feeOn, type TopUpTerms } from '../../domain/payment-amounts.ts';

/** Failures: automatic top-ups were turned off after three. The other: they wait until the recovery top-up is paid. */
export type AutoStop = 'failures' | 'authentication_required';

/** When a workspace is topped up automatically. Amounts in nano-USD. */
export interface AutoTopUp {
  readonly enabled: boolean;
  /** Below this balance. Null, like the others: never set. */
  readonly threshold: NanoUsd | null;
  readonly amount: NanoUsd | null;
  /** What all automatic top-ups of a month (UTC) may charge together, fees included. */
  readonly monthMax: NanoUsd | null;
  readonly consentBy: string | null;
  readonly consentAt: Date | null;
  readonly failures: number;
  readonly stop: AutoStop | null;
  readonly stoppedAt: Date | null;
  readonly recoveryTopUpId: string | null;
}

/** How a workspace pays. */
export interface PaymentSettings {
  /** Rises with each change; zero: nothing was ever set. */
  readonly version: number;
  readonly provider: string | null;
  /** The workspace as a customer of the provider, who keeps its means of payment. */
  readonly customer: string | null;
  readonly auto: AutoTopUp;
}

/** What is to be set; what is left out stays. */
export interface AutoTopUpChange {
  readonly enabled?: boolean;
  readonly threshold?: NanoUsd;
  readonly amount?: NanoUsd;
  readonly monthMax?: NanoUsd;
  /** The agreement to be charged without being asked again. Needed to turn them on. */
  readonly consent?: boolean;
}

interface SettingsRow extends AutoTopUp {
  readonly version: number;
  readonly provider: string | null;
  readonly customer: string | null;
}

const NOTHING_SET: PaymentSettings = {
  version: 0,
  provider: null,
  customer: null,
  auto: {
    enabled: false,
    threshold: null,
    amount: null,
    monthMax: null,
    consentBy: null,
    consentAt: null,
    failures: 0,
    stop: null,
    stoppedAt: null,
    recoveryTopUpId: null,
  },
};

/** The workspace's settings, as they are before anything was set too. */
export async function showPaymentSettings(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<PaymentSettings> {
  const [row] = await sql.query<SettingsRow>(
    `select version, provider, customer_reference as customer, auto_enabled as enabled,
       auto_threshold_nano_usd as threshold, auto_amount_nano_usd as amount, auto_month_max_nano_usd as "monthMax",
       auto_consent_by as "consentBy", auto_consent_at as "consentAt", auto_failures as failures, auto_stop as stop,
       auto_stopped_at as "stoppedAt", recovery_top_up_id as "recoveryTopUpId"
     from payment_settings where workspace_id = $1`,
    [workspaceId],
  );
  if (row === undefined) return NOTHING_SET;
  const { version, provider, customer, ...auto } = row;
  return { version, provider, customer, auto };
}

/**
 * Changes the automatic top-ups. Turning them on needs consent, a kept means of payment and all three amounts, and ends any
 * stop. `expected`: the version that the change is based on; null: whichever it is.
 */
export async function changeAutoTopUp(
  sql: Sql,
  scope: WorkspaceScope,
  change: AutoTopUpChange,
  { terms, expected }: { readonly terms: TopUpTerms; readonly expected: number | null },
): Promise<PaymentSettings | Refusal> {
  const { workspaceId } = scope;
  return await makeChange(sql, async (tx) => {
    await tx.query(
      `insert into payment_settings (workspace_id, version) values ($1, 0) on conflict (workspace_id) do nothing`,
      [workspaceId],
    );
    await tx.query('select from payment_settings where workspace_id = $1 for no key update', [workspaceId]);
    const former = await showPaymentSettings(tx, scope);
    const conflict = versionConflict(former.version, expected);
    if (conflict !== null) return conflict;
    const auto = { ...former.auto, ...definedOf(change) };
    const refusal = autoRefusal(former, auto, change.consent === true, terms);
    if (refusal !== null) return refusal;
    const isTurnedOn = change.enabled === true;
    await tx.query(
      `update payment_settings set version = version + 1, auto_enabled = $2, auto_threshold_nano_usd = $3,
         auto_amount_nano_usd = $4, auto_month_max_nano_usd = $5,
         auto_consent_by = case when $6 then $7 else auto_consent_by end,
         auto_consent_at = case when $6 then now() else auto_consent_at end,
         auto_failures = case when $8 then 0 else auto_failures end,
         auto_failed_at = case when $8 then null else auto_failed_at end,
         auto_stop = case when $8 then null else auto_stop end,
         auto_stopped_at = case when $8 then null else auto_stopped_at end,
         recovery_top_up_id = case when $8 then null else recovery_top_up_id end,
         auto_month_noticed_at = case
           when $8 or auto_month_max_nano_usd is distinct from $5 then null else auto_month_noticed_at
         end
       where workspace_id = $1`,
      [
        workspaceId,
        auto.enabled,
        auto.threshold,
        auto.amount,
        auto.monthMax,
        change.consent === true,
        actorName(scope.act.actor),
        isTurnedOn,
      ],
    );
    const target = { kind: 'payment_settings', id: workspaceId };
    const changed = changedFields(auditedOf(former.auto), auditedOf(auto));
    await recordAudit(tx, scope, { action: 'auto_top_up.update', target, ...changed });
    return await showPaymentSettings(tx, scope);
  });
}

/** Why these settings can't be; null if they can. */
function autoRefusal(
  { customer }: PaymentSettings,
  auto: Pick<AutoTopUp, 'enabled' | 'threshold' | 'amount' | 'monthMax' | 'consentAt'>,
  consents: boolean,
  terms: TopUpTerms,
): Refusal | null {
  const { enabled, threshold, amount, monthMax } = auto;
  const refused = amount === null ? null : amountRefusal(amount, terms, 'amount_usd');
  if (refused !== null) return refused;
  if (!enabled) return null;
  if (terms.hasTax === true) {
    const message =
      'Automatic top-ups are not possible here: payments have tax, which is computed on the page of a payment, and a kept card is charged without one.';
    return refuse('CONFLICT', message, { param: 'enabled' });
  }
  if (customer === null) {
    const message = 'No means of payment is kept: make a top-up with save_method first.';
    return refuse('CONFLICT', message, { param: 'enabled' });
  }
  if (threshold === null || amount === null || monthMax === null) {
    const message = 'Automatic top-ups need threshold_usd, amount_usd and month_max_usd.';
    return refuse('INVALID_REQUEST', message, { param: 'enabled' });
  }
  if (!consents && auto.consentAt === null) {
    const message = 'Automatic top-ups need your consent to be charged without being asked: send "consent": true.';
    return refuse('INVALID_REQUEST', message, { param: 'consent' });
  }
  const charge = amount + feeOn(amount, terms.fee);
  if (monthMax >= charge) return null;
  const message = `month_max_usd is below one top-up and its fee, ${formatUsd(charge)} USD.`;
  return refuse('INVALID_REQUEST', message, { param: 'month_max_usd' });
}

function definedOf({ enabled, threshold, amount, monthMax }: AutoTopUpChange): Partial<AutoTopUp> {
  return definedFields({
    enabled,
    threshold,
    amount,
    monthMax,
  });
}

type Audited = Pick<AutoTopUp, 'enabled' | 'threshold' | 'amount' | 'monthMax'>;

function auditedOf({ enabled, threshold, amount, monthMax }: Audited) {
  return {
    enabled,
    threshold_nano_usd: threshold?.toString() ?? null,
    amount_nano_usd: amount?.toString() ?? null,
    month_max_nano_usd: monthMax?.toString() ?? null,
  };
}
