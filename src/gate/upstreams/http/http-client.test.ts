import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { useManualTimers } from '../../../../test/support/manual-timers.ts';
import { RecordedExchange } from '../../../../test/support/recorded-exchange.ts';
import {
  startScriptedUpstream,
  type Script,
  type ScriptedUpstream,
} from '../../../../test/support/scripted-upstream.ts';
import { TEST_CERTIFICATE } from '../../../../test/support/test-certificate.ts';
import { CLIENT_TIMEOUTS } from '../../../../test/support/upstream-pair.ts';
import { DIRECT } from './destination.ts';
import { createHttpClient, type ExchangeHandler, type HttpClient } from './http-client.ts';
import type { RunningAttempt } from '../upstream.ts';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function upstream(script: Script): Promise<ScriptedUpstream> {
  const started = await startScriptedUpstream(script);
  cleanups.push(() => started.stop());
  return started;
}

function clientOf(origin: string, timeouts: Partial<typeof CLIENT_TIMEOUTS> = {}): HttpClient {
  const client = createHttpClient(origin, { ...CLIENT_TIMEOUTS, ...timeouts }, DIRECT);
  const close = (): Promise<void> => client.close();
  // The server stops first: some tests leave exchanges that only its end ends.
  cleanups.unshift(close);
  return client;
}

function send(client: HttpClient, recording: ExchangeHandler): RunningAttempt {
  const body = Buffer.from('{"model":"m"}');
  return client.send(
    { method: 'POST', path: '/v1/x', headers: { 'content-type': 'application/json' }, body: [body] },
    recording,
  );
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('an exchange sends the body as it is and gives status, headers and bytes in order', async () => {
  const server = await upstream((response) => {
    response.writeHead(418, { 'x-kind': 'tea' });
    response.write('first ');
    response.end('second');
  });
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(recording.calls).toBe(0);
  expect(await recording.ended()).toBe('end');
  expect([recording.status, recording.headers['x-kind'], recording.text]).toEqual([418, 'tea', 'first second']);
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/x', body: Buffer.from('{"model":"m"}') });
});

test('an exchange uses one connection again for exchanges that follow each other', async () => {
  const server = await upstream((response) => response.end('ok'));
  const client = clientOf(server.origin);
  for (let round = 0; round < 3; round++) {
    const recording = new RecordedExchange();
    send(client, recording);
    await recording.ended();
  }
  expect(server.sockets.size).toBe(1);
});

test('an exchange opens a connection of its own where the others are busy', async () => {
  const waiting: (() => void)[] = [];
  const server = await upstream((response) => waiting.push(() => response.end('ok')));
  const client = clientOf(server.origin);
  const recordings = Array.from({ length: 20 }, () => new RecordedExchange());
  for (const recording of recordings) send(client, recording);
  await eventually(() => expect(waiting).toHaveLength(20));
  for (const answer of waiting) answer();
  for (const recording of recordings) expect(await recording.ended()).toBe('end');
});

test('an exchange hands a redirect on instead of following it', async () => {
  const server = await upstream((response) => response.writeHead(307, { location: '/elsewhere' }).end());
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toBe('end');
  expect(recording.status).toBe(307);
  expect(server.requests).toHaveLength(1);
});

test('an exchange takes no notice of early hints', async () => {
  const server = await upstream((response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.end('ok');
  });
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  await recording.ended();
  expect([recording.status, recording.text]).toEqual([200, 'ok']);
});

const EVENTS = 'data: {"text":"Grüße"}\n\n'.repeat(5_000);

test.each([
  ['gzip', gzipSync(EVENTS)],
  ['GZIP', gzipSync(EVENTS)],
  ['br', brotliCompressSync(EVENTS)],
  ['deflate', deflateSync(EVENTS)],
  ['deflate', deflateRawSync(EVENTS)],
  ['zstd', zstdCompressSync(EVENTS)],
  ['identity', Buffer.from(EVENTS)],
])('compression that nobody asked for: %s is decoded, whatever pieces it comes in', async (encoding, body) => {
  const server = await upstream((response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    for (let at = 0; at < body.length; at += 97) response.write(body.subarray(at, at + 97));
    response.end();
  });
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toBe('end');
  expect(recording.text).toBe(EVENTS);
});

test.each([
  ['is cut short', 'gzip', gzipSync(EVENTS).subarray(0, 40), 'broken'],
  ['is not what it says', 'gzip', Buffer.from('<html>'), 'broken'],
  ['is of an unknown kind', 'compress', Buffer.from('?'), 'malformed'],
])('compression that nobody asked for that %s is one fault', async (_case, encoding, body, kind) => {
  const server = await upstream((response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toMatchObject({ kind });
});

test('a fault is unreachable where nobody listens', async () => {
  const recording = new RecordedExchange();
  send(clientOf(`http://127.0.0.1:${await unusedPort()}`), recording);
  expect(recording.calls).toBe(0);
  expect(await recording.ended()).toMatchObject({ kind: 'unreachable' });
});

test('a fault is unreachable where the name means nothing', async () => {
  const recording = new RecordedExchange();
  send(clientOf('http://nowhere.invalid'), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'unreachable' });
});

test('a fault is told once the call that met it has returned', async () => {
  const client = clientOf('http://127.0.0.1:9');
  await client.close();
  const recording = new RecordedExchange();
  send(client, recording);
  expect(recording.calls).toBe(0);
  expect(await recording.ended()).toMatchObject({ kind: 'unreachable' });
});

test('a fault is broken where the connection is reset before the headers', async () => {
  const server = await upstream((response) => response.socket?.resetAndDestroy());
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'broken' });
  expect(recording.status).toBe(0);
});

