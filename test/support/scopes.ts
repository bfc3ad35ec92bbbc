import type { Permission } from '../../src/domain/roles.ts';
import { isRefusal, type Refusal } from '../../src/domain/refusals.ts';
import {
  authorise,
  authoriseOperator,
  type OperatorScope,
  type WorkspaceScope,
} from '../../src/domain/workspace-scope.ts';

// Rights as tests of store functions want them: those of a job, which has all.

const BY_TEST = { actor: { kind: 'job', name: 'test' }, address: null, requestId: null } as const;

function given<Scope extends object>(scope: Scope | Refusal): Scope {
  if (isRefusal(scope)) throw new Error(`refused: ${scope.message}`);
  return scope;
}

/** The right of the operator to something in a workspace. */
export function operatorIn(workspaceId: string, permission: Permission): WorkspaceScope {
  const actor = { kind: 'operator', tokenId: null, name: 'operator', access: 'all' } as const;
  return given(authorise({ actor, address: null, requestId: null }, permission, workspaceId));
}

/** The right to everything in a workspace; `permission` is what it is recorded for. */
export function scopeOf(workspaceId: string, permission: Permission = 'workspace:write'): WorkspaceScope {
  return given(authorise(BY_TEST, permission, workspaceId));
}

/** The right to what belongs to the whole instance. */
export function operatorScope(): OperatorScope {
  return given(authoriseOperator(BY_TEST, 'write'));
}
