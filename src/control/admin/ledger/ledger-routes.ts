import { readVersionPrice } from '../../catalogue/price-versions.ts';
import { checkedUsd, type NanoUsd } from '../../../domain/money.ts';
import { costOf, feesOf } from '../../../domain/price.ts';
import { priceIn } from '../../../domain/tier-price.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { correctReceipt } from '../../ledger/corrections.ts';
import { listPostings } from '../../ledger/posting-history.ts';
import { postCredit, type PostingRequest } from '../../ledger/postings.ts';
import { findLastReceipt, findWorkspaceReceipt, type StoredReceipt } from '../../ledger/receipts.ts';
import { sealReceipts } from '../../ledger/seals.ts';
import type { LedgerReport } from '../../ledger/verify.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { countUsage } from '../../usage/count-usage.ts';
import { allowLongResponse } from '../long-answers.ts';
import type * as contract from './ledger-contract.ts';
import type { AdminApp } from '../route-access.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import { pricedReceiptJson } from '../requests/priced-receipt.ts';
import { ledgerReportJson, postedJson, postingJson } from './ledger-representations.ts';
import { serve, repeatedIf } from '../serve.ts';

export interface LedgerDependencies {
  readonly sql: ControlSql;
  /** Verifies the whole ledger and stores the result. */
  readonly proveLedger: () => Promise<LedgerReport>;
  /** Spreads the work of lists, exports and backups. */
  readonly pacer: Pacer;
}

/** Adds the routes of postings, single receipts and proofs. */
export function addLedgerRoutes(app: AdminApp, { sql, pacer, proveLedger }: LedgerDependencies): void {
  serve(app, 'postCredit', async ({ scope, body }) => {
    const posted = await postCredit(sql, scope, requestedPosting(body));
    if (isRefusal(posted)) return posted;
    return repeatedIf(posted.repeated, postedJson(posted));
  });
  serve(app, 'listPostings', pagesOf(postingJson), ({ scope, query }) =>
    pacer.slice(() => listPostings(sql, scope, requestedPage(query))),
  );
  serve(app, 'verifyLedger', async ({ c }) => {
    allowLongResponse(c);
    return ledgerReportJson(await proveLedger());
  });
  serve(app, 'sealReceipts', async ({ body, c }) => {
    const { before, drop = false } = body;
    allowLongResponse(c);
    const sealed = await sealReceipts(sql, {
      before: new Date(before),
      drop,
      nowMs: Date.now(),
      countUsage: () => countUsage({ sql, pacer, nowMs: Date.now }),
    });
    return isRefusal(sealed) ? sealed : { sealed: [...sealed.sealed], dropped: [...sealed.dropped] };
  });
  addReceiptRoutes(app, sql);
}

function addReceiptRoutes(app: AdminApp, sql: ControlSql): void {
  serve(app, 'showLastReceipt', async () => {
    const found = await findLastReceipt(sql, Date.now());
    return found === null ? noReceiptYet() : await pricedReceiptJson(sql, found);
  });
  serve(app, 'showReceipt', async ({ scope, params }) => {
    const found = await findWorkspaceReceipt(sql, scope, params.request_id);
    return found === null ? noReceipt() : await pricedReceiptJson(sql, found);
  });
  serve(app, 'correctReceipt', async ({ scope, params, body }) => {
    const found = await findWorkspaceReceipt(sql, scope, params.request_id);
    if (found === null) return noReceipt();
    const { charge_usd: usd, price_version: version, reason, once = null } = body;
    const charge = usd === undefined ? await chargeAt(sql, found, version ?? 0) : checkedUsd(usd);
    if (isRefusal(charge)) return charge;
    const request = { requestId: found.requestId, charge, reason, once };
    const posted = await correctReceipt(sql, scope, request);
    if (isRefusal(posted)) return posted;
    const corrected = (await findWorkspaceReceipt(sql, scope, found.requestId)) ?? found;
    const posting = posted === null ? null : postedJson(posted);
    return { posting, receipt: await pricedReceiptJson(sql, corrected) };
  });
}

function noReceipt(): Refusal {
  const message = 'There is no receipt with this request id. Only requests that reached a provider have one.';
  return refuse('NOT_FOUND', message);
}

function noReceiptYet(): Refusal {
  return refuse('NOT_FOUND', 'There is no receipt yet: no request has reached a provider.');
}

/** The request's charge at this version of its model's price, at most its hold. */
async function chargeAt(
  sql: ControlSql,
  { model, workspaceId, usage, uses, serviceTier, hold }: StoredReceipt,
  version: number,
): Promise<NanoUsd | Refusal> {
  const at = await readVersionPrice(sql, { model, version, workspaceId });
  if (at === null) {
    const message = `The model ${model} has no price version ${version} that this workspace could have paid.`;
    return refuse('INVALID_REQUEST', message, { param: 'price_version' });
  }
  const price = priceIn(at.price, serviceTier);
  if (price === null) {
    const message = `The price version ${version} of ${model} has no price for the service tier ${serviceTier}; give an amount instead.`;
    return refuse('INVALID_REQUEST', message, { param: 'price_version' });
  }
  const cost = costOf(price, usage.tokens) + feesOf(price, uses);
  return cost < hold ? cost : hold;
}

/** The requested posting. Its kind decides whether the amount adds credit or takes it back. */
function requestedPosting(given: contract.PostingCreation): PostingRequest {
  const { kind, reason, once = null } = given;
  const amount = checkedUsd(given.amount_usd);
  const takes = kind === 'refund' || (kind === 'dispute' && given.won !== true);
  const expiresAt = given.kind === 'grant' && given.expires_at !== undefined ? new Date(given.expires_at) : null;
  return { kind, amount: takes ? -amount : amount, reason, once, expiresAt };
}
