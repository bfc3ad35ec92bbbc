import { isRefusal, refuse } from '../../../domain/refusals.ts';
import { cancelBatch, createBatch, listBatches, listCodes } from '../../payments/codes/code-batches.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import { codeBatchJson, redemptionCodeJson } from './payment-representations.ts';
import type { PaymentDependencies } from './payment-routes.ts';
import { checkedUsd } from '../../../domain/money.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

/** Adds the routes of redemption codes. */
export function addCodeRoutes(app: AdminApp, { sql, pacer }: PaymentDependencies): void {
  serve(app, 'createCodeBatch', async ({ operator, body }) => {
    const { count, amount_usd: usd, expires_at: expiry, sold = false, reason, once = null } = body;
    if (Date.parse(expiry) <= Date.now()) {
      return refuse('INVALID_REQUEST', '"expires_at" must be in the future.', { param: 'expires_at' });
    }
    const order = { count, amount: checkedUsd(usd), expiresAt: new Date(expiry), sold, reason, once };
    const batch = await createBatch(sql, operator, order);
    if (isRefusal(batch)) return batch;
    const shown = batch.codes === null ? null : [...batch.codes];
    return repeatedIf(shown === null, { ...codeBatchJson(batch), codes: shown });
  });
  serve(app, 'listCodeBatches', pagesOf(codeBatchJson), ({ operator, query }) =>
    pacer.slice(() => listBatches(sql, operator, requestedPage(query))),
  );
  serve(app, 'cancelCodeBatch', async ({ operator, params }) => {
    const batch = await cancelBatch(sql, operator, params.batch);
    if (batch === null) return refuse('NOT_FOUND', 'There is no such batch.');
    return codeBatchJson(batch);
  });
  serve(app, 'listCodes', pagesOf(redemptionCodeJson), async ({ operator, query }) => {
    const { batch = null, ...page } = query;
    return await pacer.slice(() => listCodes(sql, operator, batch, requestedPage(page)));
  });
}
