import * as z from 'zod';

export const PROXY_RIGHT = 'write an http or https address such as "http://proxy.example:3128", or none';

/** The URL of an HTTP proxy as it is used; null if the text is none. Without a scheme it is taken for http. */
export function parseProxyUrl(text: string): string | null {
  const written = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  const isPlain = url.pathname === '/' && url.search === '' && url.hash === '';
  return isPlain && hasReadableCredentials(url) ? url.href : null;
}

/** A "%" that encodes nothing can't be decoded. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}`);
    return true;
  } catch {
    return false;
  }
}

/** A proxy's URL in the config file; null for `none` and false. */
export function proxyUrl() {
  return z.union([z.literal(false), z.string()], { error: PROXY_RIGHT }).transform((written, context) => {
    if (written === false || written === 'none') return null;
    const url = parseProxyUrl(written);
    if (url !== null) return url;
    context.addIssue({ code: 'custom', message: PROXY_RIGHT, params: { wrong: 'is not the address of a proxy' } });
    return z.NEVER;
  });
}
