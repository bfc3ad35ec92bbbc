import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { TargetNetwork } from '../../lib/target-network.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { fetchWithin } from './target-fetch.ts';

// Providers that a workspace names may be anything: nothing that they answer makes them another's, or keeps this instance busy.

const CALLBACK = 'https://gateway.example/admin/v1/openid/callback/x';
const network = new TargetNetwork(['127.0.0.0/8']);
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that answers so; its address. */
async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const metadataOf = (issuer: string, more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  ...more,
});

/** What becomes of a sign-in that begins at this issuer, and the fault that the log has. */
async function begun(issuer: string) {
  const faults: unknown[] = [];
  const settings = { issuer, clientId: 'c', clientSecret: 's', name: 'Test' };
  const provider = new OpenIdProvider(settings, (fault) => faults.push(fault), network);
  const result = await provider.begin(CALLBACK, 'sign_in');
  return { isRefused: 'kind' in result, fault: String(faults[0]) };
}

test('a provider whose metadata names another issuer is none, whose people it would sign in', async () => {
  const other = 'https://accounts.google.com';
  const url = await serving((_request, response) => response.end(JSON.stringify(metadataOf(other))));
  expect((await begun(url)).isRefused).toBe(true);
  const named = await begun(`${url}/.well-known/openid-configuration`);
  expect(named).toMatchObject({ isRefused: true, fault: expect.stringContaining('names another issuer') });
});

test('a provider whose page is no address of the web is none', async () => {
  const url: string = await serving((_request, response) =>
    response.end(JSON.stringify(metadataOf(url, { authorization_endpoint: 'javascript:alert(1)' }))),
  );
  expect(await begun(url)).toMatchObject({ isRefused: true, fault: expect.stringContaining('no page to sign in') });
});

test('a provider that redirects, answers too much or breaks off is away', async () => {
  const target = await serving((_request, response) => response.end(JSON.stringify(metadataOf(target))));
  const redirecting = await serving((_request, response) => response.writeHead(302, { location: target }).end());
  const large = await serving((_request, response) => response.end(`{"a":"${'x'.repeat(600_000)}"}`));
  const breaking = await serving((_request, response) => response.socket?.destroy());
  for (const url of [redirecting, large, breaking]) expect((await begun(url)).isRefused).toBe(true);
});

test('no endpoint that the metadata names is reached outside of what the operator allows', async () => {
  let reached = 0;
  const inner = await serving((_request, response) => {
    reached++;
    response.end('{}');
  });
  const closed = new TargetNetwork([]);
  await expect(fetchWithin(closed)(`${inner}/token`, { method: 'POST', headers: {} })).rejects.toThrow('not public');
  await expect(fetchWithin(closed)('https://169.254.169.254/latest', { method: 'GET', headers: {} })).rejects.toThrow(
    'not public',
  );
  await expect(fetchWithin(network)('file:///etc/passwd', { method: 'GET', headers: {} })).rejects.toThrow('not https');
  expect(reached).toBe(0);
});

test('a provider that does not answer is given up when the time is over', async () => {
  const silent = await serving(() => undefined);
  const signal = AbortSignal.abort();
  await expect(fetchWithin(network)(silent, { method: 'GET', headers: {}, signal })).rejects.toThrow('aborted');
});

test('what is sent and answered arrives as it is: methods, headers, forms, statuses and types', async () => {
  const url = await serving((request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ method: request.method, accept: request.headers.accept, body }));
    });
  });
  const body = new URLSearchParams({ code: 'a b' });
  const answer = await fetchWithin(network)(url, { method: 'POST', headers: { accept: 'application/json' }, body });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(await answer.json()).toEqual({ method: 'POST', accept: 'application/json', body: 'code=a+b' });
});
