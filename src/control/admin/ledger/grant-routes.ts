import { checkedUsd } from '../../../domain/money.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { makeChange } from '../../audit/change.ts';
import { EXPIRING_GRANT_ORDERS, type ExpiringGrant, listExpiringGrants } from '../../ledger/expiring-grants.ts';
import {
  createRecurringGrant,
  endRecurringGrant,
  listRecurringGrants,
  type RecurringGrant,
  type RecurringGrantRequest,
} from '../../ledger/recurring-grants.ts';
import { pagesOf, requestedPage, requestedSortedPage } from '../pages.ts';
import { recordJson } from '../record-json.ts';
import type { AdminApp } from '../route-access.ts';
import { repeatedIf, serve } from '../serve.ts';
import * as contract from './grant-contract.ts';

/** Adds the routes of credit that expires or recurs. */
export function addGrantRoutes(
  app: AdminApp,
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  serve(app, 'listExpiringGrants', pagesOf(expiringGrantJson), async ({ scope, query }) => {
    const page = requestedSortedPage(query, EXPIRING_GRANT_ORDERS);
    return isRefusal(page) ? page : await pacer.slice(() => listExpiringGrants(sql, scope, page));
  });
  serve(app, 'listRecurringGrants', pagesOf(recurringGrantJson), ({ scope, query }) =>
    pacer.slice(() => listRecurringGrants(sql, scope, requestedPage(query))),
  );
  serve(app, 'createRecurringGrant', async ({ scope, body }) => {
    const made = await makeChange(sql, (tx) => createRecurringGrant(tx, scope, requestedGrant(body)));
    return isRefusal(made) ? made : repeatedIf(made.repeated, recurringGrantJson(made));
  });
  serve(app, 'endRecurringGrant', recurringGrantJson, ({ scope, params }) =>
    makeChange(sql, (tx) => endRecurringGrant(tx, scope, params.grant)),
  );
}

function requestedGrant({
  amount_usd: usd,
  period,
  expires = 'with_period',
  expires_after_days: days,
  starts = 'now',
  reason,
  once,
}: contract.RecurringGrantCreation): RecurringGrantRequest {
  return {
    amount: checkedUsd(usd),
    period,
    expires: days === undefined ? expires : 'after_days',
    expiresAfterDays: days ?? null,
    starts,
    reason,
    once: once ?? null,
  };
}

function expiringGrantJson(grant: ExpiringGrant): contract.ExpiringGrantJson {
  return recordJson(contract.expiringGrant, grant);
}

function recurringGrantJson(grant: RecurringGrant): contract.RecurringGrantJson {
  return recordJson(contract.recurringGrant, grant);
}
