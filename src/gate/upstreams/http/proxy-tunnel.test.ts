import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  startConnectProxy,
} from '../../../../test/support/connect-proxy.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { useManualTimers } from '../../../../test/support/manual-timers.ts';
import { RecordedExchange } from '../../../../test/support/recorded-exchange.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import { TEST_CERTIFICATE } from '../../../../test/support/test-certificate.ts';
import { CLIENT_TIMEOUTS } from '../../../../test/support/upstream-pair.ts';
import { type ConnectionSettings, DIRECT } from './destination.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

const TRUSTED = { ca: TEST_CERTIFICATE.cert, cert: null, key: null };
const PASSWORD = 's3cret:p@ss';

const cleanups: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function proxy(options?: ConnectProxyOptions): Promise<ConnectProxy> {
  const started = await startConnectProxy(options);
  cleanups.push(() => started.stop());
  return started;
}

async function plainServer(): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream((response, { body }) => response.end(body));
  cleanups.push(() => started.stop());
  return started;
}

interface SecureServer {
  readonly origin: string;
  /** The client's name in its certificate; null if it has sent none. */
  readonly clients: (string | null)[];
  /** Whether each connection resumed an earlier session. */
  readonly resumed: boolean[];
}

async function secureServer(options: { readonly wantsClient?: boolean } = {}): Promise<SecureServer> {
  const clients: (string | null)[] = [];
  const resumed: boolean[] = [];
  const asksForClient = { requestCert: true, ca: TEST_CERTIFICATE.cert };
  const server = createSecureServer(
    { ...TEST_CERTIFICATE, ...(options.wantsClient === true && asksForClient) },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      clients.push(socket.getPeerX509Certificate()?.subject ?? null);
      response.end('secured');
    },
  );
  server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
  server.listen(0);
  await once(server, 'listening');
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, clients, resumed };
}

function clientOf(origin: string, settings: Partial<ConnectionSettings>, timeouts = CLIENT_TIMEOUTS): HttpClient {
  const client = createHttpClient(origin, timeouts, { ...DIRECT, ...settings });
  cleanups.push(() => client.close(0));
  return client;
}

function post(client: HttpClient, body = '{}'): RecordedExchange {
  const recording = new RecordedExchange();
  client.send({ method: 'POST', path: '/v1/x', headers: {}, body: [Buffer.from(body)] }, recording);
  return recording;
}

function trustTestCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, TEST_CERTIFICATE.cert]);
  cleanups.push(() => setDefaultCACertificates(before));
}

function withCredentials(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//us%65r:${encodeURIComponent(PASSWORD)}@${host}`;
}

test('through a proxy, a secure server is reached by CONNECT, spoken to by TLS, and asked again by the same way', async () => {
  const server = await secureServer();
  const way = await proxy();
  const client = clientOf(server.origin, { proxy: way.url, tls: TRUSTED });
  for (let round = 0; round < 3; round++) {
    const recording = post(client);
    expect([await recording.ended(), recording.text]).toEqual(['end', 'secured']);
    await eventually(() => expect(way.asked).toHaveLength(1));
  }
  expect(way.asked).toEqual([{ authority: new URL(server.origin).host, authorization: null }]);
});

test('through a proxy, a plain server is reached by CONNECT too, with bodies of any size', async () => {
  const server = await plainServer();
  const way = await proxy();
  const client = clientOf(server.origin, { proxy: way.url });
  for (const body of ['{}', 'x'.repeat(3_000_000)]) {
    const recording = post(client, body);
    expect([await recording.ended(), recording.text === body]).toEqual(['end', true]);
  }
  expect(way.asked).toHaveLength(1);
  expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('through a proxy, a server at an address of IPv6 is asked for with the address in brackets', async () => {
  const way = await proxy({ behave: (socket) => socket.end('HTTP/1.1 502 No\r\n\r\n') });
  await post(clientOf('https://[fd00::17]', { proxy: way.url })).ended();
  expect(way.asked).toMatchObject([{ authority: '[fd00::17]:443' }]);
});

test('through a proxy, that is spoken to by TLS itself, a secure server is reached', async () => {
  trustTestCertificate();
  const server = await secureServer();
  const way = await proxy({ isSecure: true });
  const recording = post(clientOf(server.origin, { proxy: way.url }));
  expect([await recording.ended(), recording.text]).toEqual(['end', 'secured']);
  expect(way.asked).toHaveLength(1);
});

test('a proxy’s user and password go to it, and to nobody else', async () => {
  const server = await plainServer();
  const way = await proxy();
  await post(clientOf(server.origin, { proxy: withCredentials(way.url) })).ended();
  const expected = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
  expect(way.asked.map(({ authorization }) => authorization)).toEqual([expected]);
  expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/s3cret|Basic/);
});

test('through a proxy, the certificate is still the server’s to show', async () => {
  const server = await secureServer();
  const way = await proxy();
  const fault = await post(clientOf(server.origin, { proxy: way.url })).ended();
  expect(fault).toMatchObject({
    kind: 'unreachable',
    message: expect.stringMatching(/through the proxy .*SELF_SIGNED/),
  });
});

test('an abort while a proxy is asked closes the connection', async () => {
  const way = await proxy({ behave: () => undefined });
  const client = clientOf('http://api.example', { proxy: way.url });
  const recording = new RecordedExchange();
  const running = client.send({ method: 'GET', path: '/', headers: {}, body: null }, recording);
  await eventually(() => expect(way.asked).toHaveLength(1));
  running.abort();
  await eventually(() => expect(way.sockets.size).toBe(0));
  expect(recording.calls).toBe(0);
});

const secret = 'quoted-from-the-proxy';

test.each([
  ['wants other credentials', `HTTP/1.1 407 ${secret}\r\n\r\n`, /answers 407; it does not take the user and the pass/],
  ['refuses the way', `HTTP/1.1 403 ${secret}\r\ncontent-length: 3\r\n\r\nno!`, /answers 403$/],
  ['cannot reach the server', `HTTP/1.1 502 ${secret}\r\n\r\n<html>${secret}</html>`, /answers 502$/],
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', /answers 101$/],
  ['is another kind of server', `SSH-2.0-OpenSSH_9.9 ${secret}\r\n`, /does not speak HTTP/],
  ['has no status', `HTTP/1.1 ok ${secret}\r\n\r\n`, /does not speak HTTP/],
  ['says more than an answer', `HTTP/1.1 200 OK\r\n\r\n${secret}`, /more than an answer/],
  ['has a head without an end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`, /too large/],
])(
  'a proxy’s failure is told as the proxy’s, without what it says and what it was sent, where it %s',
  async (_what, answer, message) => {
    const way = await proxy({ behave: (socket) => socket.write(answer) });
    const fault = await post(clientOf('https://api.example', { proxy: withCredentials(way.url) })).ended();
    expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) });
    expect(fault).toMatchObject({ message: expect.stringMatching(`^the proxy ${new URL(way.url).host}: `) });
    expect(JSON.stringify(fault)).not.toMatch(/quoted|s3cret|user:/);
    await eventually(() => expect(way.sockets.size).toBe(0));
  },
);

