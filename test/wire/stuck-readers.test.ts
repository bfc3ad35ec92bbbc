import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chatBody, Gateway } from './gateway.ts';
import { RawConnection } from './raw-http.ts';
import { beginStream, event, gradually, text } from './upstream-scripts.ts';

// A caller that stops reading without leaving must not keep its hold, its stream and the upstream for ever.

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: '{ hold_wait: "500ms", plain: "100ms", ping: "100ms", usage: "300ms" }' });
});

afterAll(() => gateway.stop());

test('a stream that nobody reads is given up after as long as a plain call may take, and charged as one that was left', async () => {
  const padded = event(text('hi', 0, { padding: 'x'.repeat(64 * 1_024) }));
  let upstreamClosed = false;
  gateway.script(
    gradually(async (response) => {
      const closed = once(response, 'close').then(() => {
        upstreamClosed = true;
      });
      beginStream(response);
      while (response.writable && !response.destroyed) {
        if (!response.write(padded)) await Promise.race([once(response, 'drain'), closed]);
      }
    }),
  );
  const body = chatBody({ stream: true });
  const connection = new RawConnection(gateway.url);
  connection.socket.removeAllListeners('data').pause();
  connection.socket.on('error', () => undefined);
  connection.send(
    [
      'POST /v1/chat/completions HTTP/1.1',
      'host: x',
      `authorization: Bearer ${gateway.key}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'x-request-id: stuck',
      '',
      body,
    ].join('\r\n'),
  );

  await vi.waitUntil(() => upstreamClosed, { timeout: 30_000, interval: 50 });

  expect(await gateway.receipt(await gateway.requestIdOf('stuck'))).toMatchObject({ outcome: 'abandoned' });
  connection.socket.destroy();
});
