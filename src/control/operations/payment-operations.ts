import type { Operation } from './operation.ts';

export const PAYMENT_OPERATIONS = {
  createTopUp: {
    route: 'POST /workspaces/{workspace}/top-ups',
    access: 'payments:write',
    tag: 'Payments',
    summary: 'Buy credit: make a top-up and the page on which it is paid',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  listTopUps: {
    route: 'GET /workspaces/{workspace}/top-ups',
    access: 'credit:read',
    tag: 'Payments',
    summary: 'List the top-ups of a workspace',
  },
  showTopUp: {
    route: 'GET /workspaces/{workspace}/top-ups/{top_up}',
    access: 'credit:read',
    tag: 'Payments',
    summary: 'Show a top-up',
  },
  refundTopUp: {
    route: 'POST /workspaces/{workspace}/top-ups/{top_up}/refunds',
    access: 'postings:write',
    tag: 'Payments',
    summary: 'Send money back to the payer, and take its credit back',
    refuses: ['CONFLICT'],
  },
  redeemCode: {
    route: 'POST /workspaces/{workspace}/redemptions',
    access: 'payments:write',
    tag: 'Payments',
    summary: 'Redeem a code for credit',
    refuses: ['CONFLICT', 'NOT_FOUND'],
  },
  showPaymentSettings: {
    route: 'GET /workspaces/{workspace}/payment-settings',
    access: 'credit:read',
    tag: 'Payments',
    summary: 'Show how a workspace pays, and what top-ups cost',
  },
  updatePaymentSettings: {
    route: 'PATCH /workspaces/{workspace}/payment-settings',
    access: 'payments:write',
    tag: 'Payments',
    summary: 'Change the automatic top-ups of a workspace',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  listPayments: {
    route: 'GET /payments',
    access: 'operator:read',
    tag: 'Payments',
    summary: 'List the top-ups of all workspaces',
  },
  createCodeBatch: {
    route: 'POST /code-batches',
    access: 'operator:write',
    tag: 'Redemption codes',
    summary: 'Make a batch of redemption codes; only this answer contains them',
  },
  listCodeBatches: {
    route: 'GET /code-batches',
    access: 'operator:read',
    tag: 'Redemption codes',
    summary: 'List the batches of redemption codes',
  },
  cancelCodeBatch: {
    route: 'POST /code-batches/{batch}/cancel',
    access: 'operator:write',
    tag: 'Redemption codes',
    summary: 'Cancel the codes of a batch that nobody has redeemed: they expire now',
  },
  listCodes: {
    route: 'GET /codes',
    access: 'operator:read',
    tag: 'Redemption codes',
    summary: 'List redemption codes, and who redeemed them',
  },
} as const satisfies Readonly<Record<string, Operation>>;