test('a proxy that wants credentials fails as a proxy, without what it says and what it was sent', async () => {
  const way = await proxy({ behave: (socket) => socket.write('HTTP/1.1 407 No\r\n\r\n') });
  const fault = await post(clientOf('https://api.example', { proxy: way.url })).ended();
  expect(fault).toMatchObject({ message: expect.stringContaining('write a user and a password into its URL') });
});

test.each<[string, NonNullable<ConnectProxyOptions['behave']>]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['closes within its answer', (socket) => socket.end('HTTP/1.1 200 OK\r\n')],
])('a proxy’s failure is told as the proxy’s, where its connection %s', async (_what, behave) => {
  const way = await proxy({ behave });
  const fault = await post(clientOf('https://api.example', { proxy: way.url })).ended();
  expect(fault).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining(`the proxy ${new URL(way.url).host}: `),
  });
});

test('a proxy’s failure is told as the proxy’s, without what it says and what it was sent where nobody listens', async () => {
  const way = await startConnectProxy();
  await way.stop();
  const fault = await post(clientOf('https://api.example', { proxy: way.url })).ended();
  expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(/^the proxy .*ECONNREFUSED/) });
});

test.each([
  ['before it has answered', '', 'opened no connection'],
  ['once it has answered', 'HTTP/1.1 200 OK\r\n\r\n', 'no TLS through the proxy'],
])('a proxy’s failure is told as the proxy’s where it hangs %s', async (_when, answer, message) => {
  const clock = useManualTimers();
  const hanging = Promise.withResolvers<void>();
  const way = await proxy({
    behave: (socket) => {
      if (answer === '') hanging.resolve();
      else socket.once('data', () => hanging.resolve()).write(answer);
    },
  });
  const recording = post(clientOf('https://api.example', { proxy: way.url }));
  await hanging.promise;
  clock.advance(CLIENT_TIMEOUTS.connectMs + 250);
  const expected = { kind: 'timeout', phase: 'connect', message: expect.stringContaining(message) };
  expect(await recording.ended()).toMatchObject(expected);
  expect(recording.endings).toMatchObject([{ message: expect.stringContaining(new URL(way.url).host) }]);
  await eventually(() => expect(way.sockets.size).toBe(0));
});

test('certificates of a provider’s own vouch for its server, and the usual ones don’t any more', async () => {
  const server = await secureServer();
  expect(await post(clientOf(server.origin, { tls: TRUSTED })).ended()).toBe('end');
  expect(await post(clientOf(server.origin, {})).ended()).toMatchObject({ kind: 'unreachable' });
});

test('certificates of a provider’s own are shown to a server that asks who its client is', async () => {
  const server = await secureServer({ wantsClient: true });
  const tls = { ca: TEST_CERTIFICATE.cert, cert: TEST_CERTIFICATE.cert, key: TEST_CERTIFICATE.key };
  expect(await post(clientOf(server.origin, { tls })).ended()).toBe('end');
  expect(await post(clientOf(server.origin, { tls, proxy: (await proxy()).url })).ended()).toBe('end');
  expect(server.clients).toEqual(['CN=localhost', 'CN=localhost']);
  expect(await post(clientOf(server.origin, { tls: TRUSTED })).ended()).toMatchObject({
    kind: expect.stringMatching(/broken|unreachable/),
  });
});

test('certificates of a provider’s own do not keep a next connection from taking up the last session', async () => {
  const server = await secureServer();
  for (const settings of [{}, { proxy: (await proxy()).url }]) {
    const client = clientOf(server.origin, { tls: TRUSTED, ...settings }, { ...CLIENT_TIMEOUTS, keepAliveMs: 0 });
    await post(client).ended();
    await post(client).ended();
  }
  expect(server.resumed).toEqual([false, true, false, true]);
});
