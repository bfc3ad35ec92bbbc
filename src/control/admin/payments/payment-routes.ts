import { definedFields } from '../../../lib/defined-fields.ts';
import { isRefusal, refuse } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { isUuid } from '../../../lib/uuid7.ts';
import { redeemCode } from '../../payments/codes/redeem-code.ts';
import { readPaidCredit } from '../../payments/paid-credit.ts';
import {
  type AutoTopUpChange,
  changeAutoTopUp,
  type PaymentSettings,
  showPaymentSettings,
} from '../../payments/payment-settings.ts';
import type { Payments } from '../../payments/payments.ts';
import { findTopUp, listAllTopUps, listTopUps, type TopUpFilter } from '../../payments/top-ups.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import { paymentSettingsJson, topUpJson } from './payment-representations.ts';
import { checkedUsd } from '../../../domain/money.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

export interface PaymentDependencies {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly payments: Payments;
}

/** Adds the routes of top-ups, payment settings and redemptions. */
export function addPaymentRoutes(app: AdminApp, deps: PaymentDependencies): void {
  addTopUpRoutes(app, deps);
  addSettingsRoutes(app, deps);
}

function addTopUpRoutes(app: AdminApp, { sql, pacer, payments }: PaymentDependencies): void {
  serve(app, 'createTopUp', async ({ scope, body }) => {
    const { amount_usd: usd, save_method: savesMethod = false, once = null } = body;
    const topUp = await payments.startTopUp(scope, { amount: checkedUsd(usd), savesMethod, once });
    if (isRefusal(topUp)) return topUp;
    return repeatedIf(topUp.repeated, topUpJson(topUp));
  });
  serve(app, 'listTopUps', pagesOf(topUpJson), async ({ scope, query }) => {
    const { state, provider, ...page } = query;
    const filter = filterOf(state, provider);
    return await pacer.slice(() => listTopUps(sql, scope, filter, requestedPage(page)));
  });
  serve(app, 'showTopUp', async ({ scope, params }) => {
    const { top_up: id } = params;
    const topUp = isUuid(id) ? await findTopUp(sql, scope, id) : null;
    if (topUp === null) return refuse('NOT_FOUND', 'There is no such top-up.');
    return topUpJson(topUp);
  });
  serve(app, 'refundTopUp', topUpJson, async ({ scope, params, body }) => {
    const { top_up: id } = params;
    const { amount_usd: usd, once = null } = body;
    if (!isUuid(id)) return refuse('NOT_FOUND', 'There is no such top-up.');
    const amount = usd === undefined ? null : checkedUsd(usd);
    return await payments.refund(scope, id, { amount, once });
  });
  serve(app, 'redeemCode', async ({ scope, body }) => {
    const topUp = await redeemCode(sql, scope, body.code);
    if (isRefusal(topUp)) return topUp;
    return repeatedIf(topUp.repeated, topUpJson(topUp));
  });
  serve(app, 'listPayments', pagesOf(topUpJson), async ({ operator, query }) => {
    const { state, provider, ...page } = query;
    const filter = filterOf(state, provider);
    return await pacer.slice(() => listAllTopUps(sql, operator, filter, requestedPage(page)));
  });
}

function addSettingsRoutes(app: AdminApp, { sql, payments }: PaymentDependencies): void {
  const jsonOf = async (scope: WorkspaceScope, read: PaymentSettings) => {
    const { provider, terms } = payments;
    return paymentSettingsJson(read, { provider, terms, paid: await readPaidCredit(sql, scope) });
  };
  serve(app, 'showPaymentSettings', async ({ scope }) => await jsonOf(scope, await showPaymentSettings(sql, scope)));
  serve(app, 'updatePaymentSettings', async ({ scope, body, version }) => {
    const wanted: AutoTopUpChange = definedFields({
      enabled: body.enabled,
      consent: body.consent === undefined ? undefined : true,
      threshold: body.threshold_usd === undefined ? undefined : checkedUsd(body.threshold_usd),
      amount: body.amount_usd === undefined ? undefined : checkedUsd(body.amount_usd),
      monthMax: body.month_max_usd === undefined ? undefined : checkedUsd(body.month_max_usd),
    });
    const changed = await changeAutoTopUp(sql, scope, wanted, { terms: payments.terms, expected: version });
    return isRefusal(changed) ? changed : await jsonOf(scope, changed);
  });
}

function filterOf(state: TopUpFilter['state'], provider: string | undefined): TopUpFilter {
  return definedFields({ state, provider });
}
