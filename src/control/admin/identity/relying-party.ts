import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { RelyingParty } from '../../identity/passkeys/ceremony.ts';

/**
 * The instance as passkeys know it: by its public address, or on this machine by `localhost`. Null where browsers have none: for addresses
 * without a name, and without TLS.
 */
export function relyingPartyOf(c: Context, configuredUrl: string | null): RelyingParty | null {
  const url = configuredUrl === null ? ownUrl(c) : new URL(configuredUrl);
  if (url === null || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return url.protocol === 'https:' || url.hostname === 'localhost' ? { id: url.hostname, origin: url.origin } : null;
}

/** The header can have any name, so passkeys for names other than `localhost` need the configured address. */
function ownUrl(c: Context): URL | null {
  const url = URL.parse(`http://${c.req.header('host') ?? ''}`);
  return url?.hostname === 'localhost' ? url : null;
}
