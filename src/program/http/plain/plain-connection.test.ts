import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually, until } from '../../../../test/support/eventually.ts';
import { RecordingServer } from '../../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../../test/wire/raw-http.ts';
import { refuse } from '../../../domain/refusals.ts';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import type { ServerLimits } from '../server-limits.ts';
import type { PlainCaller } from './plain-caller.ts';

// A connection whose requests are read without node:http keeps the promises that node:http keeps: answers whole and in
// order, limits of time and memory held, nothing left behind.

const POST = 'POST /v1/embeddings HTTP/1.1';
const GET = head('GET /v1/models HTTP/1.1', { host: 'x' });
const CHUNKED = head(POST, { host: 'x', 'transfer-encoding': 'chunked' });

/** More than sockets keep of an answer that nobody reads. */
const LONG_BYTES = 30_000_000;

function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  return postHead(body.length, headers) + body;
}

function postHead(length: number, headers: Readonly<Record<string, string>> = {}): string {
  return head(POST, { host: 'x', 'content-length': String(length), ...headers });
}

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function serve(
  plain: (caller: PlainCaller) => void | Promise<void>,
  limits: Partial<ServerLimits> = {},
): Promise<RecordingServer> {
  const server = await RecordingServer.start(
    { plain, any: (message, response) => void message.resume().on('end', () => response.end('by node')) },
    limits,
  );
  opened.defer(() => server.stop());
  return server;
}

function open(server: RecordingServer, ...sent: readonly (string | Buffer)[]): RawConnection {
  const connection = new RawConnection(server.url);
  opened.defer(() => connection.destroy());
  return connection.send(...sent);
}

/** Callers that a test answers by itself, in the order in which they came. */
class Callers {
  readonly #come: PlainCaller[] = [];
  readonly take = (caller: PlainCaller): void => void this.#come.push(caller);

  get count(): number {
    return this.#come.length;
  }

  async next(): Promise<PlainCaller> {
    return await vi.waitUntil(() => this.#come.shift(), { timeout: 10_000, interval: 1 });
  }
}

/** Answers with what the request's body was. */
async function echo(caller: PlainCaller): Promise<void> {
  const body = await caller.readBody();
  if (Buffer.isBuffer(body)) caller.answer(body, []);
}

test('requests that come one behind the other are served one after the other, and answered in their order', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), post('first') + GET, post('third').slice(0, -2));
  const first = await callers.next();
  await setImmediate();
  expect(callers.count).toBe(0);
  await echo(first);
  const second = await callers.next();
  expect(second.readBody()).toEqual(Buffer.alloc(0));
  second.answer(Buffer.from('second'), []);
  connection.send('rd');
  await echo(await callers.next());
  const bodies = [await connection.response(), await connection.response(), await connection.response()];
  expect(bodies.map((response) => response?.body.toString())).toEqual(['first', 'second', 'third']);
});

test('requests one behind the other are node:http’s from the first that is not plain, and still answered in order', async () => {
  const connection = open(await serve(echo), `${post('plain')}${CHUNKED}0\r\n\r\n${post('a')}`);
  const bodies = [await connection.response(), await connection.response(), await connection.response()];
  expect(bodies.map((response) => response?.body.toString())).toEqual(['plain', 'by node', 'by node']);
});

test('requests that come one behind the other leave nothing behind on a connection, however many', async () => {
  const sockets = acceptedSockets();
  const server = await serve((caller) => {
    caller.onGone(() => undefined);
    caller.onDrain(() => undefined);
    return echo(caller);
  });
  const connection = open(server, post('{"a":1}'));
  await connection.response();
  const listeners = listenersOf(sockets[0]);
  for (let sent = 0; sent < 200; sent++) {
    expect((await connection.send(post(`${sent}`)).response())?.body.toString()).toBe(`${sent}`);
  }
  expect(listenersOf(sockets[0])).toEqual(listeners);
  expect(server.budget.taken).toBe(0);
});

/** The sockets that servers of this process accept from now on. */
function acceptedSockets(): Socket[] {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', onSocket);
  opened.defer(() => void unsubscribe('net.server.socket', onSocket));
  return sockets;
}

