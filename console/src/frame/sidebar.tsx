import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../session/access.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { useMedia } from '../ui/use-media.ts';
import { isAt, MANUAL, type Place, sidebarGroups } from './places.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** Between these widths the sidebar shows icons alone. */
const ICONS_ALONE = '(640px <= width < 1024px)';

interface SidebarProps {
  /** Null: the user has none. */
  readonly workspace: string | null;
  readonly onFollow?: () => void;
}

export function Sidebar({ workspace, onFollow }: SidebarProps): ReactNode {
  const isSmall = useMedia(ICONS_ALONE);
  const groups = sidebarGroups(workspace, useMe(), useLocation().pathname);
  return (
    <div className="flex h-full flex-col gap-1 p-2">
      <WorkspaceSwitcher workspace={workspace} isSmall={isSmall} />
      {/* A click on any link in it closes the sheet that it may stand in; the links themselves take keys. */}
      <nav aria-label="Main" className="mt-2 flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto">
        {groups.map((group) => (
          <PlaceList key={group.places[0]?.label} {...group} isSmall={isSmall} onFollow={onFollow} />
        ))}
      </nav>
      <PlaceList places={[MANUAL]} isSmall={isSmall} onFollow={onFollow} />
    </div>
  );
}

interface PlaceListProps {
  readonly title?: string;
  readonly places: readonly Place[];
  readonly isSmall: boolean;
  readonly onFollow: (() => void) | undefined;
}

function PlaceList({ title, places, isSmall, onFollow }: PlaceListProps): ReactNode {
  if (places.length === 0) return null;
  return (
    <div className="border-line not-first:border-t not-first:pt-3">
      {title !== undefined && !isSmall && <p className="px-2 pb-1 text-meta text-text-3">{title}</p>}
      <ul aria-label={title} className="flex flex-col gap-px">
        {places.map((place) => (
          <li key={place.href}>
            <PlaceLink place={place} isSmall={isSmall} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlaceLink({
  place,
  isSmall,
  onFollow,
}: Omit<PlaceListProps, 'places'> & { readonly place: Place }): ReactNode {
  const isHere = isAt(place, useLocation().pathname);
  const Icon = place.icon;
  return (
    <Tooltip text={isSmall ? place.label : null} className="w-full">
      {() => (
        <a
          href={place.href}
          aria-current={isHere ? 'page' : undefined}
          aria-label={isSmall ? place.label : undefined}
          onClick={onFollow}
          className={`flex h-8 target w-full items-center gap-2.5 rounded-control px-2 text-control no-underline transition-colors ${
            isHere ? 'bg-sunken font-medium text-text' : 'text-text-2 hover:bg-sunken hover:text-text'
          } ${isSmall ? 'justify-center' : ''}`}
        >
          <Icon size={16} strokeWidth={1.5} aria-hidden="true" className="shrink-0" />
          {!isSmall && <span className="truncate">{place.label}</span>}
        </a>
      )}
    </Tooltip>
  );
}