test.each(['chunked', 'of known length'])('a fault is broken where a body %s ends early', async (kind) => {
  const server = await upstream((response) => {
    response.writeHead(200, kind === 'chunked' ? {} : { 'content-length': 100 });
    response.write('half', () => response.socket?.destroy());
  });
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'broken' });
  expect(recording.text).toBe('half');
});

test('a fault is a timeout of the first byte where no headers come', async () => {
  const server = await upstream(() => {});
  const recording = new RecordedExchange();
  send(clientOf(server.origin, { firstByteMs: 50 }), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'timeout', phase: 'first_byte' });
  await eventually(() => expect(server.sockets.size).toBe(0));
});

test('a fault is a timeout of idleness where the body stops', async () => {
  const server = await upstream((response) => response.write('some'));
  const recording = new RecordedExchange();
  send(clientOf(server.origin, { idleMs: 50 }), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'timeout', phase: 'idle' });
  expect(recording.text).toBe('some');
});

test('a fault is malformed where the peer speaks something other than HTTP', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.9\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  cleanups.push(async () => void server.close());
  const recording = new RecordedExchange();
  send(clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), recording);
  expect(await recording.ended()).toMatchObject({ kind: 'malformed', status: 0 });
});

test('a pause stops reading, so that the upstream can write no further, and resume goes on', async () => {
  const block = Buffer.alloc(64 * 1024, 'x');
  const blocks = 512;
  let written = 0;
  const server = await upstream((response) => {
    const write = (): void => {
      while (written < blocks) {
        written++;
        if (!response.write(block)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  const recording = new RecordedExchange();
  const running = send(clientOf(server.origin), recording);
  running.pause();
  await eventually(() => expect(written).toBeGreaterThan(0));
  // Stalled once two looks in a row see the same count: kernel buffers are full, and far from all is written.
  let before = -1;
  await eventually(
    () => {
      const now = written;
      const stalled = now === before;
      before = now;
      expect(stalled).toBe(true);
    },
    { interval: 100 },
  );
  expect(written).toBeLessThan(blocks);
  expect(recording.endings).toEqual([]);
  running.resume();
  expect(await recording.ended()).toBe('end');
  expect(recording.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(blocks * block.length);
});

test('a pause does not count as idleness', async () => {
  const clock = useManualTimers();
  const server = await upstream((response) => {
    response.write('a'.repeat(300_000));
    response.end();
  });
  const recording = new RecordedExchange();
  const running = send(clientOf(server.origin, { idleMs: 50 }), recording);
  running.pause();
  await recording.started;
  clock.advance(1_000);
  expect(recording.endings).toEqual([]);
  running.resume();
  expect(await recording.ended()).toBe('end');
  expect(recording.text).toHaveLength(300_000);
});

test('a pause holds a decoder too', async () => {
  const plain = 'y'.repeat(20_000_000);
  const server = await upstream((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(plain)),
  );
  const recording = new RecordedExchange();
  const running = send(clientOf(server.origin), recording);
  running.pause();
  await eventually(() => expect(recording.status).toBe(200));
  expect(recording.chunks).toEqual([]);
  running.resume();
  expect(await recording.ended()).toBe('end');
  expect(recording.text).toHaveLength(plain.length);
});

test.each(['before the headers', 'within the body'])(
  'an abort closes the socket, and nothing more is heard: %s',
  async (when) => {
    let closed = 0;
    const server = await upstream((response) => {
      response.on('close', () => closed++);
      if (when === 'within the body') response.write('some');
    });
    const recording = new RecordedExchange();
    const running = send(clientOf(server.origin), recording);
    await eventually(() => expect(server.requests).toHaveLength(1));
    if (when === 'within the body') await eventually(() => expect(recording.text).toBe('some'));
    const calls = recording.calls;
    running.abort();
    running.abort();
    running.resume();
    await eventually(() => expect(server.sockets.size).toBe(0));
    expect(closed).toBe(1);
    expect(recording.calls).toBe(calls);
  },
);

test('an abort before the connection stands keeps the request from being sent', async () => {
  const server = await upstream((response) => response.end('ok'));
  const client = clientOf(server.origin);
  const recording = new RecordedExchange();
  send(client, recording).abort();
  const other = new RecordedExchange();
  send(client, other);
  expect(await other.ended()).toBe('end');
  expect(server.requests).toHaveLength(1);
  expect(recording.calls).toBe(0);
});

test('an abort from within a callback is obeyed immediately', async () => {
  const server = await upstream((response) => {
    response.write('one');
    response.end('two');
  });
  const recording = new RecordedExchange();
  const running = send(clientOf(server.origin), {
    start: () => recording.calls++,
    data: () => {
      recording.calls++;
      running.abort();
    },
    end: () => recording.end(),
    fail: (fault) => recording.fail(fault),
  });
  await eventually(() => expect(recording.calls).toBe(2));
  await eventually(() => expect(server.sockets.size).toBe(0));
  expect(recording.calls).toBe(2);
});

test('an abort after the end leaves the connection to the next exchange', async () => {
  const server = await upstream((response) => response.end('ok'));
  const client = clientOf(server.origin);
  const first = new RecordedExchange();
  const running = send(client, first);
  await first.ended();
  const second = new RecordedExchange();
  send(client, second);
  running.pause();
  running.abort();
  expect(await second.ended()).toBe('end');
  expect(server.sockets.size).toBe(1);
});

test('an abort lets the client close', async () => {
  const server = await upstream((response) => response.write('some'));
  const client = createHttpClient(server.origin, CLIENT_TIMEOUTS, DIRECT);
  const recording = new RecordedExchange();
  const running = send(client, recording);
  await eventually(() => expect(recording.text).toBe('some'));
  const closed = client.close();
  running.abort();
  await closed;
  await eventually(() => expect(server.sockets.size).toBe(0));
});

test('a client that closes without a limit of time waits for the exchange that runs', async () => {
  const { promise: leave, resolve: end } = Promise.withResolvers<void>();
  const server = await upstream((response) => {
    response.write('some');
    leave.then(() => response.end(' more')).catch(() => undefined);
  });
  const client = createHttpClient(server.origin, CLIENT_TIMEOUTS, DIRECT);
  const recording = new RecordedExchange();
  send(client, recording);
  await eventually(() => expect(recording.text).toBe('some'));
  const closed = client.close();
  setTimeout(end, 20);
  await closed;
  expect(recording.text).toBe('some more');
});

test('a client that closes ends a connection that its server keeps, once the exchange on it is over', async () => {
  const { promise: leave, resolve: end } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 4\r\n\r\nso');
      leave.then(() => socket.write('me')).catch(() => undefined);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => void server.close());
  const client = createHttpClient(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CLIENT_TIMEOUTS,
    DIRECT,
  );
  const recording = new RecordedExchange();
  send(client, recording);
  await eventually(() => expect(recording.text).toBe('so'));
  const closed = client.close();
  end();
  await closed;
  expect(recording.text).toBe('some');
});

test('an exchange that still runs when a closing client’s time is up is cut off, and told so', async () => {
  const server = await upstream((response) => response.write('some'));
  const client = createHttpClient(server.origin, CLIENT_TIMEOUTS, DIRECT);
  const recording = new RecordedExchange();
  send(client, recording);
  await eventually(() => expect(recording.text).toBe('some'));
  await client.close(20);
  expect(await recording.ended()).toMatchObject({ kind: 'broken' });
  await eventually(() => expect(server.sockets.size).toBe(0));
});

async function secureServer(): Promise<number> {
  const server = createSecureServer(TEST_CERTIFICATE, (_request, response) => response.end('ok')).listen(0);
  await once(server, 'listening');
  cleanups.push(
    async () => server.closeAllConnections(),
    async () => void server.close(),
  );
  return (server.address() as AddressInfo).port;
}

test('over TLS, a server is trusted whose certificate is, for its name, and its connection is used again', async () => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, TEST_CERTIFICATE.cert]);
  cleanups.push(async () => setDefaultCACertificates(before));
  const port = await secureServer();
  const client = clientOf(`https://localhost:${port}`);
  for (let round = 0; round < 2; round++) {
    const recording = new RecordedExchange();
    send(client, recording);
    expect(await recording.ended()).toBe('end');
    expect(recording.text).toBe('ok');
  }
  const elsewhere = new RecordedExchange();
  send(clientOf(`https://127.0.0.1:${port}`), elsewhere);
  expect(await elsewhere.ended()).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('ALTNAME') });
});