function listenersOf(socket: Socket | undefined): Record<string, number> {
  const names = socket?.eventNames() ?? [];
  return Object.fromEntries(names.map((name) => [String(name), socket?.listenerCount(name) ?? 0]));
}

test('a connection is kept for another request, plain or not, and says for how long', async () => {
  const connection = open(await serve(echo), post('a'));
  expect((await connection.response())?.headers).toMatchObject({
    connection: 'keep-alive',
    'keep-alive': 'timeout=75',
    'content-length': '1',
    'x-request-id': 'id-1',
  });
  expect((await connection.send(post('b')).response())?.headers['x-request-id']).toBe('id-2');
  const { headers } = (await connection.send(`${CHUNKED}0\r\n\r\n`).response()) ?? {};
  expect(headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=75' });
});

test('a plain connection ends with the answer to a request that says so, and what comes behind that is not looked at', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), post('a', { connection: 'close' }) + GET);
  await echo(await callers.next());
  expect((await connection.response())?.headers).toMatchObject({ connection: 'close' });
  await connection.closed;
  expect({ callers: callers.count, received: connection.received.length }).toEqual({ callers: 0, received: 0 });
});

test('a plain connection goes to node:http without the listeners of the plain one', async () => {
  const sockets = acceptedSockets();
  const warned = vi.fn<() => void>();
  process.on('warning', warned);
  opened.defer(() => void process.off('warning', warned));
  const bare = createServer((message, response) => void message.resume().on('end', () => response.end()));
  bare.listen(0, '127.0.0.1');
  await once(bare, 'listening');
  opened.defer(() => void bare.close());
  const url = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  const usual = new RawConnection(url).send(`${CHUNKED}0\r\n\r\n`);
  opened.defer(() => usual.destroy());
  await usual.response();

  const given = open(await serve(echo), post('a'));
  for (let sent = 0; sent < 20; sent++) {
    await given.response();
    given.send(`${CHUNKED}0\r\n\r\n`);
  }
  await given.response();
  // Without others that read it, node:http reads the socket itself and listens for its pauses.
  const { close = 0, pause: _of, ...others } = listenersOf(sockets[0]);
  // Two of the server's learn when it closes: its quota, and what knows which ones are idle.
  expect(listenersOf(sockets[1])).toEqual({ ...others, close: close + 2 });
  expect(warned).not.toHaveBeenCalled();
});

test('the body of a plain request that is too slow is refused with a 408, and its caller is gone', async () => {
  const gone = vi.fn<() => void>();
  const outcomes: unknown[] = [];
  const server = await serve(
    async (caller) => {
      caller.onGone(gone);
      outcomes.push(await caller.readBody());
    },
    { requestMs: 100 },
  );
  const connection = open(server, postHead(10), '12345');
  await until(() => server.budget.taken === 10);
  const response = await connection.response();
  expect(response).toMatchObject({ status: 408, headers: { connection: 'close', 'x-request-id': 'id-1' } });
  await connection.closed;
  expect({ outcomes, taken: server.budget.taken, times: gone.mock.calls.length }).toEqual({
    outcomes: ['gone'],
    taken: 0,
    times: 1,
  });
});

test('the body of a plain request that is cut off is refused with a 400, and its caller is gone', async () => {
  const gone = vi.fn<() => void>();
  const server = await serve((caller) => {
    caller.onGone(gone);
    return echo(caller);
  });
  const connection = open(server, postHead(10), '12345');
  connection.socket.end();
  expect(await connection.response()).toMatchObject({ status: 400, headers: { connection: 'close' } });
  await connection.closed;
  expect({ taken: server.budget.taken, times: gone.mock.calls.length }).toEqual({ taken: 0, times: 1 });
});

test('the body of a plain request takes of the budget what has come, and gives it back with its answer', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const connection = open(server, postHead(10), '1234');
  const caller = await callers.next();
  const body = caller.readBody();
  connection.send('567890');
  expect((await body).toString()).toBe('1234567890');
  expect(server.budget.taken).toBe(10);
  caller.answer(Buffer.from('{}'), []);
  await connection.response();
  await until(() => server.budget.taken === 0);
});

