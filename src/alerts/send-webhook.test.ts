import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../test/support/test-certificate.ts';
import { startWebhookReceiver, status } from '../../test/support/webhook-receiver.ts';
import type { SignedNotice } from './notice.ts';
import { sendWebhook } from './send-webhook.ts';
import { newWebhookSecret } from './signature.ts';
import { TargetNetwork } from './target-network.ts';

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

test('a receiver that answers 410 is never tried again', async () => {
  const receiver = await startWebhookReceiver();
  receiver.answer = status(410);
  expect(await sendWebhook(network, noticeTo(receiver.url), { nowMs: NOW_MS })).toMatchObject({ kind: 'rejected' });
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
