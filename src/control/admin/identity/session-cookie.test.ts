import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { attemptOf, forgetSession, isSecureAt, keepAttempt, keepSession, sessionOf } from './session-cookie.ts';

const PUBLIC = 'https://gate.example';
const EXPIRES = new Date('2026-04-01T00:00:00Z');
const OPENED = { secret: 'sss', expiresAt: EXPIRES } as Parameters<typeof keepSession>[1];

const app = new Hono()
  .get('/keep', (c) => (keepSession(c, OPENED, PUBLIC), c.body(null)))
  .get('/forget', (c) => (forgetSession(c, PUBLIC), c.body(null)))
  .get('/attempt', (c) => (keepAttempt(c, { nonce: 'n' }, PUBLIC), c.body(null)))
  .get('/forget-attempt', (c) => (keepAttempt(c, null, PUBLIC), c.body(null)))
  .get('/read', (c) => c.json({ session: sessionOf(c, PUBLIC), attempt: attemptOf(c, PUBLIC) }));

async function cookieOf(path: string, host: string): Promise<readonly string[]> {
  const { headers } = await app.request(path, { headers: { host } });
  return (headers.get('set-cookie') ?? '').split('; ');
}

const ATTEMPT = Buffer.from('{"nonce":"n"}').toString('base64url');

test.each([
  [
    '/keep',
    'gate.example',
    ['__Host-fg=sss', 'Path=/', 'Expires=Wed, 01 Apr 2026 00:00:00 GMT', 'HttpOnly', 'Secure', 'SameSite=Lax'],
  ],
  ['/keep', '10.0.0.7:8080', ['fg=sss', 'Path=/', 'Expires=Wed, 01 Apr 2026 00:00:00 GMT', 'HttpOnly', 'SameSite=Lax']],
  ['/forget', 'gate.example', ['__Host-fg=', 'Max-Age=0', 'Path=/', 'Secure']],
  ['/forget', '10.0.0.7:8080', ['fg=', 'Max-Age=0', 'Path=/']],
  [
    '/attempt',
    'gate.example',
    [`__Host-fg-openid=${ATTEMPT}`, 'Max-Age=600', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'],
  ],
  ['/attempt', '10.0.0.7:8080', [`fg-openid=${ATTEMPT}`, 'Max-Age=600', 'Path=/', 'HttpOnly', 'SameSite=Lax']],
  ['/forget-attempt', 'gate.example', ['__Host-fg-openid=', 'Max-Age=0', 'Path=/', 'Secure']],
])('the cookie of %s at %s has these attributes', async (path, host, attributes) => {
  expect(await cookieOf(path, host)).toEqual(attributes);
});

test.each([
  ['gate.example', PUBLIC, true],
  ['gate.example:443', PUBLIC, true],
  ['GATE.example:8443', PUBLIC, true],
  ['other.example', PUBLIC, false],
  ['gate.example', 'http://gate.example', false],
  ['gate.example', null, false],
  ['localhost:8080', null, true],
  ['127.0.0.1:8080', null, true],
  ['127.0.0.2:8080', null, false],
  ['localhost.evil.example', null, false],
  ['[::1]:8080', null, false],
])('at %s, with the public URL %s, cookies are kept for TLS alone: %s', (authority, publicUrl, isSecure) => {
  expect(isSecureAt(authority, publicUrl)).toBe(isSecure);
});

test.each([
  ['gate.example', `__Host-fg=sss; __Host-fg-openid=${ATTEMPT}`, { session: 'sss', attempt: { nonce: 'n' } }],
  ['10.0.0.7:8080', `a=b;fg=sss ; fg-openid=${ATTEMPT}`, { session: 'sss', attempt: { nonce: 'n' } }],
  ['gate.example', 'fg=sss; fg-openid=x', { session: null, attempt: null }],
  ['10.0.0.7:8080', '__Host-fg=sss; xfg=s; fg-openid=%%%', { session: null, attempt: null }],
  ['10.0.0.7:8080', '', { session: null, attempt: null }],
])('at %s, the cookies "%s" are read by the names that are written there', async (host, cookie, read) => {
  expect(await (await app.request('/read', { headers: { host, cookie } })).json()).toEqual(read);
});
