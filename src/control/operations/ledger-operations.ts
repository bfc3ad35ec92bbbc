import type { Operation } from './operation.ts';

export const LEDGER_OPERATIONS = {
  postCredit: {
    route: 'POST /workspaces/{workspace}/postings',
    access: 'postings:write',
    tag: 'Ledger',
    summary: 'Post a top-up, grant, refund, dispute or adjustment',
    refuses: ['CONFLICT'],
  },
  listPostings: {
    route: 'GET /workspaces/{workspace}/history',
    access: 'credit:read',
    tag: 'Ledger',
    summary: 'List the postings to the credit',
  },
  showReceipt: {
    route: 'GET /workspaces/{workspace}/receipts/{request_id}',
    access: 'receipts:read',
    servesOwn: true,
    tag: 'Ledger',
    summary: 'Show the receipt of a request',
  },
  showLastReceipt: {
    route: 'GET /receipts/last',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'Show the receipt of the last request',
    refuses: ['NOT_FOUND'],
  },
  correctReceipt: {
    route: 'POST /workspaces/{workspace}/receipts/{request_id}/corrections',
    access: 'receipts:correct',
    tag: 'Ledger',
    summary: 'Correct the charge of a request',
    refuses: ['CONFLICT'],
  },
  verifyLedger: {
    route: 'POST /ledger/verify',
    access: 'operator:write',
    tag: 'Ledger',
    summary: 'Verify that no money was made or lost',
  },
  sealReceipts: {
    route: 'POST /ledger/seal',
    access: 'operator:write',
    tag: 'Ledger',
    summary: 'Seal old receipts: store their totals, so that the receipts can be dropped',
  },
  listProofs: {
    route: 'GET /ledger/proofs',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'List the last proofs of the ledger, and show the progress of the one that is being made',
  },
  listSeals: {
    route: 'GET /ledger/seals',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'List the weeks whose receipts are sealed',
  },
  listCorrections: {
    route: 'GET /ledger/corrections',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'List the corrections of receipts of all workspaces',
  },
  showStatement: {
    route: 'GET /workspaces/{workspace}/statement',
    access: 'credit:read',
    tag: 'Ledger',
    summary: 'Show a month of the credit: its postings and the charges of each day, with a running balance',
  },
  exportStatement: {
    route: 'GET /workspaces/{workspace}/statement/export',
    access: 'exports:read',
    tag: 'Ledger',
    summary: 'Download a month of the credit',
  },
  exportRecords: {
    route: 'GET /workspaces/{workspace}/export/{what}',
    access: 'exports:read',
    tag: 'Ledger',
    summary: "Download a workspace's receipts or ledger entries",
  },
} as const satisfies Readonly<Record<string, Operation>>;
