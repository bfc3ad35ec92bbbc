import type * as payment from '../payments/payment-contract.ts';
import { type Call, type Page, type PageQuery, path, queryOf } from './call.ts';

type TopUpQuery = PageQuery & { readonly state?: payment.TopUpJson['state']; readonly provider?: string };

/** The calls about top-ups, payment settings and redemption codes. Each @throws AdminRefused, AdminUnreachable */
export function paymentCalls(call: Call) {
  return {
    listPayments: (query: TopUpQuery = {}) => call<Page<payment.TopUpJson>>('GET', '/payments' + queryOf(query)),
    listTopUps: (workspace: string, query: TopUpQuery = {}) =>
      call<Page<payment.TopUpJson>>('GET', path`/workspaces/${workspace}/top-ups` + queryOf(query)),
    showTopUp: (workspace: string, id: string) =>
      call<payment.TopUpJson>('GET', path`/workspaces/${workspace}/top-ups/${id}`),
    createTopUp: (workspace: string, body: payment.TopUpCreation) =>
      call<payment.TopUpJson>('POST', path`/workspaces/${workspace}/top-ups`, body),
    refundTopUp: (workspace: string, id: string, body: payment.RefundCreation) =>
      call<payment.TopUpJson>('POST', path`/workspaces/${workspace}/top-ups/${id}/refunds`, body),
    showPaymentSettings: (workspace: string) =>
      call<payment.PaymentSettingsJson>('GET', path`/workspaces/${workspace}/payment-settings`),
    updatePaymentSettings: (workspace: string, body: payment.AutoTopUpUpdate) =>
      call<payment.PaymentSettingsJson>('PATCH', path`/workspaces/${workspace}/payment-settings`, body),
    createCodeBatch: (body: payment.CodeBatchCreation) =>
      call<payment.CreatedCodeBatchJson>('POST', '/code-batches', body),
    listCodeBatches: (page: PageQuery = {}) =>
      call<Page<payment.CodeBatchJson>>('GET', '/code-batches' + queryOf(page)),
    cancelCodeBatch: (batch: string) => call<payment.CodeBatchJson>('POST', path`/code-batches/${batch}/cancel`),
    listCodes: (query: PageQuery & { readonly batch?: string } = {}) =>
      call<Page<payment.RedemptionCodeJson>>('GET', '/codes' + queryOf(query)),
    redeemCode: (workspace: string, body: payment.Redemption) =>
      call<payment.TopUpJson>('POST', path`/workspaces/${workspace}/redemptions`, body),
  };
}
