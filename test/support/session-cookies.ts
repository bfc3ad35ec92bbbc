import type { BrowserContext } from 'playwright-core';
import type { Browser } from './browser.ts';

/** The cookies of a session that was opened without a page, for a browser on the same site. */
export function sessionCookies(session: Browser, url: string): Parameters<BrowserContext['addCookies']>[0] {
  return Array.from(session.cookies, ([name, value]) => ({
    name,
    value,
    domain: new URL(url).hostname,
    path: '/',
    httpOnly: true,
    secure: name.startsWith('__Host-'),
    sameSite: 'Lax' as const,
  }));
}
