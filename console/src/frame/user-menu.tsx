import { onlineManager, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { signOut } from '../api/account.ts';
import { ACCOUNT_PLACES } from '../components/account-places.ts';
import { paths } from '../paths.ts';
import { useMe } from '../session/access.ts';
import { forgetDraft } from '../session/prompt-draft.ts';
import { chooseTheme, THEME_WORDS, THEMES, useTheme } from '../session/theme.ts';
import { showToast } from '../ui/announcements.ts';
import { Menu, type MenuItem } from '../ui/menu.tsx';

/** The signed-in user: their account, the theme, and the way out. */
export function UserMenu({ onOpenHelp }: { readonly onOpenHelp: () => void }): ReactNode {
  const { user } = useMe();
  const theme = useTheme();
  const leave = useSignOut();
  const items: readonly MenuItem[] = [
    ...ACCOUNT_PLACES.map(({ label, href }) => ({ label, href })),
    ...THEMES.map((each, index) => ({
      label: THEME_WORDS[each],
      checked: each === theme,
      separated: index === 0,
      onSelect: () => chooseTheme(each),
    })),
    { label: 'Keyboard shortcuts', detail: '?', separated: true, onSelect: onOpenHelp },
    { label: 'Sign out', detail: user.email, separated: true, onSelect: () => void leave() },
  ];
  return (
    <Menu
      label={`Your account, ${user.name}`}
      align="end"
      items={items}
      className="flex size-8 max-sm:size-10 items-center justify-center rounded-full bg-sunken text-meta font-semibold text-text-2 hover:text-text"
    >
      <span aria-hidden="true">{Array.from(user.name)[0]?.toUpperCase() ?? '?'}</span>
    </Menu>
  );
}

/**
 * Signs out. The page reads nothing while it does: an answer to it would say that its session is over. The sign-in page is loaded,
 * so that nothing that was read is kept.
 */
function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    onlineManager.setOnline(false);
    await queries.cancelQueries();
    try {
      await signOut();
    } catch (fault) {
      onlineManager.setOnline(true);
      showToast((fault as Error).message, 'failed');
      return;
    }
    forgetDraft();
    location.replace(paths.signIn());
  };
}