test('the body of a plain request that nobody asks for is not read beyond what came with its head', async () => {
  const callers = new Callers();
  const server = await serve(callers.take, { bodyBytesMax: 100_000_000 });
  const connection = open(server, postHead(50_000_000), Buffer.alloc(50_000_000));
  const caller = await callers.next();
  await until(() => connection.socket.writableLength > 0 && !connection.socket.connecting);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(server.budget.taken).toBeLessThan(1_000_000);
  expect(((await caller.readBody()) as Buffer).length).toBe(50_000_000);
  caller.answer(Buffer.from('{}'), []);
  expect((await connection.response())?.status).toBe(200);
});

test('the body of a plain request beyond the budget is overloaded; its rest is not read, and nothing behind it', async () => {
  const callers = new Callers();
  const server = await serve(callers.take, { budget: new ByteBudget(8) });
  const connection = open(server, postHead(20), '12345');
  const caller = await callers.next();
  const body = caller.readBody();
  connection.send('67890');
  expect(await body).toBe('overloaded');
  caller.refuse(refuse('SERVICE_UNAVAILABLE', 'Too much at once.'));
  expect(await connection.response()).toMatchObject({ status: 503, headers: { connection: 'close' } });
  connection.send('1234567890', post('again'));
  await connection.closed;
  expect({ callers: callers.count, taken: server.budget.taken }).toEqual({ callers: 0, taken: 0 });
});

test('a refusal before the body has come is the last answer of its connection; one behind a whole body is not', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const early = open(server, postHead(100_000), 'a'.repeat(1_000));
  (await callers.next()).refuse(refuse('INVALID_API_KEY', 'No.'));
  expect(await early.response()).toMatchObject({ status: 401, headers: { connection: 'close' } });
  early.send('a'.repeat(99_000) + post('next'));
  await early.closed;
  expect(callers.count).toBe(0);

  const whole = open(server, post('a'));
  (await callers.next()).refuse(refuse('INVALID_API_KEY', 'No.'));
  expect(await whole.response()).toMatchObject({ status: 401, headers: { connection: 'keep-alive' } });
  await echo(await (whole.send(post('next')), callers.next()));
  expect((await whole.response())?.body.toString()).toBe('next');
});

test('a refusal before the body has come that closes the connection is read by a caller that goes on sending', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), postHead(900_000));
  (await callers.next()).refuse(refuse('SERVICE_UNAVAILABLE', 'No.', { closeConnection: true }));
  connection.send('a'.repeat(900_000));
  expect(await connection.response()).toMatchObject({ status: 503, headers: { connection: 'close' } });
  await connection.closed;
});

test('a refusal before the body has come that closes the connection does so in time, whatever the caller sends', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const connection = open(server, postHead(900_000));
  (await callers.next()).refuse(refuse('SERVICE_UNAVAILABLE', 'No.', { closeConnection: true }));
  expect((await connection.response())?.status).toBe(503);
  await connection.closed;
  await server.front.drain(60_000);
});

test('a refusal before the body has come was all that its caller was told: leaving then, it is not gone', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const connection = open(server, postHead(900_000));
  const caller = await callers.next();
  const gone = vi.fn<() => void>();
  caller.onGone(gone);
  caller.refuse(refuse('INVALID_API_KEY', 'No.'));
  await connection.response();
  connection.destroy();
  await server.front.drain(60_000);
  expect(gone).not.toHaveBeenCalled();
});

const long = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));

test.each([0, 1, 16_384, 16_385, 300_000])('an answer on a plain connection of %i bytes is whole', async (length) => {
  const body = long.subarray(0, length);
  const connection = open(await serve((caller) => caller.answer(body, ['x-a', 'b'])), GET, GET);
  for (const response of [await connection.response(), await connection.response()]) {
    expect(response).toMatchObject({ status: 200, headers: { 'x-a': 'b', 'content-length': String(length) } });
    expect(response?.body.equals(body)).toBe(true);
  }
});

test('an answer on a plain connection as a stream is whole, and only its end ends it', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), GET, GET);
  const caller = await callers.next();
  caller.startStream(['x-a', 'b']);
  caller.write('one\xff');
  caller.write('');
  await connection.until((received) => received.includes('one'));
  caller.write('two');
  caller.end();
  const response = await connection.response();
  expect(response).toMatchObject({ status: 200, headers: { 'x-a': 'b', 'transfer-encoding': 'chunked' } });
  expect(response?.body.toString('latin1')).toBe('one\xfftwo');
  (await callers.next()).answer(Buffer.from('{}'), []);
  expect((await connection.response())?.body.toString()).toBe('{}');
});

