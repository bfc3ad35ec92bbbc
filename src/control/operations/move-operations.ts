import type { Operation } from './operation.ts';

/** How long a move waits for running requests, in seconds. */
export const MOVE_WAIT = { unlessGiven: 60, max: 3_600 } as const;

export const MOVE_OPERATIONS = {
  moveWorkspace: {
    route: 'POST /workspaces/{workspace}/move',
    access: 'workspace:move',
    tag: 'Workspaces',
    summary: 'Move a workspace to another cell while it works',
    needsRecentSignIn: true,
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  showMove: {
    route: 'GET /workspaces/{workspace}/move',
    access: 'workspace:read',
    tag: 'Workspaces',
    summary: 'Show how far a workspace has moved to another cell',
    refuses: ['NOT_FOUND'],
  },
  cancelMove: {
    route: 'POST /workspaces/{workspace}/move/cancel',
    access: 'workspace:move',
    tag: 'Workspaces',
    summary: 'Let a workspace that moves to another cell stay here',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  beginArrival: {
    route: 'PUT /arrivals/{arrival}',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Begin to receive a workspace from another cell',
    refuses: ['CONFLICT'],
  },
  receiveRows: {
    route: 'PUT /arrivals/{arrival}/rows',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Receive some rows of a workspace that arrives',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  landRows: {
    route: 'POST /arrivals/{arrival}/rows',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Land some receipts, or rows like them, of a workspace that arrives',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  landArrival: {
    route: 'POST /arrivals/{arrival}/land',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Make a workspace of the rows that were set apart, which still lives in the other cell',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  openArrival: {
    route: 'POST /arrivals/{arrival}/open',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Let a workspace live in this cell, which the other one has let go of',
    refuses: ['NOT_FOUND', 'CONFLICT'],
  },
  dropArrival: {
    route: 'POST /arrivals/{arrival}/drop',
    access: 'operator:write',
    tag: 'Instance',
    summary: 'Drop what has arrived of a workspace that does not come',
    refuses: ['CONFLICT'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
