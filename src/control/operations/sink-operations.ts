import type { Operation } from './operation.ts';

export const SINK_OPERATIONS = {
  listSinks: {
    route: 'GET /workspaces/{workspace}/sinks',
    access: 'workspace:read',
    tag: 'Sinks',
    summary: 'List the sinks of this instance, what a workspace has delivered to each, and what was lost',
  },
  updateSink: {
    route: 'PATCH /workspaces/{workspace}/sinks/{sink}',
    access: 'sinks:write',
    tag: 'Sinks',
    summary: 'Change what a workspace has delivered to a sink',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
