import { useSyncExternalStore } from 'react';

// The chosen theme. public/theme.js applies it before the first paint of the next visit.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: "The system's theme",
  light: 'Light theme',
  dark: 'Dark theme',
};

const KEY = 'faregate.theme';
const CHOSEN = 'faregate:theme';

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }
  dispatchEvent(new Event(CHOSEN));
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHOSEN, onChange);
  return () => removeEventListener(CHOSEN, onChange);
}

/** The chosen theme, wherever it is chosen. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}
