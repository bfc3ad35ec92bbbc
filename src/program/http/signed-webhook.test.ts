import { afterEach, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { refuse } from '../../domain/refusals.ts';
import { BodyReads } from './body-reads.ts';
import { signedWebhook } from './signed-webhook.ts';

// Anybody may send a webhook, so whatever it took is given back, whatever becomes of it.

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

interface Hooked {
  readonly server: RecordingServer;
  readonly reads: BodyReads;
}

interface HookOptions {
  readonly apply?: () => Promise<null>;
  readonly readMsMax?: number;
}

/** Webhooks come through a proxy that names their sender. */
async function serve({ apply = () => Promise.resolve(null), readMsMax }: HookOptions = {}): Promise<Hooked> {
  const server = await RecordingServer.start({
    plain: () => undefined,
    any: (message, response) => {
      response.setHeader('x-request-id', 'an-id');
      Promise.resolve(webhook(message, response)).catch(() => response.destroy());
    },
  });
  const addresses = new CallerAddresses(['127.0.0.1']);
  const reads = new BodyReads({ addresses, budget: server.budget, ...(readMsMax === undefined ? {} : { readMsMax }) });
  const webhook = signedWebhook({
    reads,
    signatureHeader: 'signature',
    read: (_body, signature) => (signature === 'good' ? {} : refuse('INVALID_REQUEST', 'It is not signed.')),
    apply,
  });
  opened.defer(() => server.stop());
  return { server, reads };
}

interface Sent {
  readonly signature?: string;
  /** Left out: all of it. */
  readonly sent?: number;
  readonly from?: string;
}

function send(
  { server }: Hooked,
  length: number,
  { signature = 'good', sent = length, from }: Sent = {},
): RawConnection {
  const forwarded = { 'x-forwarded-for': from ?? '192.0.2.1' };
  const fields = { host: 'x', 'content-length': String(length), signature, ...forwarded };
  const connection = new RawConnection(server.url).send(head('POST /hook HTTP/1.1', fields), 'x'.repeat(sent));
  opened.defer(() => connection.destroy());
  return connection;
}

const statusOf = async (connection: RawConnection): Promise<number | undefined> =>
  (await connection.response())?.status;

test('the memory of a webhook is given back when it is taken, refused, too large, or broken off', async () => {
  const hooked = await serve();
  const statuses: (number | undefined)[] = [];
  for (const [length, signature] of [
    [100_000, 'good'],
    [100_000, 'bad'],
    [262_144, 'good'],
    [262_145, 'good'],
  ] as const) {
    statuses.push(await statusOf(send(hooked, length, { signature })));
    await until(() => hooked.server.budget.taken === 0);
  }
  expect(statuses).toEqual([200, 400, 200, 413]);
  const broken = send(hooked, 100_000, { sent: 50_000 });
  await until(() => hooked.server.budget.taken >= 50_000);
  broken.destroy();
  await until(() => hooked.server.budget.taken === 0 && hooked.reads.reading === 0);
});

test('a webhook is answered by what became of it, and anything but a POST by what there is', async () => {
  const hooked = await serve();
  const answered = async (connection: RawConnection) => {
    const response = await connection.response();
    const body = response?.body.toString() ?? '';
    return { status: response?.status, headers: response?.headers, body: JSON.parse(body) as object };
  };
  expect(await answered(send(hooked, 10))).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'x-request-id': 'an-id' },
    body: { received: true },
  });
  const got = new RawConnection(hooked.server.url).send(head('GET /hook HTTP/1.1', { host: 'x' }));
  opened.defer(() => got.destroy());
  expect(await answered(got)).toMatchObject({
    status: 405,
    headers: { allow: 'POST', connection: 'close' },
    body: { error: { message: 'This path allows POST.', code: 'METHOD_NOT_ALLOWED' } },
  });
});

test('a webhook whose body is refused is told why', async () => {
  const hooked = await serve({ readMsMax: 200 });
  const messageOf = async (connection: RawConnection): Promise<unknown> => {
    const { error } = JSON.parse((await connection.response())?.body.toString() ?? '') as { error: object };
    return error;
  };
  expect(await messageOf(send(hooked, 262_145))).toMatchObject({
    code: 'REQUEST_TOO_LARGE',
    message: 'The body may have 262144 bytes at most.',
  });
  expect(await messageOf(send(hooked, 10, { sent: 1 }))).toMatchObject({
    code: 'REQUEST_TIMEOUT',
    message: 'The body did not arrive within 0.2 s.',
  });
  const patient = await serve();
  const displaced = send(patient, 10, { sent: 1 });
  await until(() => patient.reads.reading === 1);
  for (let count = 0; count < 16; count++) send(patient, 10, { sent: 1 });
  expect(await messageOf(displaced)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests are being received: try again in a moment.',
  });
});

test('unfinished webhooks from one address or from many keep none that is whole from being taken', async () => {
  const hooked = await serve();
  const unfinished = [
    ...Array.from({ length: 100 }, () => '198.51.100.7'),
    ...Array.from({ length: 160 }, (_, site) => `10.1.${site}.${site}`),
  ].map((from) => send(hooked, 1_000, { sent: 10, from }));
  await until(() => hooked.reads.reading === 128);
  for (const from of ['192.0.2.1', '198.51.100.7', '10.1.3.9'])
    expect(await statusOf(send(hooked, 10, { from }))).toBe(200);
  for (const connection of unfinished) connection.destroy();
  await until(() => hooked.reads.reading === 0 && hooked.server.budget.taken === 0);
});

test('a webhook whose body does not come in time is refused, and holds nothing any more', async () => {
  const hooked = await serve({ readMsMax: 50 });
  const slow = send(hooked, 1_000, { sent: 10 });
  expect(await statusOf(slow)).toBe(408);
  await slow.closed;
  expect([hooked.reads.reading, hooked.server.budget.taken]).toEqual([0, 0]);
});

test('only webhooks with a good signature take places, and give them back', async () => {
  const applied = Promise.withResolvers<null>();
  let applying = 0;
  const hooked = await serve({
    apply: () => {
      applying += 1;
      return applied.promise;
    },
  });
  const waiting = Array.from({ length: 20 }, () => send(hooked, 10));
  await until(() => applying === 20);
  for (let count = 0; count < 5; count++) expect(await statusOf(send(hooked, 10, { signature: 'bad' }))).toBe(400);
  expect(await statusOf(send(hooked, 10))).toBe(503);
  applied.resolve(null);
  for (const each of waiting) expect(await statusOf(each)).toBe(200);
  expect(await statusOf(send(hooked, 10))).toBe(200);
});

test('a webhook that fails gives its place back', async () => {
  let isBroken = true;
  const hooked = await serve({ apply: () => (isBroken ? Promise.reject(new Error('a bug')) : Promise.resolve(null)) });
  await Promise.all(Array.from({ length: 20 }, () => send(hooked, 10).closed));
  isBroken = false;
  expect(await statusOf(send(hooked, 10))).toBe(200);
});
