import type { Operation } from './operation.ts';

export const USAGE_OPERATIONS = {
  showUsage: {
    route: 'GET /workspaces/{workspace}/usage',
    access: 'usage:read',
    servesOwn: true,
    tag: 'Usage',
    summary: "Add up a workspace's usage",
  },
  showUsageOfAll: {
    route: 'GET /usage',
    access: 'operator:read',
    tag: 'Usage',
    summary: 'Add up the usage of all workspaces',
  },
  exportUsage: {
    route: 'GET /workspaces/{workspace}/usage/export',
    access: 'exports:read',
    tag: 'Usage',
    summary: "Download a workspace's usage",
  },
  rebuildUsage: {
    route: 'POST /ledger/rebuild-usage',
    access: 'operator:write',
    tag: 'Ledger',
    summary: 'Count usage from the receipts again',
  },
} as const satisfies Readonly<Record<string, Operation>>;
