// Runs before the first paint, so that a chosen theme doesn't flash. src/frame/theme.ts writes the choice.
try {
  const theme = localStorage.getItem('faregate.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is the system's.
}
