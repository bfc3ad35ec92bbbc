import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { onlyOwnPages } from './guards.ts';

const app = new Hono().use(onlyOwnPages(['gate.example'])).all('*', (c) => c.text('served'));

const CALLBACK = '/admin/v1/openid/callback';
const ME = '/admin/v1/me';
const NAVIGATED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

test.each<[string, string, string, Record<string, string>, number]>([
  ['a program', 'GET', ME, { host: 'evil.example' }, 200],
  [
    'an own page',
    'POST',
    ME,
    { host: 'gate.example', origin: 'https://gate.example', 'sec-fetch-site': 'same-origin' },
    200,
  ],
  ['an own page at an address', 'POST', ME, { host: '10.0.0.7:8080', origin: 'http://10.0.0.7:8080' }, 200],
  ['an own page at localhost', 'GET', ME, { host: 'localhost:8080', 'sec-fetch-site': 'same-origin' }, 200],
  ['a bookmark', 'GET', ME, { host: 'gate.example', 'sec-fetch-site': 'none' }, 200],
  ['a page of another port', 'POST', ME, { host: '10.0.0.7:8080', origin: 'http://10.0.0.7:9090' }, 400],
  ['a page of another site', 'POST', ME, { host: 'gate.example', origin: 'https://evil.example' }, 400],
  ['a page without an origin', 'POST', ME, { host: 'gate.example', origin: 'null' }, 400],
  ['a link on another site', 'GET', ME, { host: 'gate.example', ...NAVIGATED }, 400],
  ['a name that is not the instance’s', 'GET', ME, { host: 'evil.example', 'sec-fetch-site': 'same-origin' }, 400],
  ['the OpenID provider’s way back', 'GET', CALLBACK, { host: 'gate.example', ...NAVIGATED }, 200],
  ['a form of another site', 'POST', CALLBACK, { host: 'gate.example', ...NAVIGATED }, 400],
  ['a script of another site', 'GET', CALLBACK, { host: 'gate.example', ...NAVIGATED, 'sec-fetch-mode': 'cors' }, 400],
  ['a path below the way back', 'GET', `${CALLBACK}/x`, { host: 'gate.example', ...NAVIGATED }, 400],
])(
  'of requests by browsers, %s is answered only if it is an own page: %s %s',
  async (_, method, path, headers, status) => {
    expect((await app.request(path, { method, headers })).status).toBe(status);
  },
);
