import { afterEach, expect, test } from 'vitest';
import { until } from '../../test/support/eventually.ts';
import { RecordingServer } from '../../test/support/recording-server.ts';
import { head, RawConnection } from '../../test/wire/raw-http.ts';
import { refuse } from '../domain/refusals.ts';
import { signedWebhook } from './signed-webhook.ts';

// Anybody may send a webhook, so whatever it took is given back, whatever becomes of it.

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function serve(): Promise<RecordingServer> {
  const server = await RecordingServer.start({
    plain: () => undefined,
    any: (message, response) => {
      response.setHeader('x-request-id', 'an-id');
      Promise.resolve(webhook(message, response)).catch(() => response.destroy());
    },
  });
  const webhook = signedWebhook({
    budget: server.budget,
    signatureHeader: 'signature',
    receive: async (_body, signature) => {
      await Promise.resolve();
      return signature === 'good' ? null : refuse('INVALID_REQUEST', 'It is not signed.');
    },
  });
  opened.defer(() => server.stop());
  return server;
}

function send(server: RecordingServer, length: number, signature: string, sent = length): RawConnection {
  const fields = { host: 'x', 'content-length': String(length), signature };
  const connection = new RawConnection(server.url).send(head('POST /hook HTTP/1.1', fields), 'x'.repeat(sent));
  opened.defer(() => connection.destroy());
  return connection;
}

test('the memory of a webhook is given back when it is taken, refused, too large, or broken off', async () => {
  const server = await serve();
  const statuses: (number | undefined)[] = [];
  for (const [length, signature] of [
    [100_000, 'good'],
    [100_000, 'bad'],
    [262_144, 'good'],
    [262_145, 'good'],
  ] as const) {
    statuses.push((await send(server, length, signature).response())?.status);
    await until(() => server.budget.taken === 0);
  }
  expect(statuses).toEqual([200, 400, 200, 413]);
  const broken = send(server, 100_000, 'good', 50_000);
  await until(() => server.budget.taken >= 50_000);
  broken.destroy();
  await until(() => server.budget.taken === 0);
});
