import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import type { Column } from '../ui/table-types.ts';
import { WorkspaceStatus } from './workspace-status.tsx';

/** Of the workspaces that the user is a member of. */
export const OWN_WORKSPACE_COLUMNS: readonly Column<MeJson['workspaces'][number]>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
  { id: 'role', header: 'Your role', cell: ({ role }) => role },
  { id: 'state', header: 'Status', cell: (own) => <WorkspaceStatus state={own.state} movedTo={own.moved_to} /> },
];
