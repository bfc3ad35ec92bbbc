import { afterEach, expect, test } from 'vitest';
import { until } from '../../test/support/eventually.ts';
import { RecordingServer } from '../../test/support/recording-server.ts';
import { head, RawConnection } from '../../test/wire/raw-http.ts';
import { CallerAddresses } from '../admin/caller-address.ts';
import { refuse } from '../domain/refusals.ts';
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
