import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { RequestsInTurn } from './requests-in-turn.ts';
import type { TurnShare } from './turn-share.ts';

// Whoever sends many requests at once on one connection is served like somebody who waits for each answer.

const REQUESTS = 1_000;
const CHUNKED = { host: 'x', 'transfer-encoding': 'chunked' };

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

interface Counting {
  readonly server: RecordingServer;
  /** How many requests have begun, how many in the turn of the event loop with the most, and how many at a time. */
  readonly begun: { all: number; inTurn: number; atOnce: number };
}

/** Answers everything at once, or a moment later. */
async function counting(answersLater: boolean): Promise<Counting> {
  const begun = { all: 0, inTurn: 0, atOnce: 0 };
  let [inTurn, running] = [0, 0];
  const count = (answer: () => void): void => {
    begun.all += 1;
    inTurn += 1;
    running += 1;
    begun.inTurn = Math.max(begun.inTurn, inTurn);
    begun.atOnce = Math.max(begun.atOnce, running);
    if (inTurn === 1) setImmediate(() => (inTurn = 0));
    const end = (): void => {
      running -= 1;
      answer();
    };
    if (answersLater) setImmediate(() => setImmediate(end));
    else end();
  };
  const server = await RecordingServer.start({
    plain: (caller) => count(() => caller.answer(Buffer.from('{}'), [])),
    any: (message, response) => {
      const answer = (): void => count(() => response.writeHead(200, { 'content-length': 2 }).end('{}'));
      if (message.method === 'POST') message.resume().once('end', answer);
      else answer();
    },
  });
  opened.defer(() => server.stop());
  return { server, begun };
}

const PATHS = [
  ['plain ones', head('GET /v1/models HTTP/1.1', { host: 'x' })],
  ['others', head('GET /other HTTP/1.1', { host: 'x' })],
  ['bodies', `${head('POST /other HTTP/1.1', { host: 'x', 'content-length': '2' })}{}`],
  ['bodies in chunks', `${head('POST /other HTTP/1.1', CHUNKED)}2\r\n{}\r\n0\r\n\r\n`],
] as const;

test.each(
  PATHS.flatMap(([what, bytes]) =>
    [false, true].flatMap((later) => [false, true].map((closes) => ({ what, bytes, later, closes }))),
  ),
)(
  'requests that come together are served in turn: $what, answered later: $later, half-closed: $closes',
  async ({ bytes, later, closes }) => {
    const { server, begun } = await counting(later);
    const connection = new RawConnection(server.url);
    opened.defer(() => connection.destroy());
    connection.send(bytes.repeat(REQUESTS));
    if (closes) connection.socket.end();
    for (let answer = 0; answer < REQUESTS; answer++) expect((await connection.response())?.status).toBe(200);
    expect(begun.all).toBe(REQUESTS);
    // A count may begin in the middle of a turn.
    expect(begun.inTurn).toBeLessThanOrEqual(2);
    expect(begun.atOnce).toBe(1);
  },
);

/** Longer than the share of a turn that all of them have. */
const WORK_US = 5_000;
const CONNECTIONS = 12;

test('connections share a turn: a plain request waits for few of the others, however many there are', async () => {
  let begun = 0;
  const begunBetween: number[] = [];
  const server = await RecordingServer.start({
    plain: (caller) => {
      begunBetween.push(begun);
      begun = 0;
      caller.answer(Buffer.from('{}'), []);
    },
    any: (message, response) => {
      const start = process.threadCpuUsage();
      while (message.url === '/work' && process.threadCpuUsage(start).user < WORK_US);
      begun += 1;
      response.writeHead(200, { 'content-length': 2 }).end('{}');
    },
  });
  opened.defer(() => server.stop());
  const open = (): RawConnection => {
    const connection = new RawConnection(server.url);
    opened.defer(() => connection.destroy());
    return connection;
  };
  const ask = async (connection: RawConnection, path: string): Promise<void> => {
    connection.send(head(`GET ${path} HTTP/1.1`, { host: 'x' }));
    expect((await connection.response())?.status).toBe(200);
  };
  const probe = open();
  const others = Array.from({ length: CONNECTIONS }, open);
  await Promise.all(others.map((other) => ask(other, '/other')));
  await ask(probe, '/v1/models');
  begunBetween.length = 0;
  const all = Promise.all(others.map((other) => ask(other, '/work')));
  while (begunBetween.reduce((sum, each) => sum + each, 0) < CONNECTIONS) await ask(probe, '/v1/models');
  await all;
  expect(Math.max(...begunBetween)).toBeLessThanOrEqual(CONNECTIONS / 3);
});

test('nothing is begun of what was sent behind a request with which its connection ends', async () => {
  const { server, begun } = await counting(false);
  const connection = new RawConnection(server.url);
  opened.defer(() => connection.destroy());
  const last = head('GET /other HTTP/1.1', { host: 'x', connection: 'close' });
  connection.send(last + head('GET /other HTTP/1.1', { host: 'x' }).repeat(REQUESTS));
  expect((await connection.response())?.status).toBe(200);
  await connection.closed;
  expect(begun.all).toBe(1);
});

const REQUEST = head('GET /other HTTP/1.1', { host: 'x' });

/** A connection whose parser, requests and turns are a test's own. */
function held(take: TurnShare['take']) {
  const socket = new Duplex({ read: () => undefined });
  const parsed: string[] = [];
  const latest: { request: IncomingMessage | undefined } = { request: undefined };
  socket.on('data', (bytes: Buffer) => {
    parsed.push(String(bytes));
    latest.request = { complete: true, headers: {} } as IncomingMessage;
  });
  const share = { take } as unknown as TurnShare;
  const requests = new RequestsInTurn(socket as unknown as Socket, () => latest.request, share);
  const resumed = vi.spyOn(socket, 'resume');
  const pass = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  };
  return { socket, parsed, latest, requests, resumed, pass };
}

test('a connection is left alone until it may begin a request, though another of its requests is answered', async () => {
  const due: (() => void)[] = [];
  const { socket, parsed, requests, resumed, pass } = held((goOn) => {
    due.push(goOn);
    return false;
  });
  socket.push(REQUEST);
  await pass();
  resumed.mockClear();
  requests.goOn();
  await pass();
  expect([parsed, due.length, resumed.mock.calls.length]).toEqual([[], 1, 0]);
  due[0]?.();
  await pass();
  expect([parsed, due.length]).toEqual([[REQUEST], 1]);
});

test('a connection is left alone until its request is answered, and takes no share of a turn before', async () => {
  const take = vi.fn<TurnShare['take']>(() => true);
  const { socket, parsed, latest, requests, resumed, pass } = held(take);
  socket.push(REQUEST + REQUEST);
  await pass();
  resumed.mockClear();
  requests.goOn();
  await pass();
  expect([parsed, take.mock.calls.length, resumed.mock.calls.length]).toEqual([[REQUEST], 1, 0]);
  latest.request = undefined;
  requests.goOn();
  expect(parsed).toHaveLength(1);
  await pass();
  expect([parsed, take.mock.calls.length]).toEqual([[REQUEST, REQUEST], 2]);
});
