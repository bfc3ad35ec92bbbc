import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { useManualTimers } from '../../../../test/support/manual-timers.ts';
import { RecordedExchange } from '../../../../test/support/recorded-exchange.ts';
import { CLIENT_TIMEOUTS } from '../../../../test/support/upstream-pair.ts';
import { DIRECT } from './destination.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

// Reuse of a connection after its first answer, and requests on a stale one.

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

const cleanups: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

interface RawServer {
  readonly origin: string;
  /** The number of connections so far. */
  readonly opened: number;
  /** The open ones. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Calls the script for each piece of a request, with the socket and the number of the piece on it. */
async function serve(script: (socket: Socket, piece: number, text: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    let pieces = 0;
    opened += 1;
    sockets.add(socket.setNoDelay());
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.on('data', (bytes) => script(socket, (pieces += 1), bytes.toString()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => void server.close());
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get opened() {
      return opened;
    },
    sockets,
  };
}

function clientOf({ origin }: RawServer, timeouts: Partial<typeof CLIENT_TIMEOUTS> = {}): HttpClient {
  const client = createHttpClient(origin, { ...CLIENT_TIMEOUTS, ...timeouts }, DIRECT);
  cleanups.push(() => client.close(0));
  return client;
}

function post(client: HttpClient, body = '{}'): RecordedExchange {
  const recording = new RecordedExchange();
  client.send({ method: 'POST', path: '/v1/x', headers: {}, body: [Buffer.from(body)] }, recording);
  return recording;
}

/** Sends a request whose answer leaves an idle connection. */
async function warm(client: HttpClient): Promise<void> {
  expect(await post(client).ended()).toBe('end');
  await nextTurn();
  await nextTurn();
}

test.each(['reset', 'closed'])(
  'a request on a kept connection that breaks may be sent again where it is %s before a byte of an answer',
  async (how) => {
    const server = await serve((socket, piece) => {
      if (piece === 1) socket.write(OK);
      else if (how === 'reset') socket.resetAndDestroy();
      else socket.end();
    });
    const client = clientOf(server);
    await warm(client);
    expect(await post(client).ended()).toMatchObject({ kind: 'broken', isRepeatable: true });
    expect(server.opened).toBe(1);
  },
);

test('a request on a kept connection that breaks may be sent again, but not once the server has had it for a second', async () => {
  const clock = useManualTimers();
  const server = await serve((socket, piece) => {
    if (piece === 1) {
      socket.write(OK);
      return;
    }
    clock.advance(1_000);
    socket.resetAndDestroy();
  });
  const client = clientOf(server);
  await warm(client);
  const fault = await post(client).ended();
  expect(fault).toMatchObject({ kind: 'broken' });
  expect(fault).not.toHaveProperty('isRepeatable');
});

test.each(['H', 'HTTP/1.1 200 OK\r\ncontent-le', 'HTTP/1.1 100 Continue\r\n\r\n', OK.slice(0, -1)])(
  'a request on a kept connection that breaks may be sent again but not once %j of an answer has come',
  async (begun) => {
    const server = await serve((socket, piece) => {
      if (piece === 1) socket.write(OK);
      else socket.end(begun);
    });
    const client = clientOf(server);
    await warm(client);
    const fault = await post(client).ended();
    expect(fault).toMatchObject({ kind: 'broken' });
    expect(fault).not.toHaveProperty('isRepeatable');
  },
);

test('a request on a kept connection that breaks may be sent again but not where the client itself has cut it off', async () => {
  const server = await serve((socket, piece) => void (piece === 1 && socket.write(OK)));
  const client = clientOf(server);
  await warm(client);
  const recording = post(client);
  await client.close(0);
  expect(await recording.ended()).not.toHaveProperty('isRepeatable');
});

test('a request on a kept connection that breaks may be sent again but not on a connection that was made for it', async () => {
  const server = await serve((socket) => socket.resetAndDestroy());
  expect(await post(clientOf(server)).ended()).not.toHaveProperty('isRepeatable');
});

function inTurns(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(() => inTurns(turns - 1, run));
}

/** Answers with the request's body, and this many turns later sends another byte that belongs to no request. */
async function serveTwice(turns: number): Promise<RawServer> {
  return await serve((socket, _piece, text) => {
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    inTurns(turns, () => {
      if (socket.writable) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlate');
    });
  });
}

test.each([0, 1, 2])(
  'bytes that follow an answer are never the next one’s where they come %i turns of the event loop later',
  async (turns) => {
    const rounds = 100;
    const client = clientOf(await serveTwice(turns));
    const answers: string[] = [];
    const done = Promise.withResolvers<void>();
    // The next request leaves in the moment in which an answer ends.
    const ask = (round: number): void => {
      const recording = new RecordedExchange();
      const next = (): void => {
        answers.push(recording.text);
        if (round + 1 < rounds) ask(round + 1);
        else done.resolve();
      };
      client.send(
        { method: 'POST', path: '/', headers: {}, body: [Buffer.from(`${round}`)] },
        {
          start: (status, headers) => recording.start(status, headers),
          data: (chunk) => recording.data(chunk),
          end: next,
          fail: done.reject,
        },
      );
    };
    ask(0);
    await done.promise;
    expect(answers).toEqual(Array.from({ length: rounds }, (_, round) => `${round}`));
  },
);

test('bytes that follow an answer are never the next one’s where they come to an idle connection, which they close', async () => {
  const server = await serve((socket) => socket.write(OK.replace('\r\n', '\r\nkeep-alive: timeout=60\r\n')));
  const client = clientOf(server);
  await warm(client);
  for (const socket of server.sockets) socket.write('H');
  await eventually(() => expect(server.sockets.size).toBe(0));
  await warm(client);
  expect(server.opened).toBe(2);
});

test('an exchange that begins while another’s connection rests waits for it instead of opening one', async () => {
  const server = await serve((socket) => socket.write(OK));
  const client = clientOf(server);
  let second: RecordedExchange | null = null;
  const first = new RecordedExchange();
  const handler = { ...bound(first), end: () => void (second = post(client)) };
  client.send({ method: 'POST', path: '/', headers: {}, body: null }, handler);
  await eventually(() => expect(second?.endings).toEqual(['end']));
  expect(server.opened).toBe(1);
});

test('an exchange that begins while another’s connection rests opens one where that closes', async () => {
  const server = await serve((socket, piece) => void (piece === 1 && socket.write(OK)));
  const client = clientOf(server);
  let second: RecordedExchange | null = null;
  const first = new RecordedExchange();
  const end = (): void => {
    second = post(client);
    for (const socket of server.sockets) socket.write('?');
  };
  client.send({ method: 'POST', path: '/', headers: {}, body: null }, { ...bound(first), end });
  await eventually(() => expect(second?.endings).toEqual(['end']));
  expect(server.opened).toBe(2);
});

function bound(recording: RecordedExchange): Pick<RecordedExchange, 'start' | 'data' | 'fail'> {
  return {
    start: (status, headers) => recording.start(status, headers),
    data: (chunk) => recording.data(chunk),
    fail: (fault) => recording.fail(fault),
  };
}

const hinted = (hint: string): string => OK.replace('\r\n', `\r\nkeep-alive: ${hint}\r\n`);

test.each([
  ['for four seconds where the server says nothing', OK, 60_000, 4_000],
  ['as long as the server says, less a second', hinted('timeout=30, max=100'), 60_000, 29_000],
  ['no longer than it may be', hinted('timeout=300'), 60_000, 60_000],
  ['no longer than it may be, where the server says nothing', OK, 2_000, 2_000],
])('an idle connection is kept: %s', async (_how, answer, keepAliveMs, keptMs) => {
  const clock = useManualTimers();
  const server = await serve((socket) => socket.write(answer));
  const client = clientOf(server, { keepAliveMs });
  await warm(client);
  clock.advance(keptMs - 1);
  await warm(client);
  expect(server.opened).toBe(1);
  clock.advance(keptMs + 500);
  await warm(client);
  expect(server.opened).toBe(2);
});

test.each([
  ['the server is about to close it', hinted('timeout=1'), 60_000],
  ['none may be', hinted('timeout=30'), 0],
])('an idle connection is kept for no other request where %s', async (_why, answer, keepAliveMs) => {
  const server = await serve((socket) => socket.write(answer));
  const client = clientOf(server, { keepAliveMs });
  await warm(client);
  await warm(client);
  expect(server.opened).toBe(2);
});
