import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createNetServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { live, ready } from './health.ts';
import { listenFault } from './listen-fault.ts';
import { listeningUrl, takeSocket } from './listening-socket.ts';
import { malformedRefusal } from './malformed.ts';
import { apiLines, route, type RouterParts, servePlayground } from './api-routes.ts';
import type { GatewayDeps } from '../../gate/gateway/gateway-deps.ts';
import { NO_CONTENT } from '../../gate/gateway/content-recorder.ts';
import { NO_TRACES } from '../../gate/gateway/request-trace.ts';
import { PRINCIPAL, StageCaller } from '../../../test/support/gate-stage.ts';
import { turnAway } from './turn-away.ts';
import { refuse } from '../../domain/refusals.ts';

// What is answered without a model, byte for byte: health, malformed HTTP, paths that there are and aren't.

/** Serves each request so, and answers with the server's URL. */
async function serving(serve: (message: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((message, response) => void serve(message, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('health is told for this moment alone, with the checks that fail', async () => {
  const checks = [
    { name: 'database', holds: () => isReachable, isDispensable: true },
    { name: 'epoch', holds: () => isHealthy },
  ];
  let [isHealthy, isReachable] = [true, true];
  const url = await serving((message, response) =>
    message.url === '/livez' ? live(response) : ready(response, checks),
  );
  const told = async (path: string): Promise<unknown[]> => {
    const response = await fetch(url + path);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    return [response.status, await response.json()];
  };
  expect(await told('/livez')).toEqual([200, { status: 'live' }]);
  expect(await told('/readyz')).toEqual([200, { status: 'ready', failing: [] }]);
  isReachable = false;
  expect(await told('/readyz')).toEqual([200, { status: 'ready', failing: ['database'] }]);
  isHealthy = false;
  expect(await told('/readyz')).toEqual([503, { status: 'not ready', failing: ['database', 'epoch'] }]);
});

test.each([
  ['EADDRINUSE', '::1 port 80 is in use by another program; stop it, or choose another with --port'],
  ['EACCES', 'this user may not listen on ::1 port 80; choose a port above 1023 with --port'],
  ['EADDRNOTAVAIL', '::1 is not an address of this machine; choose another with --host'],
  ['ENOTFOUND', '::1 is not an address of this machine; choose another with --host'],
  ['EMFILE', "::1 port 80 can't be listened on: the system says"],
])('an address that can’t be listened on is told with the remedy: %s', (code, message) => {
  const cause = Object.assign(new Error('the system says'), { code });
  expect(listenFault(cause, '::1', 80)).toMatchObject({ name: 'ListenFault', message, cause });
});

test('a socket is bound at its port until it is closed, once', async () => {
  const first = await takeSocket('127.0.0.1', 0);
  expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
  expect(first.descriptor).toBeGreaterThan(2);
  const other = createNetServer().listen({ fd: first.descriptor });
  await once(other, 'listening');
  await expect(takeSocket('127.0.0.1', first.port)).rejects.toThrow('is in use by another program');
  other.close();
  await once(other, 'close');
  first.close();
  first.close();
  await expect(takeSocket('no host has this name.invalid', 0)).rejects.toMatchObject({ name: 'ListenFault' });
  expect(listeningUrl('::1', 80)).toBe('http://[::1]:80');
});

test('a server listens on a socket that it has inherited, or binds its address itself, or says why it can’t', async () => {
  const handlers = { plain: () => undefined, any: (_: unknown, response: ServerResponse) => void response.end('hi') };
  const socket = await takeSocket('127.0.0.1', 0);
  const { port, descriptor } = socket;
  const heir = await RecordingServer.start(handlers, {}, { host: '127.0.0.1', port: 1, descriptor });
  expect([heir.url, heir.front.url]).toEqual([socket.url, socket.url]);
  expect(await (await fetch(heir.url)).text()).toBe('hi');
  const other = RecordingServer.start(handlers, {}, { host: '127.0.0.1', port });
  await expect(other).rejects.toMatchObject({ name: 'ListenFault', message: expect.stringContaining('in use by') });
  await heir.stop();
  socket.close();
});

test.each([
  ['HPE_HEADER_OVERFLOW', { code: 'HEADERS_TOO_LARGE', message: "The request's headers are too large." }],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { code: 'REQUEST_TIMEOUT', message: 'The request was not sent completely in time.', shouldRetry: false },
  ],
  ['HPE_INVALID_VERSION', { code: 'HTTP_VERSION_NOT_SUPPORTED', message: 'This server speaks HTTP/1.1.' }],
  ['HPE_PAUSED_H2_UPGRADE', { code: 'HTTP_VERSION_NOT_SUPPORTED', message: 'This server speaks HTTP/1.1.' }],
  [undefined, { code: 'INVALID_REQUEST', message: 'This is not well-formed HTTP/1.1.' }],
])('malformed HTTP is refused by what is wrong with it: %s', (code, refusal) => {
  expect(malformedRefusal(code)).toEqual({ kind: 'refusal', param: null, ...refusal });
});

test('a refused request keeps its id, and its connection ends', async () => {
  const url = await serving((_message, response) => {
    response.setHeader('x-request-id', 'the-id');
    turnAway(response, refuse('METHOD_NOT_ALLOWED', 'no', { allow: 'POST' }));
  });
  const response = await fetch(url);
  expect(response.status).toBe(405);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    connection: 'close',
    allow: 'POST',
    'x-request-id': 'the-id',
  });
});

/** A router whose parts say what they were asked. */
async function router({ isDraining = false, stripe = true } = {}) {
  const refused: unknown[] = [];
  const asked: string[] = [];
  const says = (what: string) => (message: IncomingMessage, response: ServerResponse) => {
    asked.push(`${what} ${message.url}`);
    response.end(what);
  };
  const gate = {
    principals: { find: () => null },
    permits: { take: () => ({ kind: 'unavailable' }) },
    clock: { monotonicMs: () => 0, nowMs: () => 0 },
    tracer: NO_TRACES,
    content: NO_CONTENT,
    observer: { refused: (what: unknown) => void refused.push(what), failed: () => undefined },
  } as unknown as GatewayDeps;
  const parts = {
    gate,
    limits: { bodyBytesMax: 1_000, budget: { take: () => true, giveBack: () => undefined } },
    isDraining: () => isDraining,
    mounts: {
      admin: says('admin'),
      live: says('live'),
      ready: says('ready'),
      stripeWebhook: stripe ? says('stripe') : null,
      pages: (_id: string, path: string, response: ServerResponse) => {
        if (path !== '/' && path !== '/page') return false;
        response.end('page');
        return true;
      },
    },
  } as unknown as RouterParts;
  const url = await serving((message, response) => route(parts, 'the-id', message, response));
  return { url, asked, refused, parts };
}

test.each([
  ['/livez', 'live'],
  ['/readyz?verbose', 'ready'],
  ['/webhooks/stripe', 'stripe'],
  ['/admin/v1/workspaces', 'admin'],
  ['/scim/v2/Users?count=1', 'admin'],
  ['/metrics', 'admin'],
  ['/', 'page'],
  ['/page?x=1', 'page'],
])('the path %s is that of %s', async (path, what) => {
  const { url, asked } = await router();
  const response = await fetch(url + path);
  expect(await response.text()).toBe(what);
  if (what !== 'page') {
    expect(response.headers.get('x-request-id')).toBe('the-id');
    expect(asked).toEqual([`${what} ${path}`]);
  }
});

const API =
  'POST /v1/chat/completions, POST /v1/responses, POST /v1/responses/compact, POST /v1/completions, POST /v1/embeddings, ' +
  'POST /v1/rerank, POST /v1/moderations, POST /v1/messages, POST /v1/messages/count_tokens, POST /v1/responses/input_tokens, POST /v1/quote, GET /v1/key, GET /v1/models';

test.each([
  ['GET', '/admin', 404, 'There is nothing at GET /admin.'],
  ['GET', '/metricsx', 404, 'There is nothing at GET /metricsx.'],
  ['POST', '/page', 404, 'There is nothing at POST /page.'],
  ['GET', '/v1/other?x', 404, `There is nothing at GET /v1/other. The API has ${API}.`],
  ['GET', `/${'x'.repeat(300)}`, 404, `There is nothing at GET /${'x'.repeat(199)}.`],
  ['GET', '/v1/models/%ff', 404, `There is nothing at GET /v1/models/%ff. The API has ${API}.`],
  ['GET', '/v1/models/', 404, `There is nothing at GET /v1/models/. The API has ${API}.`],
  ['PUT', '/v1/quote', 405, 'This path does not allow PUT; use POST.'],
  ['PUT', '/v1/quote?x=1', 405, 'This path does not allow PUT; use POST.'],
  ['POST', '/v1/key', 405, 'This path does not allow POST; use GET.'],
  ['DELETE', '/v1/models/m', 405, 'This path does not allow DELETE; use GET.'],
  ['POST', '/v1/responses/resp_1', 405, 'This path does not allow POST; use GET, DELETE.'],
  ['DELETE', '/v1/responses/resp_1/input_items', 405, 'This path does not allow DELETE; use GET.'],
])('what there is nothing for is refused by saying what there is: %s %s', async (method, path, status, message) => {
  const { url, refused } = await router();
  const response = await fetch(url + path, { method });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { message } });
  expect(response.headers.get('allow')).toBe(status === 405 ? message.slice(message.indexOf('use ') + 4, -1) : null);
  expect(refused).toMatchObject([{ requestId: 'the-id', principal: null, endpoint: null, model: null }]);
});

