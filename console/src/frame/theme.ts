// The chosen theme. public/theme.js applies it before the first paint of the next visit.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'faregate.theme';

export function currentTheme(): Theme {
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
}
