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

interface WorkspaceStatusProps {
  readonly state: WorkspaceState;
  /** The cell in which it lives, if that is another one. */
  readonly movedTo?: string | null;
}

/** Whether a workspace's keys are served, or where it lives. */
export function WorkspaceStatus({ state, movedTo = null }: WorkspaceStatusProps): ReactNode {
  if (movedTo !== null) return <StatusWord status="off">in cell {movedTo}</StatusWord>;
  return <StatusWord status={STATUS[state]}>{WORKSPACE_STATE_WORDS[state]}</StatusWord>;
}