test('without a payment provider its path is one like any other', async () => {
  const { url } = await router({ stripe: false });
  expect((await fetch(`${url}/webhooks/stripe`, { method: 'POST' })).status).toBe(404);
});

test.each(['http://elsewhere/v1/key', 'HTTPS://elsewhere/v1/key?x'])(
  'a request as for a proxy is one for its path: %s',
  async (target) => {
    const { parts } = await router();
    const url = await serving((message, response) => {
      Object.assign(message, { url: target });
      return route(parts, 'the-id', message, response);
    });
    expect((await fetch(url)).status).toBe(401);
  },
);

test('a request for a WebSocket is told to send a POST', async () => {
  const { url, refused } = await router();
  const sent = request(`${url}/v1/responses`, { headers: { upgrade: 'WebSocket', connection: 'upgrade' } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(426);
  expect(refused).toMatchObject([
    { refusal: { message: 'There are no WebSockets here; send a POST request.', code: 'WEBSOCKET_NOT_SUPPORTED' } },
  ]);
});

test('a server that stops refuses what it would serve, and its connections end', async () => {
  const { url } = await router({ isDraining: true });
  const response = await fetch(`${url}/v1/key`);
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toMatchObject({ connection: 'close', 'retry-after': '1' });
  expect(await response.json()).toMatchObject({
    error: { message: 'This server is stopping. Send the request again.' },
  });
  expect((await fetch(`${url}/v1/key`, { method: 'PUT' })).status).toBe(405);
});

test('each route without an item in its path is served plainly too', async () => {
  const { parts } = await router();
  const lines = apiLines(parts);
  expect([...lines.keys()].map((line) => line.replace(' HTTP/1.1', '')).join(', ')).toBe(API);
  for (const serve of lines.values()) {
    const caller = new StageCaller({});
    Object.assign(caller, { authorization: undefined });
    await serve(caller);
    expect(caller.refusal).toMatchObject({ code: 'INVALID_API_KEY' });
  }
});

test('the playground asks for its caller, whose key nobody looks up', async () => {
  const { parts } = await router();
  for (const endpoint of ['chat', 'quote'] as const) {
    const url = await serving((incoming, outgoing) =>
      servePlayground(parts, { endpoint, principal: PRINCIPAL, requestId: 'the-id', incoming, outgoing }),
    );
    // It comes as far as the type of its body.
    expect((await fetch(url, { method: 'POST', body: 'hi' })).status).toBe(415);
  }
});
