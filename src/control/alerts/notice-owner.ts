import { WorkspaceScope, type OperatorScope } from '../../domain/workspace-scope.ts';

/** Stands for the instance where rows name a workspace: those rows are the operator's own. */
export const INSTANCE_ID = '00000000-0000-0000-0000-000000000000';

/** The owner of the rules, alerts and notices in this scope: its workspace, or the instance for an operator's scope. */
export function ownerOf(scope: WorkspaceScope | OperatorScope): string {
  return scope instanceof WorkspaceScope ? scope.workspaceId : INSTANCE_ID;
}
