/** The address of the console's own icon, which the page has in itself. */
export const gateMark = (): string => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '/icon.svg';