test.each<[string, (caller: PlainCaller) => void]>([
  ['a whole answer', (caller) => caller.answer(Buffer.from('{}'), [])],
  ['a refusal', (caller) => caller.refuse(refuse('INVALID_API_KEY', 'No.'))],
  [
    'a stream',
    (caller) => {
      caller.startStream([]);
      caller.end();
    },
  ],
])(
  'an answer on a plain connection: %s is over once: nothing that is said after it reaches the connection',
  async (_what, answer) => {
    const callers = new Callers();
    const connection = open(await serve(callers.take), GET, GET);
    const caller = await callers.next();
    const sayMore = (): void => {
      caller.refuse(refuse('INTERNAL_ERROR', 'Something failed.'));
      caller.write('more');
      caller.end();
    };
    answer(caller);
    sayMore();
    const next = await callers.next();
    sayMore();
    next.answer(Buffer.from('next'), []);
    await connection.response();
    expect((await connection.response())?.body.toString()).toBe('next');
    expect(connection.received.toString()).toBe('');
  },
);

test('an answer on a plain connection that is read slowly asks to pause, and says when it goes on', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), GET);
  connection.socket.pause();
  const caller = await callers.next();
  const drained = vi.fn<() => void>();
  caller.onDrain(drained);
  caller.startStream([]);
  const piece = 'a'.repeat(100_000);
  let pieces = 1;
  for (; caller.write(piece); pieces++) await setImmediate();
  drained.mockClear();
  connection.socket.resume();
  await vi.waitUntil(() => drained.mock.calls.length > 0, { timeout: 10_000, interval: 1 });
  caller.end();
  expect((await connection.response())?.body.length).toBe(pieces * piece.length);
});

test('an answer on a plain connection that is written is read to its end by a caller that says no more', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), GET);
  const caller = await callers.next();
  let bytes = 0;
  connection.socket.removeAllListeners('data').pause();
  connection.socket.on('data', (piece: Buffer) => (bytes += piece.length));
  caller.answer(Buffer.alloc(LONG_BYTES, 'a'), []);
  connection.socket.end();
  await once(connection.socket, 'finish');
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  connection.socket.resume();
  await connection.closed;
  expect(bytes).toBeGreaterThan(LONG_BYTES);
});

test('a caller that leaves is gone for all who ask, each once, before and after', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const connection = open(server, post('{"a":1}'));
  const caller = await callers.next();
  const gone = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()] as const;
  caller.onGone(gone[0]);
  caller.onGone(gone[1]);
  connection.socket.resetAndDestroy();
  await vi.waitUntil(() => caller.isGone, { timeout: 10_000, interval: 1 });
  caller.onGone(gone[2]);
  caller.startStream([]);
  expect(caller.write('a')).toBe(true);
  caller.end();
  caller.refuse(refuse('INTERNAL_ERROR', 'Something failed.'));
  expect(gone.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  expect(server.budget.taken).toBe(0);
});

test('a caller that leaves is not gone where its answer was whole', async () => {
  const callers = new Callers();
  const connection = open(await serve(callers.take), GET);
  const caller = await callers.next();
  const gone = vi.fn<() => void>();
  caller.onGone(gone);
  caller.answer(Buffer.from('{}'), []);
  await connection.response();
  connection.destroy();
  await connection.closed;
  await setImmediate();
  expect({ gone: gone.mock.calls.length, isGone: caller.isGone }).toEqual({ gone: 0, isGone: false });
});

/** A request of each kind: one that is read plainly, and one that node:http reads. */
const BOTH = [post('abc'), `${CHUNKED}0\r\n\r\n`] as const;
/** So much is missing of each that is begun. */
const REST = 3;

async function answered(server: RecordingServer, request: string): Promise<RawConnection> {
  const connection = open(server, request);
  expect((await connection.response())?.status).toBe(200);
  return connection;
}

