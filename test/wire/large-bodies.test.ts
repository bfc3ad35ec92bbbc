import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chatBody, Gateway, MARKER } from './gateway.ts';
import { exchange, head, RawConnection } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';
import { answering, completion } from './upstream-scripts.ts';

// Bodies cost memory before they are paid for: each is bounded, and so are all together.

const LIMIT = 32 * 2 ** 20;
const BUFFERED_MAX_MIB = 48;
const CHAT = 'POST /v1/chat/completions HTTP/1.1';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ server: `{ buffered_max: "${BUFFERED_MAX_MIB}MiB" }` });
  gateway.script(answering(200, completion()));
});

afterAll(() => gateway.stop());

/** A chat request of just this many bytes, for a model that nobody sells. */
function requestOf(length: number): Buffer<ArrayBuffer> {
  const text = chatBody({ model: 'nothing', x: '' });
  return Buffer.from(text.replace('"x":""', `"x":"${'a'.repeat(length - text.length)}"`));
}

function headers(more: Record<string, string>): Record<string, string> {
  return { host: 'x', authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...more };
}

function chunked(body: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  const size = 2 ** 20;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.subarray(at, at + size));
      at += size;
    },
  });
}

test('a body above the limit is refused where its 64 MB are announced', async () => {
  const response = await gateway.post('/v1/chat/completions', requestOf(64_000_000));
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
  expect(response.headers.get('connection')).toBe('close');
});

test('a body above the limit is refused where its 64 MB come in chunks', async () => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headers({}),
    body: chunked(requestOf(64_000_000)),
    duplex: 'half',
  });
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
});

test('a body above the limit is refused immediately, where it is only announced', async () => {
  const response = await exchange(gateway.url, head(CHAT, headers({ 'content-length': '64000000' })));
  await expectRefusal(response, 'REQUEST_TOO_LARGE');
});

test('a body is refused that is above the limit by one byte; one of just the limit is read', async () => {
  await expectRefusal(await gateway.post('/v1/chat/completions', requestOf(LIMIT + 1)), 'REQUEST_TOO_LARGE');
  await expectRefusal(await gateway.post('/v1/chat/completions', requestOf(LIMIT)), 'MODEL_NOT_FOUND');
});

test('a body above the limit is refused after the key and the type are judged', async () => {
  const announced = { 'content-length': '64000000' };
  const nobody = head(CHAT, headers({ ...announced, authorization: 'Bearer nonsense' }));
  await expectRefusal(await exchange(gateway.url, nobody), 'INVALID_API_KEY');
  const text = head(CHAT, headers({ ...announced, 'content-type': 'text/plain' }));
  await expectRefusal(await exchange(gateway.url, text), 'UNSUPPORTED_MEDIA_TYPE');
});

const body = requestOf(20 * 2 ** 20);
const fit = 2;
const rounds = 2;

/** A connection that has sent a body but for its last byte. */
function begin(): RawConnection {
  const connection = new RawConnection(gateway.url);
  return connection.send(head(CHAT, headers({ 'content-length': String(body.length) })), body.subarray(0, -1));
}

test('large bodies at the same time are refused beyond what may be buffered, and what they took is given back', async () => {
  for (let round = 0; round < rounds; round++) {
    const connections = Array.from({ length: 6 }, begin);
    const refused = new Set<RawConnection>();
    for (const connection of connections) {
      connection.socket.once('data', () => void refused.add(connection));
    }
    await vi.waitUntil(() => refused.size === connections.length - fit, { timeout: 20_000 });
    for (const connection of refused) {
      const response = await connection.response();
      await expectRefusal(response, 'SERVICE_UNAVAILABLE');
      expect(response?.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    }
    const kept = connections.filter((connection) => !refused.has(connection));
    for (const connection of kept) connection.send(body.subarray(-1));
    for (const connection of kept) await expectRefusal(await connection.response(), 'MODEL_NOT_FOUND');
    for (const connection of connections) connection.destroy();
    await Promise.all(connections.map((connection) => connection.closed));
  }
});

test('after all large bodies the program serves, the ledger is whole, and no text has been printed', async () => {
  expect((await gateway.chat()).status).toBe(200);
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  expect(await gateway.log()).not.toContain(MARKER);
});
