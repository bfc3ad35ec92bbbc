import type { Operation } from './operation.ts';

export const REQUEST_OPERATIONS = {
  listReceipts: {
    route: 'GET /workspaces/{workspace}/receipts',
    access: 'receipts:read',
    servesOwn: true,
    tag: 'Ledger',
    summary: 'Search the receipts of a workspace',
  },
  showRequest: {
    route: 'GET /workspaces/{workspace}/requests/{request_id}',
    access: 'receipts:read',
    servesOwn: true,
    tag: 'Ledger',
    summary: 'Show what became of a request',
  },
  listRefusals: {
    route: 'GET /workspaces/{workspace}/refusals',
    access: 'receipts:read',
    servesOwn: true,
    tag: 'Ledger',
    summary: 'List the refused requests of a workspace',
  },
  showRefusal: {
    route: 'GET /workspaces/{workspace}/refusals/{request_id}',
    access: 'receipts:read',
    servesOwn: true,
    tag: 'Ledger',
    summary: 'Show why a request was refused',
  },
  listAllRefusals: {
    route: 'GET /refusals',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'List the refused requests of all workspaces',
    refuses: ['NOT_FOUND'],
  },
  countAllRefusals: {
    route: 'GET /refusals/counts',
    access: 'operator:read',
    tag: 'Ledger',
    summary: 'Count the refused requests of all workspaces in the last 24 hours, by hour and code',
    refuses: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
