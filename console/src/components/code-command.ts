import type { CodeBatchCreation } from '../../../src/control/admin/payments/payment-contract.ts';

// The commands of redemption codes.

export const codeCommand = {
  batches: () => ['code', 'batches'],
  list: (batch: string) => ['code', 'list', '--batch', batch],
  cancel: (batch: string) => ['code', 'cancel', batch],
  create: ({ count, amount_usd: amount, expires_at: expiry, sold, reason }: Omit<CodeBatchCreation, 'once'>) => [
    'code',
    'create',
    '--count',
    String(count),
    '--amount',
    amount === '' ? 'USD' : amount,
    '--expires',
    expiry === '' ? 'DAY' : expiry,
    ...(reason === '' ? [] : ['--reason', reason]),
    ...(sold === true ? ['--sold'] : []),
  ],
};
