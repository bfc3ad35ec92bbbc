import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https, { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { startWebhookReceiver, status } from '../../../test/support/webhook-receiver.ts';
import type { SendResult, SignedNotice } from './notice.ts';
import { sendWebhook } from './send-webhook.ts';
import { newWebhookSecret } from './signature.ts';
import { TargetNetwork } from '../../lib/target-network.ts';

const NOW_MS = 1_800_000_000_000;
const LOOPBACK = ['127.0.0.0/8'];
const network = new TargetNetwork(LOOPBACK);

const noticeTo = (url: string, more: Partial<SignedNotice> = {}): SignedNotice => ({
  channel: 'webhook',
  workspaceId: randomUUID(),
  id: randomUUID(),
  attempt: 1,
  giveUpAt: new Date(NOW_MS),
  url,
  body: '{"a":"é"}',
  secrets: [newWebhookSecret()],
  ...more,
});

function failure(code: number | null, reason: string): SendResult {
  return { kind: 'failed', status: code, reason, retryAfterMs: 0 };
}

test('a webhook is posted with its id, and signed by the present and the former secret', async () => {
  const receiver = await startWebhookReceiver();
  const notice = noticeTo(`${receiver.url}?a=1`, { secrets: ['one', 'two'] });
  expect(await sendWebhook(network, notice, { nowMs: NOW_MS })).toEqual({ kind: 'sent', status: 204 });
  const sign = (secret: string): string =>
    createHmac('sha256', secret).update(`1800000000.${notice.body}`).digest('hex');
  expect(receiver.received).toEqual([
    {
      id: notice.id,
      body: notice.body,
      path: '/hook?a=1',
      signature: `t=1800000000,v1=${sign('one')},v1=${sign('two')}`,
    },
  ]);
});

test('a webhook is a POST of JSON to the host that its URL names', async () => {
  const receiver = await startWebhookReceiver();
  const seen: unknown[] = [];
  receiver.answer = (response, { method, headers }) => {
    seen.push({ method, host: headers.host, type: headers['content-type'], length: headers['content-length'] });
    seen.push(headers['user-agent']);
    response.end();
  };
  await sendWebhook(network, noticeTo(receiver.url.replace('127.0.0.1', 'localhost')), { nowMs: NOW_MS });
  const sent = { method: 'POST', host: `localhost:${receiver.port}`, type: 'application/json', length: '10' };
  expect(seen).toEqual([sent, 'faregate']);
});

test('a redirect is a failure, and is not followed', async () => {
  const other = await startWebhookReceiver();
  const receiver = await startWebhookReceiver();
  receiver.answer = status(307, { location: other.url });
  const result = await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS });
  expect(result).toMatchObject({ kind: 'failed', status: 307, reason: 'it answered 307: redirects are not followed' });
  expect(other.received).toEqual([]);
});

test('a receiver that asks for a pause by Retry-After gets it, up to four hours', async () => {
  const receiver = await startWebhookReceiver();
  const send = () => sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS });
  receiver.answer = status(503, { 'retry-after': '120' });
  expect(await send()).toMatchObject({ kind: 'failed', status: 503, retryAfterMs: 120_000 });
  receiver.answer = status(429, { 'retry-after': '99999999' });
  expect(await send()).toMatchObject({ retryAfterMs: 4 * 3_600_000 });
  receiver.answer = status(429, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' });
  expect(await send()).toMatchObject({ retryAfterMs: 0 });
});

test.each(['x120', '120x', '-1', '1.5', '', '1234567890'])(
  'a Retry-After of %j asks for no pause, since it is no number of seconds within thirty years',
  async (header) => {
    const receiver = await startWebhookReceiver();
    receiver.answer = status(503, { 'retry-after': header });
    expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toMatchObject({ retryAfterMs: 0 });
  },
);

