import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chatBody, Gateway } from './gateway.ts';
import { RawConnection } from './raw-http.ts';
import { beginStream, event, gradually, text } from './upstream-scripts.ts';

// A caller that stops reading without leaving must not keep its hold, its stream and the upstream for ever; nor may one that
// opens connections without end go unnoticed.

const CONNECTIONS_MAX = 20;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({
    server: `{ connections_per_address_max: ${CONNECTIONS_MAX} }`,
    timeouts: '{ hold_wait: "500ms", plain: "100ms", ping: "100ms", usage: "300ms" }',
  });
});

afterAll(() => gateway.stop());

test('a stream that nobody reads is given up after as long as a plain call may take, and charged as one left', async () => {
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

test('connections above what one address may have are closed, as an operator sees in log, metrics and doctor', async () => {
  const connections = Array.from({ length: CONNECTIONS_MAX + 10 }, () => new RawConnection(gateway.url));
  await vi.waitUntil(() => connections.filter(({ isClosed }) => isClosed).length >= 10, { timeout: 10_000 });
  // Idle ones are closed after a while, and a command may take longer than that to start.
  const refilling = setInterval(() => {
    const open = connections.filter(({ isClosed }) => !isClosed).length;
    for (let missing = CONNECTIONS_MAX - open; missing > 0; missing--) connections.push(new RawConnection(gateway.url));
  }, 100);
  try {
    await vi.waitUntil(() => gateway.program.stderr().includes('"event":"connections_refused","limit":"address"'), {
      timeout: 10_000,
    });
    expect((await gateway.program.cli('doctor')).stdout).toMatch(
      /fail {2}instance .* closes each connection immediately/,
    );
  } finally {
    clearInterval(refilling);
  }
  for (const connection of connections) connection.destroy();
  await Promise.all(connections.map(({ closed }) => closed));
  await vi.waitUntil(async () => (await gateway.metric('faregate_connections').catch(() => Infinity)) < 5, {
    timeout: 10_000,
  });
  expect(await gateway.metric('faregate_connections_refused_total{limit="address"}')).toBeGreaterThanOrEqual(10);
  expect((await gateway.program.cli('doctor')).stdout).toMatch(/warn {2}instance .* of 127\.0\.0\.1 are refused/);
});