test('over TLS, a server is not spoken to whose certificate nobody vouches for', async () => {
  const recording = new RecordedExchange();
  send(clientOf(`https://localhost:${await secureServer()}`), recording);
  expect(await recording.ended()).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('SELF_SIGNED'),
  });
});

const SHORT = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Answers each request with these bytes, and counts connections. */
async function rawServer(answer: string): Promise<{ origin: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

test.each([
  ['is used again', SHORT, 1],
  ['that brings more than its answer is not used again', `${SHORT}HTTP/1.1 200 OK\r\n`, 2],
  ['that the server is about to close is not used again', SHORT.replace('\r\n', '\r\nconnection: close\r\n'), 2],
])('a connection is used as its answer allows: %s', async (_what, answer, connections) => {
  const server = await rawServer(answer);
  const client = clientOf(server.origin);
  for (let round = 0; round < 2; round++) {
    const recording = new RecordedExchange();
    send(client, recording);
    expect(await recording.ended()).toBe('end');
    expect(recording.text).toBe('ok');
  }
  expect(server.connections()).toBe(connections);
});

test('a connection that ends the body ends the answer', async () => {
  const server = await upstream((response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\n\r\nall of it');
  });
  const recording = new RecordedExchange();
  send(clientOf(server.origin), recording);
  expect(await recording.ended()).toBe('end');
  expect(recording.text).toBe('all of it');
});

test('a connection takes a body of any size, and bytes of any kind', async () => {
  const server = await upstream((response) => response.end('ok'));
  const client = clientOf(server.origin);
  const bodies = [Buffer.from('{"é":"日本"}'), Buffer.alloc(16_385, 'é'), Buffer.alloc(3_000_000, 0xff)];
  for (const body of bodies) {
    const recording = new RecordedExchange();
    client.send({ method: 'POST', path: '/v1/x', headers: {}, body: [body] }, recording);
    expect(await recording.ended()).toBe('end');
  }
  expect(server.requests.map(({ body }, index) => body.equals(bodies[index] as Buffer))).toEqual([true, true, true]);
  expect(server.sockets.size).toBe(1);
});

test.each([
  ['a header', { path: '/v1/x', headers: { authorization: 'Bearer a\r\nx-evil: 1' } }],
  ['its own header', { path: '/v1/x', headers: {}, ownHeaders: ['x-id', 'a\nb'] }],
  ['a header beyond Latin-1', { path: '/v1/x', headers: { authorization: 'Bearer “key”' } }],
  ['the path', { path: '/v1/x y', headers: {} }],
])('a connection carries no request where %s can’t be written', async (_what, wrong) => {
  const server = await upstream((response) => response.end('ok'));
  const recording = new RecordedExchange();
  clientOf(server.origin).send({ method: 'POST', body: null, ...wrong }, recording);
  expect(await recording.ended()).toMatchObject({ kind: 'unreachable' });
  expect(JSON.stringify(recording.endings)).not.toMatch(/evil|key/);
  expect(server.requests).toHaveLength(0);
});
