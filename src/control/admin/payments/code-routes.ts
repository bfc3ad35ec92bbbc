import { z } from '@hono/zod-openapi';
import { isRefusal, refuse } from '../../../domain/refusals.ts';
import { cancelBatch, createBatch, listBatches, listCodes } from '../../payments/codes/code-batches.ts';
import { answerRefusal, createdOrRepeated, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './payment-contract.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from '../pages.ts';
import { codeBatchJson, redemptionCodeJson } from './payment-representations.ts';
import type { PaymentDependencies } from './payment-routes.ts';
import { checkedUsd } from '../../../domain/money.ts';
import { type AdminApp, operatorRoute } from '../route-access.ts';

const tags = ['Redemption codes'];

const create = operatorRoute({
  operationId: 'createCodeBatch',
  method: 'post',
  path: '/code-batches',
  tags,
  summary: 'Make a batch of redemption codes; only this answer contains them',
  request: {
    body: json(contract.codeBatchCreation, {
      count: 10,
      amount_usd: '25.00',
      expires_at: '2099-12-31',
      reason: 'conference',
    }),
  },
  responses: createdOrRepeated(contract.createdCodeBatch, 'The batch, with its codes; without them on a repeat.'),
});

const batches = operatorRoute({
  operationId: 'listCodeBatches',
  method: 'get',
  path: '/code-batches',
  tags,
  summary: 'List the batches of redemption codes',
  request: { query: pageQuery },
  responses: ok(pageOf(contract.codeBatch), 'Batches, newest first.'),
});

const cancel = operatorRoute({
  operationId: 'cancelCodeBatch',
  method: 'post',
  path: '/code-batches/{batch}/cancel',
  tags,
  summary: 'Cancel the codes of a batch that nobody has redeemed: they expire now',
  request: { params: z.object({ batch: id }) },
  responses: ok(contract.codeBatch, 'The batch. One that has expired stays as it is.'),
});

const codes = operatorRoute({
  operationId: 'listCodes',
  method: 'get',
  path: '/codes',
  tags,
  summary: 'List redemption codes, and who redeemed them',
  request: { query: contract.codeQuery },
  responses: ok(pageOf(contract.redemptionCode), 'Codes, oldest first, by their last four characters.'),
});

/** Adds the routes of redemption codes. */
export function addCodeRoutes(app: AdminApp, { sql, pacer }: PaymentDependencies): void {
  app.openapi(create, async (c) => {
    const { count, amount_usd: usd, expires_at: expiry, sold = false, reason, once = null } = c.req.valid('json');
    if (Date.parse(expiry) <= Date.now()) {
      return answerRefusal(
        c,
        refuse('INVALID_REQUEST', '"expires_at" must be in the future.', { param: 'expires_at' }),
      );
    }
    const order = { count, amount: checkedUsd(usd), expiresAt: new Date(expiry), sold, reason, once };
    const batch = await createBatch(sql, c.var.operator, order);
    if (isRefusal(batch)) return answerRefusal(c, batch);
    const shown = batch.codes === null ? null : [...batch.codes];
    return c.json({ ...codeBatchJson(batch), codes: shown }, shown === null ? 200 : 201);
  });
  app.openapi(batches, async (c) => {
    const page = await pacer.slice(() => listBatches(sql, c.var.operator, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, codeBatchJson), 200);
  });
  app.openapi(cancel, async (c) => {
    const batch = await cancelBatch(sql, c.var.operator, c.req.valid('param').batch);
    if (batch === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such batch.'));
    return c.json(codeBatchJson(batch), 200);
  });
  app.openapi(codes, async (c) => {
    const { batch = null, ...page } = c.req.valid('query');
    const read = await pacer.slice(() => listCodes(sql, c.var.operator, batch, requestedPage(page)));
    return c.json(pageJson(read, redemptionCodeJson), 200);
  });
}
