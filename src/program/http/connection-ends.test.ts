import { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import { NodeCaller } from './node-caller.ts';
import type { PlainCaller } from './plain/plain-caller.ts';
import type { ServerLimits } from './server-limits.ts';

// What ends a connection, garbage or the caller's own side of it, takes no answer away from the requests before it.

const PLAIN = head('POST /v1/embeddings HTTP/1.1', { host: 'x', 'content-length': '2' }) + '{}';
const OTHER = head('GET /other HTTP/1.1', { host: 'x' });
const CHUNKED = head('POST /other HTTP/1.1', { host: 'x', 'transfer-encoding': 'chunked' });

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** A server whose requests, of both kinds, a test answers by itself. */
async function serve(limits: Partial<ServerLimits> = {}) {
  const callers: (PlainCaller | NodeCaller)[] = [];
  const budget = new ByteBudget(10_000_000);
  const server = await RecordingServer.start(
    {
      plain: (caller) => void callers.push(caller),
      any: (message, response) => {
        callers.push(new NodeCaller('id', message, response, { budget, bodyBytesMax: 1_000_000 }));
      },
    },
    { ...limits, budget },
  );
  opened.defer(() => server.stop());
  return {
    front: server.front,
    callers,
    budget,
    open(...sent: readonly string[]): RawConnection {
      const connection = new RawConnection(server.url);
      opened.defer(() => connection.destroy());
      return connection.send(...sent);
    },
    /** The requests that have come, once there are so many. */
    async come(count: number): Promise<readonly (PlainCaller | NodeCaller)[]> {
      await eventually(() => expect(callers.length).toBeGreaterThanOrEqual(count));
      return callers;
    },
  };
}

async function statuses(connection: RawConnection): Promise<readonly number[]> {
  const all: number[] = [];
  for (let next = await connection.response(); next !== null; next = await connection.response()) all.push(next.status);
  return all;
}

const OK = Buffer.from('{}');

test.each([
  ['behind one', OTHER, 1],
  ['behind two', OTHER + OTHER, 2],
  ['behind a plain one', PLAIN, 1],
  ['behind both kinds', PLAIN + OTHER, 2],
])(
  'garbage behind requests that are still answered is refused after their answers: %s',
  async (_where, before, count) => {
    const server = await serve();
    const connection = server.open(`${before}!nonsense\r\n\r\n`, 'more of it');
    for (let at = 0; at < count; at++) {
      const callers = await server.come(at + 1);
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      expect(connection.received.length).toBe(0);
      callers[at]?.answer(OK, []);
      expect((await connection.response())?.status).toBe(200);
    }
    expect(await statuses(connection)).toEqual([400]);
    expect(server.callers).toHaveLength(count);
  },
);

test('garbage in a request’s own body is refused in the place of its answer', async () => {
  const server = await serve();
  const connection = server.open(`${OTHER}${CHUNKED}zz\r\n`);
  const [first] = await server.come(1);
  first?.answer(OK, []);
  const [, second] = await server.come(2);
  expect(await statuses(connection)).toEqual([200, 400]);
  // Its caller has left already, or is leaving.
  expect(await second?.readBody()).toBe('gone');
  expect(server.budget.taken).toBe(0);
});

test('a head that takes too long behind another request is refused after the answer to that one', async () => {
  const server = await serve({ headersMs: 50 });
  const connection = server.open(`${OTHER}GET /other HTTP/1.1\r\nhos`);
  const [first] = await server.come(1);
  first?.answer(OK, []);
  expect(await statuses(connection)).toEqual([200, 408]);
});

test('garbage that comes in one piece with the end of a request is refused after its answer', async () => {
  const heard = vi.spyOn(Server.prototype, 'emit');
  const server = await serve();
  const connection = server.open(`${CHUNKED}0\r\n\r`);
  const [first] = await server.come(1);
  connection.send('\n\0 no HTTP');
  await eventually(() => expect(heard).toHaveBeenCalledWith('clientError', expect.anything(), expect.anything()));
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  expect(connection.received.length).toBe(0);
  first?.answer(OK, []);
  expect(await statuses(connection)).toEqual([200, 400]);
});

test.each([
  ['plainly', PLAIN],
  ['by node:http', OTHER],
])(
  'a server that leaves goes on serving, and each answer is the last one of its connection: %s',
  async (_how, request) => {
    const server = await serve();
    expect([server.front.isLeaving, server.front.running]).toEqual([false, 0]);
    server.front.beginLeaving();
    const connection = server.open(request + request);
    const [caller] = await server.come(1);
    expect(server.front).toMatchObject({ isLeaving: true, isDraining: false, running: 1, connections: 1 });
    caller?.answer(OK, []);
    expect(await connection.response()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await connection.closed;
    expect(server.callers).toHaveLength(1);
    await server.front.drain(0);
    expect(server.front).toMatchObject({ isLeaving: true, isDraining: true, running: 0 });
  },
);

test('a tunnel is refused, and its connection closed', async () => {
  const server = await serve();
  const connection = server.open(head('CONNECT elsewhere:443 HTTP/1.1', { host: 'elsewhere' }), OTHER);
  expect(await connection.response()).toMatchObject({
    status: 400,
    headers: { connection: 'close', 'x-request-id': 'id-1' },
  });
  await connection.closed;
  expect(server.callers).toHaveLength(0);
});

test.each([
  ['plainly', PLAIN],
  ['by node:http', OTHER],
])('a caller that says no more is answered, and its connection closed: %s', async (_how, request) => {
  const server = await serve();
  const connection = server.open(request);
  connection.socket.end();
  const [caller] = await server.come(1);
  await eventually(() => expect(caller?.isHalfClosed).toBe(true));
  expect(caller?.isGone).toBe(false);
  caller?.answer(OK, []);
  expect((await connection.response())?.status).toBe(200);
  await connection.closed;
});

test('a caller that says no more is answered as often as it has asked', async () => {
  const server = await serve();
  const connection = server.open(PLAIN + PLAIN + OTHER + OTHER);
  connection.socket.end();
  for (const at of [0, 1, 2, 3]) {
    const callers = await server.come(at + 1);
    callers[at]?.answer(OK, []);
  }
  expect(await statuses(connection)).toEqual([200, 200, 200, 200]);
});

test('a caller that says no more is answered where its body has come, though nobody has asked for it yet', async () => {
  const server = await serve();
  const connection = server.open(PLAIN.replace('length: 2', 'length: 10').replace('{}', '12345'));
  const [caller] = await server.come(1);
  connection.send('67890');
  connection.socket.end();
  await eventually(() => expect(caller?.isHalfClosed).toBe(true));
  expect(String(await caller?.readBody())).toBe('1234567890');
  caller?.answer(OK, []);
  expect(await statuses(connection)).toEqual([200]);
});

test('a caller that says no more is answered by a stream to its end', async () => {
  const server = await serve();
  for (const [at, request] of [PLAIN, OTHER].entries()) {
    const connection = server.open(request);
    const caller = (await server.come(at + 1))[at];
    caller?.startStream([]);
    caller?.write('first ');
    connection.socket.end();
    await eventually(() => expect(caller?.isHalfClosed).toBe(true));
    caller?.write('last');
    caller?.end();
    expect((await connection.response())?.body.toString()).toBe('first last');
    await connection.closed;
  }
});

test.each([
  ['plainly', PLAIN],
  ['by node:http', OTHER],
])(
  'a caller that says no more is answered, and is noticed to have left by what is sent to it: %s',
  async (_how, request) => {
    const server = await serve();
    const connection = server.open(request);
    const [caller] = await server.come(1);
    const [halfClosed, gone] = [vi.fn<() => void>(), vi.fn<() => void>()];
    caller?.onHalfClosed(halfClosed);
    caller?.onGone(gone);
    // Without anything unread, that ends a connection as one that says no more does.
    connection.socket.destroy();
    await eventually(() => expect(halfClosed).toHaveBeenCalledOnce());
    caller?.startStream([]);
    await eventually(() => {
      caller?.write(': ping\n');
      expect(gone).toHaveBeenCalledOnce();
    });
    expect(caller?.isGone).toBe(true);
  },
);

const filled = (line: string, bytes: number, fields: Record<string, string> = {}): string => {
  const without = head(line, { host: 'x', 'content-length': '00000', ...fields });
  const length = String(bytes - without.length);
  return without.replace('00000', length.padStart(5, '0')) + 'x'.repeat(Number(length));
};

test.each([
  ['plain, of one buffer', filled('POST /v1/embeddings HTTP/1.1', 65_536)],
  ['not plain, of one buffer', filled('POST /other HTTP/1.1', 65_536)],
  ['not plain, of one buffer and a byte', filled('POST /other HTTP/1.1', 65_537)],
  ['not plain, of a byte less', filled('POST /other HTTP/1.1', 65_535)],
])('a request that ends with its connection in one read is taken: %s', async (_what, request) => {
  const server = await serve();
  const connection = server.open();
  await new Promise((resolve) => connection.socket.once('connect', resolve));
  connection.socket.end(request);
  const [caller] = await server.come(1);
  const body = await caller?.readBody();
  expect(Buffer.isBuffer(body) && body.length).toBeGreaterThan(60_000);
  caller?.answer(OK, []);
  expect(await statuses(connection)).toEqual([200]);
});

test.each([
  ['HTTP/2.0', head('GET /v1/models HTTP/2.0', { host: 'x' }), 505],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['HTTP/3.0', head('GET /v1/models HTTP/3.0', { host: 'x' }), 505],
  ['HTTP/1.2', head('GET /v1/models HTTP/1.2', { host: 'x' }), 505],
  ['HTTP/0.9', head('GET /v1/models HTTP/0.9', { host: 'x' }), 505],
  ['HTTP/0.9 as it was', 'GET /v1/models\r\n\r\n', 505],
  ['another protocol', head('GET /v1/models SIP/2.0', { host: 'x' }), 400],
])('other versions of HTTP: %s is refused, and its connection closed', async (_version, request, status) => {
  const server = await serve();
  expect(await statuses(server.open(request + OTHER))).toEqual([status]);
  expect(server.callers).toHaveLength(0);
});

test('other versions of HTTP HTTP/1.0 is answered, and an offer of HTTP/2 not taken', async () => {
  const server = await serve();
  const upgrade = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  for (const [at, request] of [
    head('GET /other HTTP/1.0'),
    head('GET /other HTTP/1.1', { host: 'x', ...upgrade }),
  ].entries()) {
    const connection = server.open(request);
    (await server.come(at + 1))[at]?.answer(OK, []);
    expect((await connection.response())?.status).toBe(200);
  }
});
