// The path that was requested before the sign-in.

const KEY = 'faregate.next';

/** The path if it is a page of the console, and "/" otherwise: a link can't redirect to another site. */
export function ownPath(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/';
  const url = URL.parse(next, location.origin);
  if (url === null || url.origin !== location.origin) return '/';
  const path = url.pathname + url.search + url.hash;
  // "/.//host" is a path as it is written, and another site once it is resolved: "//host".
  return path.startsWith('//') ? '/' : path;
}

/** Keeps the path while the browser is at the OpenID provider. */
export function keepReturnPath(path: string): void {
  sessionStorage.setItem(KEY, path);
}

/** The kept path, once. */
export function takeReturnPath(): string | null {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return path === null ? null : ownPath(path);
}
