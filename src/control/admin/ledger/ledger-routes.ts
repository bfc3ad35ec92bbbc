import { z } from '@hono/zod-openapi';
import { readVersionPrice } from '../../catalogue/price-versions.ts';
import { checkedUsd, type NanoUsd } from '../../../domain/money.ts';
import { costOf, feesOf } from '../../../domain/price.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { correctReceipt } from '../../ledger/corrections.ts';
import { listPostings } from '../../ledger/posting-history.ts';
import { postCredit, type PostingRequest } from '../../ledger/postings.ts';
import { findLastReceipt, findWorkspaceReceipt, type StoredReceipt } from '../../ledger/receipts.ts';
import { sealReceipts } from '../../ledger/seals.ts';
import type { LedgerReport } from '../../ledger/verify.ts';
import type { Bulkhead } from '../../../lib/bulkhead.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { countUsage } from '../../usage/count-usage.ts';
import { answerRefusal, created, createdOrRepeated, json, ok } from '../answers.ts';
import { allowLongResponse } from '../long-answers.ts';
import { addExportRoutes } from './export-routes.ts';
import * as contract from './ledger-contract.ts';
import { addReceiptListRoutes } from '../requests/receipt-list-routes.ts';
import { type AdminApp, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from '../pages.ts';
import { pricedReceiptJson } from '../requests/priced-receipt.ts';
import { ledgerReportJson, postedJson, postingJson } from './ledger-representations.ts';

const tags = ['Ledger'];
const workspaceParams = z.object(inWorkspace);
const receiptParams = z.object({
  ...inWorkspace,
  request_id: z.string().openapi({ description: 'Its `x-request-id`.' }),
});

const post = workspaceRoute('postings:write', {
  operationId: 'postCredit',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/postings',
  tags,
  summary: 'Post a top-up, grant, refund, dispute or adjustment',
  request: {
    params: workspaceParams,
    body: json(contract.postingCreation, { kind: 'grant', amount_usd: '5.00', reason: 'welcome' }),
  },
  responses: createdOrRepeated(contract.posted, 'The posting, and the balance after it.'),
});

const history = workspaceRoute('credit:read', {
  operationId: 'listPostings',
  method: 'get',
  path: '/history',
  tags,
  summary: 'List the postings to the credit',
  request: { params: workspaceParams, query: pageQuery },
  responses: ok(pageOf(contract.posting), 'Postings, newest first, with the balance after each.'),
});

const receipt = workspaceRoute('receipts:read', {
  operationId: 'showReceipt',
  method: 'get',
  path: '/receipts/{request_id}',
  tags,
  summary: 'Show the receipt of a request',
  request: { params: receiptParams },
  responses: ok(contract.receipt, 'The receipt.'),
});

const lastReceipt = operatorRoute({
  operationId: 'showLastReceipt',
  refuses: ['NOT_FOUND'],
  method: 'get',
  path: '/receipts/last',
  tags,
  summary: 'Show the receipt of the last request',
  responses: ok(contract.receipt, 'The receipt.'),
});

const correct = workspaceRoute('receipts:correct', {
  operationId: 'correctReceipt',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/receipts/{request_id}/corrections',
  tags,
  summary: 'Correct the charge of a request',
  request: {
    params: receiptParams,
    body: json(contract.correctionCreation, { charge_usd: '0.00', reason: 'the answer was empty' }),
  },
  responses: created(contract.correction, 'The posting, and the unchanged receipt.'),
});

const verify = operatorRoute({
  operationId: 'verifyLedger',
  method: 'post',
  path: '/ledger/verify',
  tags,
  summary: 'Verify that no money was made or lost',
  responses: ok(contract.ledgerReport, 'The totals, and the differences if there are any.'),
});

const sealRoute = operatorRoute({
  operationId: 'sealReceipts',
  method: 'post',
  path: '/ledger/seal',
  tags,
  summary: 'Seal old receipts: store their totals, so that the receipts can be dropped',
  request: { body: json(contract.sealCreation, { before: '2026-01-01' }) },
  responses: ok(contract.sealing, 'The partitions that were sealed and dropped.'),
});

export interface LedgerDependencies {
  readonly sql: ControlSql;
  /** Verifies the whole ledger and stores the result. */
  readonly proveLedger: () => Promise<LedgerReport>;
  /** Spreads the work of lists, exports and backups. */
  readonly pacer: Pacer;
  /** Limits the exports that run at a time. */
  readonly exports: Bulkhead;
  /** Called with unexpected failures. */
  readonly onFault: (fault: unknown) => void;
}

/** Adds the routes of postings, receipts, exports and proofs. */
export function addLedgerRoutes(
  app: AdminApp,
  { sql, pacer, exports, proveLedger, onFault }: LedgerDependencies,
): void {
  app.openapi(post, async (c) => {
    const posted = await postCredit(sql, c.var.scope, requestedPosting(c.req.valid('json')));
    if (isRefusal(posted)) return answerRefusal(c, posted);
    return c.json(postedJson(posted), posted.repeated ? 200 : 201);
  });
  app.openapi(history, async (c) => {
    const page = await pacer.slice(() => listPostings(sql, c.var.scope, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, postingJson), 200);
  });
  app.openapi(verify, async (c) => {
    allowLongResponse(c);
    return c.json(ledgerReportJson(await proveLedger()), 200);
  });
  app.openapi(sealRoute, async (c) => {
    const { before, drop = false } = c.req.valid('json');
    allowLongResponse(c);
    const sealed = await sealReceipts(sql, {
      before: new Date(before),
      drop,
      nowMs: Date.now(),
      countUsage: () => countUsage({ sql, pacer, nowMs: Date.now }),
    });
    return isRefusal(sealed)
      ? answerRefusal(c, sealed)
      : c.json({ sealed: [...sealed.sealed], dropped: [...sealed.dropped] }, 200);
  });
  addReceiptRoutes(app, sql);
  addReceiptListRoutes(app, { sql, pacer });
  addExportRoutes(app, { sql, pacer, exports, onFault });
}

function addReceiptRoutes(app: AdminApp, sql: ControlSql): void {
  app.openapi(lastReceipt, async (c) => {
    const found = await findLastReceipt(sql, Date.now());
    return found === null ? answerRefusal(c, noReceiptYet()) : c.json(await pricedReceiptJson(sql, found), 200);
  });
  app.openapi(receipt, async (c) => {
    const found = await findWorkspaceReceipt(sql, c.var.scope, c.req.valid('param').request_id);
    return found === null ? answerRefusal(c, noReceipt()) : c.json(await pricedReceiptJson(sql, found), 200);
  });
  app.openapi(correct, async (c) => {
    const found = await findWorkspaceReceipt(sql, c.var.scope, c.req.valid('param').request_id);
    if (found === null) return answerRefusal(c, noReceipt());
    const { charge_usd: usd, price_version: version, reason, once = null } = c.req.valid('json');
    const charge = usd === undefined ? await chargeAt(sql, found, version ?? 0) : checkedUsd(usd);
    if (isRefusal(charge)) return answerRefusal(c, charge);
    const request = { requestId: found.requestId, charge, reason, once };
    const posted = await correctReceipt(sql, c.var.scope, request);
    if (isRefusal(posted)) return answerRefusal(c, posted);
    const corrected = (await findWorkspaceReceipt(sql, c.var.scope, found.requestId)) ?? found;
    const posting = posted === null ? null : postedJson(posted);
    return c.json({ posting, receipt: await pricedReceiptJson(sql, corrected) }, 201);
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
  { model, workspaceId, usage, uses, hold }: StoredReceipt,
  version: number,
): Promise<NanoUsd | Refusal> {
  const at = await readVersionPrice(sql, { model, version, workspaceId });
  if (at === null) {
    const message = `The model ${model} has no price version ${version} that this workspace could have paid.`;
    return refuse('INVALID_REQUEST', message, { param: 'price_version' });
  }
  const cost = costOf(at.price, usage.tokens) + feesOf(at.price, uses);
  return cost < hold ? cost : hold;
}

/** The requested posting. Its kind decides whether the amount adds credit or takes it back. */
function requestedPosting(
  given: contract.PostingCreation,
): Pick<PostingRequest, 'kind' | 'amount' | 'reason' | 'once'> {
  const { kind, reason, once = null } = given;
  const amount = checkedUsd(given.amount_usd);
  const takes = kind === 'refund' || (kind === 'dispute' && given.won !== true);
  return { kind, amount: takes ? -amount : amount, reason, once };
}
