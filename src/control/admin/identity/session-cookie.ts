import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { OpenedSession } from '../../identity/sessions.ts';

// The session's cookie. Over TLS, and on this machine, browsers take one that no other site can set (`__Host-`); elsewhere
// they would refuse it, so there it has a plain name and `faregate status` says that it travels openly.

const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1'];
const ATTEMPT_SECONDS = 600;

/** The host and port of an authority in its normal form; the name alone, too. */
function parse(authority: string): { readonly host: string; readonly name: string } {
  const url = URL.parse(`http://${authority}`);
  return { host: url?.host ?? '', name: url?.hostname ?? '' };
}

/** Whether browsers that reach the instance under this authority keep cookies for TLS alone. */
export function isSecureAt(authority: string, publicUrl: string | null): boolean {
  const { host, name } = parse(authority);
  const known = publicUrl === null ? null : new URL(publicUrl);
  if (known?.protocol === 'https:' && (known.host === host || known.hostname === name)) return true;
  return LOCAL_NAMES.includes(name);
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** The value of a cookie in a request's header; null if there is none. */
function valueIn(header: string | undefined, name: string): string | null {
  const found = header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** The session's secret that a request brings along; null if it brings none. */
export function sessionIn(cookie: string | undefined, authority: string, publicUrl: string | null): string | null {
  return valueIn(cookie, nameOf('fg', isSecureAt(authority, publicUrl)));
}

const authorityOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host;

/** The session's secret of this request; null if it has none. */
export function sessionOf(c: Context, publicUrl: string | null): string | null {
  return sessionIn(c.req.header('cookie'), authorityOf(c), publicUrl);
}

/** Lets the browser keep a session. */
export function keepSession(c: Context, { secret, expiresAt }: OpenedSession, publicUrl: string | null): void {
  const secure = isSecureAt(authorityOf(c), publicUrl);
  setCookie(c, nameOf('fg', secure), secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    expires: expiresAt,
  });
}

/** Lets the browser forget its session. */
export function forgetSession(c: Context, publicUrl: string | null): void {
  const secure = isSecureAt(authorityOf(c), publicUrl);
  deleteCookie(c, nameOf('fg', secure), { path: '/', secure });
}

/** Lets the browser keep what it needs when the OpenID provider sends it back; null: forget it. */
export function keepAttempt(c: Context, attempt: object | null, publicUrl: string | null): void {
  const secure = isSecureAt(authorityOf(c), publicUrl);
  const name = nameOf('fg-openid', secure);
  if (attempt === null) {
    deleteCookie(c, name, { path: '/', secure });
    return;
  }
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  setCookie(c, name, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: ATTEMPT_SECONDS });
}

/** What the browser kept for the OpenID provider's answer; null if it is nothing. */
export function attemptOf(c: Context, publicUrl: string | null): unknown {
  const value = valueIn(c.req.header('cookie'), nameOf('fg-openid', isSecureAt(authorityOf(c), publicUrl)));
  if (value === null) return null;
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString());
  } catch {
    return null;
  }
}

const CHALLENGE_SECONDS = 300;

/** Lets the browser keep the secret of a challenge until it has answered; null: forget it. */
export function keepChallenge(c: Context, secret: string | null, publicUrl: string | null): void {
  const secure = isSecureAt(authorityOf(c), publicUrl);
  const name = nameOf('fg-passkey', secure);
  if (secret === null) deleteCookie(c, name, { path: '/', secure });
  else setCookie(c, name, secret, { path: '/', httpOnly: true, sameSite: 'Strict', secure, maxAge: CHALLENGE_SECONDS });
}

/** The secret of the challenge that the browser was given; null if there is none. */
export function challengeOf(c: Context, publicUrl: string | null): string | null {
  return valueIn(c.req.header('cookie'), nameOf('fg-passkey', isSecureAt(authorityOf(c), publicUrl)));
}
