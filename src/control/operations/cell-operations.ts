import type { Operation } from './operation.ts';

export const CELL_OPERATIONS = {
  listCells: {
    route: 'GET /cells',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Show this cell, and the other cells with their figures',
  },
  showCell: {
    route: 'GET /cell',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Show the figures of this cell',
  },
  searchCells: {
    route: 'GET /cells/search',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'Find workspaces, or a request, in the other cells',
  },
  verifyCell: {
    route: 'POST /cells/{shard}/verify',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Have another cell verify that no money was made or lost',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  storeCell: {
    route: 'PUT /cells/{shard}',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Add another cell, or change its address and token',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  deleteCell: {
    route: 'DELETE /cells/{shard}',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Forget another cell',
    isVersioned: true,
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