test.each<[number, SendResult]>([
  [200, { kind: 'sent', status: 200 }],
  [299, { kind: 'sent', status: 299 }],
  [300, failure(300, 'it answered 300: redirects are not followed')],
  [399, failure(399, 'it answered 399: redirects are not followed')],
  [400, failure(400, 'it answered 400')],
  [500, failure(500, 'it answered 500')],
  // A receiver that answers so is never tried again.
  [410, { kind: 'rejected', status: 410, reason: 'it answered 410' }],
])('a webhook that is answered by %d has this result: %j', async (code, result) => {
  const receiver = await startWebhookReceiver();
  receiver.answer = status(code);
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toEqual(result);
});

test('an answer whose status is below those of HTTP is a failure', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = (response) => void response.socket?.end('HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n');
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toEqual(failure(99, 'it answered 99'));
});

test('a receiver that hangs is given up on after the time for an attempt', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = () => undefined;
  const result = await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS, attemptMsMax: 200 });
  expect(result).toMatchObject({ kind: 'failed', reason: 'it took too long' });
});

test('a receiver that never ends its answer is given up on after the time for an attempt', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = (response) => {
    response.writeHead(200);
    response.write('a');
  };
  const result = await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS, attemptMsMax: 200 });
  expect(result).toMatchObject({ kind: 'failed', reason: 'it took too long' });
});

test('a receiver that closes the connection without an answer is a failure that names no address', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = (response) => void response.destroy();
  const result = await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS });
  expect(result).toMatchObject({ kind: 'failed', reason: 'the connection failed (ECONNRESET)' });
});

test('an answer without end is read up to a bound, and its status counts', async () => {
  const receiver = await startWebhookReceiver();
  let sent = 0;
  receiver.answer = (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(16_384);
    const write = (): void => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    response.on('drain', write);
    response.on('error', () => undefined);
    write();
  };
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toEqual({ kind: 'sent', status: 200 });
  // What stands in the sockets' buffers comes on top.
  expect(sent).toBeLessThan(32 * 1_048_576);
});

// More of it than this is not read.
const ANSWER_BYTES_MAX = 65_536;

test.each([ANSWER_BYTES_MAX, ANSWER_BYTES_MAX + 1])('an answer of %d bytes is received', async (length) => {
  const receiver = await startWebhookReceiver();
  receiver.answer = (response) => void response.end(Buffer.alloc(length));
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toEqual({ kind: 'sent', status: 200 });
});

test('an answer that breaks off counts once more of it has come than is read, and is a failure before', async () => {
  const receiver = await startWebhookReceiver();
  const breakAfter = async (length: number): Promise<SendResult> => {
    receiver.answer = (response) => {
      response.writeHead(200, { 'content-length': 2 * ANSWER_BYTES_MAX });
      response.write(Buffer.alloc(length), () => response.destroy());
    };
    return await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS });
  };
  expect(await breakAfter(ANSWER_BYTES_MAX)).toMatchObject({ kind: 'failed', status: null, retryAfterMs: 0 });
  expect(await breakAfter(ANSWER_BYTES_MAX + 1)).toEqual({ kind: 'sent', status: 200 });
});

test.each<[string, unknown, string]>([
  ['an error with a code', Object.assign(new Error('10.0.0.1'), { code: 'EHOSTUNREACH' }), 'EHOSTUNREACH'],
  ['an error without a code', new Error('10.0.0.1'), 'unknown'],
  ['an error whose code is no text', Object.assign(new Error('10.0.0.1'), { code: 7 }), 'unknown'],
  ['no error', { code: 'EHOSTUNREACH' }, 'unknown'],
])('an attempt that ends with %s fails, and says no more than a code', async (_, fault, code) => {
  const broken = new TargetNetwork(LOOPBACK);
  vi.spyOn(broken, 'locate').mockRejectedValueOnce(fault);
  expect(await sendWebhook(broken, noticeTo('https://hooks.example/'), { nowMs: NOW_MS })).toEqual(
    failure(null, `the connection failed (${code})`),
  );
});

