import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';

const KEY = 'faregate.workspace';

/** Remembers the workspace for the next visit. */
export function rememberWorkspace(workspace: string): void {
  localStorage.setItem(KEY, workspace);
}

/** The workspace to open: the last one, or the first that the user is a member of; those that have moved come last. */
export function workspaceToOpen(me: MeJson): string | null {
  const last = localStorage.getItem(KEY);
  const isKnown = last !== null && (me.user.is_operator || me.workspaces.some(({ id }) => id === last));
  return isKnown ? last : (me.workspaces[0]?.id ?? null);
}
