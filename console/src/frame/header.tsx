import { useQuery } from '@tanstack/react-query';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { burnQuery, workspaceQuery } from '../api/workspaces.ts';
import { formatRunway, runwayDays } from '../components/runway.ts';
import { paths } from '../paths.ts';
import { seesOwnAlone, useMe } from '../session/access.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Money } from '../ui/money.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { HEADER_LINK } from './header-link.ts';
import { UserMenu } from './user-menu.tsx';

const InstanceState = lazy(async () => ({ default: (await import('./instance-state.tsx')).InstanceState }));

interface HeaderProps {
  /** The workspace whose balance it shows, or the whole instance; null: the user has no workspace. */
  readonly about: string | null;
  /** The area that the page belongs to. */
  readonly area: string;
  readonly onOpenPalette: () => void;
  readonly onOpenMenu: () => void;
  readonly onOpenHelp: () => void;
}

export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

export function Header({ about, area, onOpenPalette, onOpenMenu, onOpenHelp }: HeaderProps): ReactNode {
  const me = useMe();
  return (
    <header className="sticky top-0 z-10 flex h-12 items-center gap-2 border-b border-line bg-bg px-4 lg:px-8">
      <div className="-ml-2 sm:hidden">
        <IconButton label="Menu" icon={<MenuIcon size={16} strokeWidth={1.5} />} onClick={onOpenMenu} />
      </div>
      <p className="min-w-0 flex-1 truncate text-control text-text-2 max-sm:invisible">{area}</p>
      <button
        type="button"
        onClick={onOpenPalette}
        aria-keyshortcuts="Meta+K Control+K"
        className="flex h-8 target items-center gap-2 rounded-control px-2 text-control text-text-3 hover:bg-sunken hover:text-text max-sm:w-10 max-sm:justify-center"
      >
        <Search size={16} strokeWidth={1.5} aria-hidden="true" />
        <span className="sr-only">Go to a page, an action, a thing by its name or a request</span>
        <kbd className="font-sans text-meta max-sm:hidden">{PALETTE_KEYS}</kbd>
      </button>
      {about === 'instance' ? (
        <Suspense fallback={<Skeleton className="w-24" />}>
          <InstanceState />
        </Suspense>
      ) : (
        about !== null && !seesOwnAlone(me, about) && <Balance workspace={about} />
      )}
      <UserMenu onOpenHelp={onOpenHelp} />
    </header>
  );
}

const LOW_DAYS = 7;
const LAST_DAYS = 1;

/** The balance and how long it lasts; leads to where credit is added. */
function Balance({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery(workspaceQuery(workspace));
  const burn = useQuery(burnQuery(workspace)).data;
  if (data === undefined) return <Skeleton className="w-24" />;
  const balance = BigInt(data.balance_nano_usd);
  const days = burn === undefined ? null : runwayDays(balance, burn);
  const isLast = balance <= 0n || (days !== null && days < LAST_DAYS);
  const isLow = days !== null && days < LOW_DAYS;
  const color = isLast ? 'text-danger-text' : isLow ? 'text-warn-text' : 'text-text';
  const words = balance <= 0n ? 'no credit left' : days === null ? null : formatRunway(days);
  return (
    <a href={paths.credit(workspace)} className={`${HEADER_LINK} ${color}`}>
      <span className="sr-only">Balance</span>
      <Money amount={balance} className="shrink-0 font-medium" />
      {words !== null && (
        <span
          className={`min-w-0 truncate ${isLow || isLast ? '' : 'text-text-3'}`}
          title="At what the last seven days cost"
        >
          <span aria-hidden="true">· </span>
          {words}
        </span>
      )}
    </a>
  );
}
