import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { workspaceQuery } from '../api/workspaces.ts';
import { paths } from '../paths.ts';
import { seesOwnAlone, useMe } from '../session/access.ts';
import { gateMark } from '../ui/gate-mark.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { isOfInstance } from './places.ts';

const WorkspaceCreate = lazy(async () => ({
  default: (await import('../forms/workspace-create.tsx')).WorkspaceCreate,
}));

const STATE_WORDS = { active: undefined, suspended: 'Suspended', closing: 'Being closed' } as const;

interface WorkspaceSwitcherProps {
  readonly workspace: string | null;
  /** The name doesn't fit. */
  readonly isSmall: boolean;
}

/** The workspace that the sidebar is about, and the way to others. */
export function WorkspaceSwitcher({ workspace, isSmall }: WorkspaceSwitcherProps): ReactNode {
  const me = useMe();
  const [isCreating, setIsCreating] = useState(false);
  const shown = useQuery({
    ...workspaceQuery(workspace ?? ''),
    enabled: workspace !== null && !seesOwnAlone(me, workspace),
  });
  const name = me.workspaces.find(({ id }) => id === workspace)?.name ?? shown.data?.name ?? 'Workspaces';
  const isInstance = isOfInstance(me.user.is_operator, useLocation().pathname);
  const items: readonly MenuItem[] = [
    ...me.workspaces.map(({ id, name: label, state, moved_to: movedTo }) => ({
      label,
      href: paths.home(id),
      checked: id === workspace && !isInstance,
      detail: movedTo === null ? STATE_WORDS[state] : `In cell ${movedTo}`,
    })),
    {
      label: 'Create workspace',
      icon: <Plus size={16} strokeWidth={1.5} aria-hidden="true" />,
      onSelect: () => setIsCreating(true),
      unavailable: me.user.is_operator ? null : 'Only operators of this instance can create workspaces.',
      separated: me.workspaces.length > 0,
    },
  ];
  return (
    <>
      <Menu
        label={isInstance ? 'Instance: workspaces' : `Workspace ${name}`}
        items={items}
        className={`flex h-9 target w-full items-center gap-2 rounded-control px-1.5 text-left text-control font-semibold hover:bg-sunken ${isSmall ? 'justify-center' : ''}`}
      >
        <img src={gateMark()} alt="" width={20} height={20} className="shrink-0" />
        {!isSmall && (
          <>
            <span className="min-w-0 flex-1 truncate">{isInstance ? 'Instance' : name}</span>
            <ChevronsUpDown size={14} strokeWidth={1.5} aria-hidden="true" className="shrink-0 text-text-3" />
          </>
        )}
      </Menu>
      <Suspense>{isCreating && <WorkspaceCreate onClose={() => setIsCreating(false)} />}</Suspense>
    </>
  );
}