test.each<[string, object]>([
  ['https://hook.example/a?b=1', { host: '8.8.4.4', servername: 'hook.example', port: 443, path: '/a?b=1' }],
  ['https://hook.example:8443/', { host: '8.8.4.4', servername: 'hook.example', port: 8443, path: '/' }],
  ['https://8.8.8.8/', { host: '8.8.8.8', port: 443, path: '/' }],
  ['https://[2606:4700::1111]/', { host: '2606:4700::1111', port: 443, path: '/' }],
  ['http://127.0.0.1/', { host: '127.0.0.1', port: 80, path: '/' }],
  ['http://127.0.0.1:8080/', { host: '127.0.0.1', port: 8080, path: '/' }],
])('a webhook to %s connects to %j, by a connection of its own', async (url, target) => {
  const asked: object[] = [];
  for (const client of [http, https]) {
    vi.spyOn(client, 'request').mockImplementation((options: unknown) => {
      const { headers: _headers, signal: _signal, method: _method, ...rest } = options as Record<string, unknown>;
      asked.push({ by: client === https ? 'https' : 'http', ...rest });
      throw new Error('it is not sent');
    });
  }
  const resolved = new TargetNetwork(LOOPBACK, () => Promise.resolve(['8.8.4.4']));
  expect(await sendWebhook(resolved, noticeTo(url), { nowMs: NOW_MS })).toMatchObject({ kind: 'failed' });
  const by = url.slice(0, url.indexOf(':'));
  expect(asked).toEqual([{ by, ...target, agent: false, maxHeaderSize: 16_384 }]);
});

test('a header block without end fails the attempt', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = status(200, { 'x-long': 'a'.repeat(40_000) });
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toMatchObject({
    kind: 'failed',
    reason: 'the connection failed (HPE_HEADER_OVERFLOW)',
  });
});

test('a webhook connects to the address that was checked, and resolves its name only once', async () => {
  const receiver = await startWebhookReceiver();
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']];
  let asked = 0;
  const changing = new TargetNetwork(LOOPBACK, () => Promise.resolve(answers[asked++] ?? []));
  // Over plain http this host name is refused before it is resolved, so TLS is tried with a receiver that speaks none.
  const result = await sendWebhook(changing, noticeTo(`https://hook.example:${receiver.port}/`), { nowMs: NOW_MS });
  // It spoke TLS with the receiver, which a name that no DNS knows could not lead to.
  expect(result).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/EPROTO|ERR_SSL|ECONNRESET/) });
  expect(asked).toBe(1);
});

test('a name that resolves to a closed network when it is sent is refused, and nothing is connected to', async () => {
  const receiver = await startWebhookReceiver();
  const strict = new TargetNetwork([], () => Promise.resolve(['127.0.0.1']));
  const result = await sendWebhook(strict, noticeTo(`https://hook.example:${receiver.port}/`), { nowMs: NOW_MS });
  expect(result).toMatchObject({
    kind: 'failed',
    reason:
      'the URL leads to an address that is not public; the operator can allow its network by webhooks.allowed_networks',
  });
  expect(receiver.received).toEqual([]);
});

test('a webhook is delivered by https to a receiver whose certificate is trusted and has its name, and to no other', async () => {
  const received: string[] = [];
  const server = createServer({ ...TEST_CERTIFICATE }, (request, response) => {
    void text(request)
      .then((body) => {
        received.push(`${request.headers.host} ${body}`);
        response.writeHead(204).end();
      })
      .catch(() => response.destroy());
  });
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const toLoopback = new TargetNetwork(LOOPBACK, () => Promise.resolve(['127.0.0.1']));
  const send = (name: string) => sendWebhook(toLoopback, noticeTo(`https://${name}:${port}/hook`), { nowMs: NOW_MS });
  expect(await send('localhost')).toMatchObject({ kind: 'failed', status: null });

  const trusted = getCACertificates('default');
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert]);
  expect(await send('hooks.example')).toMatchObject({ kind: 'failed', status: null });
  expect(received).toEqual([]);
  expect(await send('localhost')).toEqual({ kind: 'sent', status: 204 });
  expect(received).toEqual([`localhost:${port} {"a":"é"}`]);
});
