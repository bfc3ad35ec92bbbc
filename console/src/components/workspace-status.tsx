import type { ReactNode } from 'react';
import type { WorkspaceState } from '../api/workspaces.ts';
import { type Status, StatusWord } from '../ui/status-word.tsx';

export const WORKSPACE_STATE_WORDS: Readonly<Record<WorkspaceState, string>> = {
  active: 'open',
  suspended: 'suspended',
  closing: 'being closed',
  closed: 'closed',
};

const STATUS: Readonly<Record<WorkspaceState, Status>> = {
  active: 'open',
  suspended: 'closed',
  closing: 'waiting',
  closed: 'off',
};

/** Whether a workspace's keys are served. */
export function WorkspaceStatus({ state }: { readonly state: WorkspaceState }): ReactNode {
  return <StatusWord status={STATUS[state]}>{WORKSPACE_STATE_WORDS[state]}</StatusWord>;
}