/** A connection on which another request has begun. */
async function begun(server: RecordingServer, request: string, bytes: number): Promise<RawConnection> {
  return (await answered(server, request)).send(request.slice(0, bytes));
}

async function expectLastAnswer(connection: RawConnection): Promise<void> {
  expect(await connection.response()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await connection.closed;
}

test('a server that ends closes connections that wait for a request, and lets running requests end theirs', async () => {
  const sockets = acceptedSockets();
  const server = await serve(echo);
  const waiting = [open(server), ...(await Promise.all(BOTH.map((request) => answered(server, request))))];
  const running = await Promise.all(BOTH.map((request) => begun(server, request, request.length - REST)));
  await until(() => sockets.length === 5 && server.front.running === 2);
  const drained = server.front.drain(60_000);
  await Promise.all(waiting.map((connection) => connection.closed));
  expect(running.map((connection) => connection.isClosed)).toEqual([false, false]);
  for (const [at, connection] of running.entries()) {
    await expectLastAnswer(connection.send(BOTH[at]?.slice(-REST) ?? ''));
  }
  await drained;
});

test('a server that ends cuts off what does not end in time', async () => {
  const callers = new Callers();
  const server = await serve(callers.take);
  const connection = open(server, post('a'));
  const other = open(server, CHUNKED);
  const caller = await callers.next();
  const gone = vi.fn<() => void>();
  caller.onGone(gone);
  await until(() => server.front.running === 2);
  await server.front.drain(50);
  await Promise.all([connection.closed, other.closed]);
  await eventually(() => expect(gone).toHaveBeenCalledOnce());
  expect(Buffer.concat([connection.received, other.received]).toString()).toBe('');
});

test('a server that ends serves what still comes while it hands over, then closes what stays idle', async () => {
  const server = await serve(echo);
  const all = <Result>(make: (request: string) => Promise<Result>) => Promise.all(BOTH.map(make));
  const late = await all((request) => answered(server, request));
  const idle = await all((request) => answered(server, request));
  const running = await all((request) => begun(server, request, request.length - REST));
  const atHead = await all((request) => begun(server, request, 9));
  await until(() => server.front.running === 2);
  const handedOver = server.front.handOver(60_000);
  for (const [at, connection] of late.entries()) await expectLastAnswer(connection.send(BOTH[at] ?? ''));
  await Promise.all(idle.map((connection) => connection.closed));
  expect([...running, ...atHead].map((connection) => connection.isClosed)).toEqual([false, false, false, false]);
  for (const [at, request] of BOTH.entries()) {
    await expectLastAnswer(running[at]!.send(request.slice(-REST)));
    await expectLastAnswer(atHead[at]!.send(request.slice(9)));
  }
  await handedOver;
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test('connections that wait to be accepted when a server ends are served, not reset', async () => {
  const server = await serve(echo);
  const waiting = Array.from({ length: 20 }, () => open(server, post('a')));
  // A turn of the event loop connects all of them, and accepts one.
  await Promise.all(waiting.map(({ socket }) => once(socket, 'connect')));
  const handedOver = server.front.handOver(60_000);
  for (const connection of waiting) await expectLastAnswer(connection);
  await handedOver;
});

test('a connection by which nothing comes is told so in time', async () => {
  const server = await serve(echo, { headersMs: 100 });
  expect(await open(server).response()).toMatchObject({ status: 408, headers: { connection: 'close' } });
});

test('a silent connection is answered in time, though another one has closed before', async () => {
  const server = await serve(echo, { headersMs: 100 });
  const silent = open(server);
  const other = open(server, post('a'));
  await other.response();
  other.destroy();
  await other.closed;
  expect(await silent.response()).toMatchObject({ status: 408 });
});

test('a connection by which nothing comes is closed while a request stands still, but kept as long as was promised', async () => {
  const callers = new Callers();
  const server = await serve(callers.take, { idleMs: 200 });
  const kept = open(server, post('a'));
  await echo(await callers.next());
  await kept.response();
  const still = open(server, post('b'));
  const caller = await callers.next();
  await still.closed;
  await until(() => caller.isGone);
  kept.send(post('c'));
  await echo(await callers.next());
  expect((await kept.response())?.body.toString()).toBe('c');
});
