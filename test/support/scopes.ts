import type { Permission } from '../../src/domain/roles.ts';
import {
  authorise,
  authoriseOperator,
  type OperatorScope,
  type WorkspaceScope,
} from '../../src/domain/workspace-scope.ts';
import { granted } from './accounts.ts';

// Rights as tests of store functions want them: those of a job, which has all.

const BY_TEST = { actor: { kind: 'job', name: 'test' }, address: null, requestId: null } as const;

/** The right to everything in a workspace; `permission` is what it is recorded for. */
export function scopeOf(workspaceId: string, permission: Permission = 'workspace:write'): WorkspaceScope {
  return granted(authorise(BY_TEST, permission, workspaceId));
}

/** The right to what belongs to the whole instance. */
export function operatorScope(): OperatorScope {
  return granted(authoriseOperator(BY_TEST, { writes: true }));
}
