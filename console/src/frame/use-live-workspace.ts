import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToWorkspace } from '../api/live.ts';

/** Keeps what pages show of the workspace up to date while it is open. */
export function useLiveWorkspace(workspace: string | null): void {
  const queries = useQueryClient();
  useEffect(() => (workspace === null ? undefined : listenToWorkspace(queries, workspace)), [queries, workspace]);
}
