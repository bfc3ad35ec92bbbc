import { definedFields } from '../../../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
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
import { answerRefusal, createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './payment-contract.ts';
import { requestedPage, pageJson, pageOf } from '../pages.ts';
import { paymentSettingsJson, topUpJson } from './payment-representations.ts';
import { checkedUsd } from '../../../domain/money.ts';
import { type AdminApp, expectedVersion, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

const tags = ['Payments'];
const workspaceParams = z.object(inWorkspace);
const topUpParams = z.object({ ...inWorkspace, top_up: z.string().openapi({ description: 'Its id.' }) });

const create = workspaceRoute('payments:write', {
  operationId: 'createTopUp',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/top-ups',
  tags,
  summary: 'Buy credit: make a top-up and the page on which it is paid',
  needsRecentSignIn: true,
  request: { params: workspaceParams, body: json(contract.topUpCreation, { amount_usd: '25.00' }) },
  responses: createdOrRepeated(contract.topUp, 'The top-up. It gives credit once its payment has arrived.'),
});

const list = workspaceRoute('credit:read', {
  operationId: 'listTopUps',
  method: 'get',
  path: '/top-ups',
  tags,
  summary: 'List the top-ups of a workspace',
  request: { params: workspaceParams, query: contract.topUpQuery },
  responses: ok(pageOf(contract.topUp), 'Top-ups, newest first.'),
});

const show = workspaceRoute('credit:read', {
  operationId: 'showTopUp',
  method: 'get',
  path: '/top-ups/{top_up}',
  tags,
  summary: 'Show a top-up',
  request: { params: topUpParams },
  responses: ok(contract.topUp, 'The top-up.'),
});

const refund = workspaceRoute('postings:write', {
  operationId: 'refundTopUp',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/top-ups/{top_up}/refunds',
  tags,
  summary: 'Send money back to the payer, and take its credit back',
  request: { params: topUpParams, body: json(contract.refundCreation, { amount_usd: '5.00' }) },
  responses: ok(contract.topUp, 'The top-up. What is refunded and spent already is owed.'),
});

const redeem = workspaceRoute('payments:write', {
  operationId: 'redeemCode',
  refuses: ['CONFLICT', 'NOT_FOUND'],
  method: 'post',
  path: '/redemptions',
  tags,
  summary: 'Redeem a code for credit',
  request: { params: workspaceParams, body: json(contract.redemption, { code: 'fgc_example' }) },
  responses: createdOrRepeated(contract.topUp, 'The paid top-up.'),
});

const settings = workspaceRoute('credit:read', {
  operationId: 'showPaymentSettings',
  method: 'get',
  path: '/payment-settings',
  tags,
  summary: 'Show how a workspace pays, and what top-ups cost',
  request: { params: workspaceParams },
  responses: ok(contract.paymentSettings, 'The settings.'),
});

const change = workspaceRoute('payments:write', {
  operationId: 'updatePaymentSettings',
  refuses: ['CONFLICT'],
  method: 'patch',
  path: '/payment-settings',
  tags,
  summary: 'Change the automatic top-ups of a workspace',
  needsRecentSignIn: true,
  isVersioned: true,
  request: {
    params: workspaceParams,
    body: json(contract.paymentSettingsUpdate, {
      enabled: true,
      threshold_usd: '10.00',
      amount_usd: '25.00',
      month_max_usd: '100.00',
      consent: true,
    }),
  },
  responses: ok(contract.paymentSettings, 'The settings.'),
});

const listAll = operatorRoute({
  operationId: 'listPayments',
  method: 'get',
  path: '/payments',
  tags,
  summary: 'List the top-ups of all workspaces',
  request: { query: contract.topUpQuery },
  responses: ok(pageOf(contract.topUp), 'Top-ups, newest first.'),
});

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
  app.openapi(create, async (c) => {
    const { amount_usd: usd, save_method: savesMethod = false, once = null } = c.req.valid('json');
    const topUp = await payments.startTopUp(c.var.scope, { amount: checkedUsd(usd), savesMethod, once });
    if (isRefusal(topUp)) return answerRefusal(c, topUp);
    return c.json(topUpJson(topUp), topUp.repeated ? 200 : 201);
  });
  app.openapi(list, async (c) => {
    const { state, provider, ...page } = c.req.valid('query');
    const filter = filterOf(state, provider);
    const read = await pacer.slice(() => listTopUps(sql, c.var.scope, filter, requestedPage(page)));
    return c.json(pageJson(read, topUpJson), 200);
  });
  app.openapi(show, async (c) => {
    const { top_up: id } = c.req.valid('param');
    const topUp = isUuid(id) ? await findTopUp(sql, c.var.scope, id) : null;
    if (topUp === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such top-up.'));
    return c.json(topUpJson(topUp), 200);
  });
  app.openapi(refund, async (c) => {
    const { top_up: id } = c.req.valid('param');
    const { amount_usd: usd, once = null } = c.req.valid('json');
    if (!isUuid(id)) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such top-up.'));
    const amount = usd === undefined ? null : checkedUsd(usd);
    const topUp = await payments.refund(c.var.scope, id, { amount, once });
    return isRefusal(topUp) ? answerRefusal(c, topUp) : c.json(topUpJson(topUp), 200);
  });
  app.openapi(redeem, async (c) => {
    const topUp = await redeemCode(sql, c.var.scope, c.req.valid('json').code);
    if (isRefusal(topUp)) return answerRefusal(c, topUp);
    return c.json(topUpJson(topUp), topUp.repeated ? 200 : 201);
  });
  app.openapi(listAll, async (c) => {
    const { state, provider, ...page } = c.req.valid('query');
    const filter = filterOf(state, provider);
    const read = await pacer.slice(() => listAllTopUps(sql, c.var.operator, filter, requestedPage(page)));
    return c.json(pageJson(read, topUpJson), 200);
  });
}

function addSettingsRoutes(app: AdminApp, { sql, payments }: PaymentDependencies): void {
  const jsonOf = async (scope: WorkspaceScope, read: PaymentSettings) => {
    const { provider, terms } = payments;
    return paymentSettingsJson(read, { provider, terms, paid: await readPaidCredit(sql, scope) });
  };
  app.openapi(settings, async (c) =>
    c.json(await jsonOf(c.var.scope, await showPaymentSettings(sql, c.var.scope)), 200),
  );
  app.openapi(change, async (c) => {
    const expected = expectedVersion(c);
    if (isRefusal(expected)) return answerRefusal(c, expected);
    const given = c.req.valid('json');
    const wanted: AutoTopUpChange = definedFields({
      enabled: given.enabled,
      consent: given.consent === undefined ? undefined : true,
      threshold: given.threshold_usd === undefined ? undefined : checkedUsd(given.threshold_usd),
      amount: given.amount_usd === undefined ? undefined : checkedUsd(given.amount_usd),
      monthMax: given.month_max_usd === undefined ? undefined : checkedUsd(given.month_max_usd),
    });
    const changed = await changeAutoTopUp(sql, c.var.scope, wanted, { terms: payments.terms, expected });
    return isRefusal(changed) ? answerRefusal(c, changed) : c.json(await jsonOf(c.var.scope, changed), 200);
  });
}

function filterOf(state: TopUpFilter['state'], provider: string | undefined): TopUpFilter {
  return definedFields({ state, provider });
}
