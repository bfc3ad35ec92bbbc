import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { listenToWorkspace } from '../api/live.ts';
import { paths } from '../paths.ts';
import { useMe, withheldFrom } from '../session/access.ts';
import { rememberWorkspace, workspaceToOpen } from '../session/last-workspace.ts';
import { isTyping } from '../ui/use-row-keys.ts';
import { Header } from './header.tsx';
import { isAt, isBeyondOwn, isOfInstance, OPERATOR_PLACES, settingsPlaces, workspacePlaces } from './places.ts';
import { Sidebar } from './sidebar.tsx';
import { WorkspaceState } from './workspace-state.tsx';

const RestrictedWorkspace = lazy(async () => ({
  default: (await import('./restricted-workspace.tsx')).RestrictedWorkspace,
}));
const MenuSheet = lazy(async () => ({ default: (await import('./menu-sheet.tsx')).MenuSheet }));
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }));
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** What stands around every page of signed-in users. */
export function Frame(): ReactNode {
  const { workspace: named } = useParams({ strict: false });
  const me = useMe();
  const about = named ?? workspaceToOpen(me);
  const withheld = withheldFrom(me, about);
  const workspace = withheld === undefined ? about : null;
  const { pathname } = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isPaletteOpen, setIsPaletteOpen] = usePaletteKey();
  const [isHelpOpen, setIsHelpOpen] = useHelpKey();
  useLiveWorkspace(workspace);
  useEffect(() => {
    if (named !== undefined) rememberWorkspace(named);
  }, [named]);
  return (
    <div className="min-h-dvh [--sticky-top:48px] sm:grid sm:grid-cols-[56px_minmax(0,1fr)] lg:grid-cols-[224px_minmax(0,1fr)]">
      <a
        href="#main"
        className="fixed top-2 left-2 z-20 -translate-y-16 rounded-control bg-text px-3 py-1.5 text-control text-bg focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 h-dvh border-r border-line bg-surface max-sm:hidden">
        <Sidebar workspace={workspace} />
      </aside>
      <div className="flex min-w-0 flex-col">
        <Header
          about={isOfInstance(me.user.is_operator, pathname) ? 'instance' : workspace}
          area={areaOf(pathname, workspace)}
          onOpenPalette={() => setIsPaletteOpen(true)}
          onOpenMenu={() => setIsMenuOpen(true)}
          onOpenHelp={() => setIsHelpOpen(true)}
        />
        <main id="main" tabIndex={-1} className="w-full max-w-[1264px] px-4 py-6 outline-none lg:px-8">
          {named !== undefined && (withheld !== undefined || isBeyondOwn(me, named, pathname)) ? (
            <Suspense>
              <RestrictedWorkspace withheld={withheld} />
            </Suspense>
          ) : (
            <>
              {named !== undefined && <WorkspaceState workspace={named} />}
              <Outlet />
            </>
          )}
        </main>
      </div>
      {isMenuOpen && (
        <Suspense>
          <MenuSheet workspace={workspace} onClose={() => setIsMenuOpen(false)} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense>
          <KeyboardHelp onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      )}
      {isPaletteOpen && (
        <Suspense>
          <CommandPalette workspace={workspace} onClose={() => setIsPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

function areaOf(pathname: string, workspace: string | null): string {
  if (pathname.startsWith('/account')) return 'Your account';
  if (pathname === paths.workspaces()) return 'Workspaces';
  const ofWorkspace = workspace === null ? [] : [...workspacePlaces(workspace), ...settingsPlaces(workspace)];
  return [...ofWorkspace, ...OPERATOR_PLACES].find((place) => isAt(place, pathname))?.label ?? '';
}

/** Whether the palette is open; ⌘K or Ctrl K opens and closes it. */
function usePaletteKey(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const toggle = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setIsOpen((was) => !was);
    };
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, []);
  return [isOpen, setIsOpen];
}

/** Whether the list of keys is open; "?" opens it. */
function useHelpKey(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key !== '?' || isTyping(event)) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return [isOpen, setIsOpen];
}

/** Keeps what pages show of the workspace up to date while it is open. */
function useLiveWorkspace(workspace: string | null): void {
  const queries = useQueryClient();
  useEffect(() => (workspace === null ? undefined : listenToWorkspace(queries, workspace)), [queries, workspace]);
}
