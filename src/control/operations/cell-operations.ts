import type { Operation } from './operation.ts';

export const CELL_OPERATIONS = {
  listCells: {
    route: 'GET /cells',
    access: 'operator:read',
    tag: 'Instance',
    summary: 'List the other cells, and whether they answer',
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
