import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEADER_BYTES_MAX, RecordingServer } from '../../../test/support/recording-server.ts';
import { exchange, head } from '../../../test/wire/raw-http.ts';
import { headRefusal } from './malformed.ts';

// The server reads some requests from the bare socket, and leaves others to node:http. Whatever comes, in whatever pieces,
// it must take the same requests out of it as node:http alone does: else one could be smuggled past a proxy in front.

/** A request as it was taken out of a connection; `body` is null until it is whole. */
interface Seen {
  readonly line: string;
  body: string | null;
}

/** What stands for a request that is refused for its head, and ends its connection. */
const REFUSED: Seen = { line: 'refused', body: '' };

const RUNS = 500;

let seen: Seen[] = [];
/** How many were read from the bare socket. */
let plainly = 0;
let server: RecordingServer;
const bare = createServer({ maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false });

function record(message: IncomingMessage, response: ServerResponse): void {
  const entry: Seen = { line: `${message.method} ${message.url}`, body: null };
  seen.push(entry);
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => {
    entry.body = Buffer.concat(chunks).toString('latin1');
    response.end('{}');
  });
}

beforeAll(async () => {
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    if (headRefusal(message) === null) return record(message, response);
    seen.push(REFUSED);
    response.writeHead(400, { connection: 'close' }).end();
  };
  bare.on('request', onRequest).on('checkExpectation', onRequest).listen(0, '127.0.0.1');
  await once(bare, 'listening');
  server = await RecordingServer.start({
    any: record,
    plain: async (caller, line) => {
      const entry: Seen = { line: line.slice(0, line.lastIndexOf(' ')), body: null };
      seen.push(entry);
      plainly += 1;
      const body = await caller.readBody();
      if (!Buffer.isBuffer(body)) return;
      entry.body = body.toString('latin1');
      caller.answer(Buffer.from('{}'), []);
    },
  });
});

afterAll(async () => {
  await server.stop();
  bare.close();
});

/** The requests that a server takes out of these bytes, sent in these pieces and followed by the connection's end. */
async function takenBy(port: number, pieces: readonly string[]): Promise<readonly Seen[]> {
  seen = [];
  const socket = connect(port, '127.0.0.1').setNoDelay();
  socket.on('error', () => undefined);
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  await Promise.race([once(socket, 'connect'), closed]);
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    // The server is in this event loop: by the next turn but one it has read the piece by itself.
    await setImmediate();
    await setImmediate();
  }
  socket.end();
  await closed;
  const refusedAt = seen.indexOf(REFUSED);
  // Whether what comes after a refusal is looked at is a matter of moments.
  return (refusedAt === -1 ? seen : seen.slice(0, refusedAt)).filter(({ body }) => body !== null);
}

const PLAIN_HEAD = 'POST /v1/embeddings HTTP/1.1\r\nhost: x\r\n';
const GET = 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n';
const OTHER = 'POST /smuggled HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nab';

const bodies = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', GET, OTHER, `0\r\n\r\n${GET}`, '2\r\n{}\r\n0\r\n\r\n', '\r\n\r\n', `\r\n${GET}`, '{"a":1}'),
  fc.constant('x'.repeat(70_000)),
);
const sized = (body: string, fields = ''): string =>
  `${PLAIN_HEAD}${fields}content-length: ${body.length}\r\n\r\n${body}`;
const chunked = (body: string): string =>
  `${PLAIN_HEAD}transfer-encoding: chunked\r\n\r\n${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`;

const plain = fc.oneof(
  bodies.map((body) => sized(body)),
  fc.constant(GET),
  bodies.map((body) => GET.replace('\r\n\r\n', `\r\ncontent-length: ${body.length}\r\n\r\n${body}`)),
);
const notPlain = fc.oneof(
  bodies.map(chunked),
  fc.constant(OTHER),
  bodies.map((body) => sized(body, 'expect: 100-continue\r\n')),
  bodies.map((body) => sized(body, 'connection: keep-alive, x-a\r\n')),
  bodies.map((body) => sized(body, 'proxy-connection: close\r\n')),
  bodies.map((body) => sized(body).replace('HTTP/1.1', 'HTTP/1.0')),
);
const broken = fc.oneof(
  bodies.map((body) => sized(body, 'connection: close\r\n')),
  bodies.map((body) => sized(body, `content-length: ${body.length + 1}\r\n`)),
  bodies.map((body) => sized(body, 'transfer-encoding: chunked\r\n')),
  bodies.map((body) => sized(body, 'x-a: b\r\n c\r\n')),
  bodies.map((body) => sized(body, 'host: y\r\n')),
  bodies.map((body) => sized(body).replaceAll('\r\n', '\n')),
  fc.constantFrom('\r\n', '\n', '\0', ' ', 'x\r\n\r\n'),
);
const streams = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: plain }, { weight: 2, arbitrary: notPlain }, { weight: 1, arbitrary: broken }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((requests) => requests.join(''));

const odd = fc.constantFrom('\r', '\n', '\r\n', '\0', '\t', ' ', ':', ',', '0', '1', '9', 'x', '\xa0', '\xff', '');
const change = fc.record({ at: fc.nat(), removed: fc.nat(2), inserted: odd });
const changed = fc.tuple(streams, fc.oneof(fc.constant([]), fc.array(change, { maxLength: 2 })));

function mutate([stream, changes]: readonly [
  string,
  readonly { at: number; removed: number; inserted: string }[],
]): string {
  return changes.reduce((text, { at, removed, inserted }) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + inserted + text.slice(start + removed);
  }, stream);
}

function splitAt(text: string, places: readonly number[]): readonly string[] {
  const cuts = places.map((place) => place % (text.length + 1)).toSorted((left, right) => left - right);
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index] ?? text.length)).filter((piece) => piece !== '');
}

test('nothing is answered behind a request that was refused because it names two hosts', async () => {
  const port = Number(new URL(server.url).port);
  expect(await takenBy(port, [`${GET.replace('host: x', 'host: x\r\nhost: y')}${GET}${OTHER}`])).toEqual([]);
});

test('an expectation that nobody knows is left to the program', async () => {
  const port = Number(new URL(server.url).port);
  const sent = 'GET /other HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\n\r\n';
  expect(await takenBy(port, [sent])).toEqual([{ line: 'GET /other', body: '' }]);
});

test('a head without a host is refused by the program, with an id', async () => {
  const refused = await exchange(server.url, head('GET /other HTTP/1.1'));
  expect([refused?.status, refused?.headers['x-request-id']]).toEqual([400, expect.stringMatching(/^id-/)]);
});

test(
  'the server takes out of a connection the requests that node:http alone takes out of it',
  { timeout: 120_000 },
  async () => {
    const { port } = bare.address() as AddressInfo;
    const frontPort = Number(new URL(server.url).port);
    const asked = fc.asyncProperty(
      changed.map(mutate),
      fc.array(fc.nat(), { maxLength: 4 }),
      async (stream, places) => {
        const pieces = splitAt(stream, places);
        const expected = await takenBy(port, [stream]);
        expect(await takenBy(frontPort, pieces)).toEqual(expected);
      },
    );
    await fc.assert(asked, { numRuns: RUNS });
    expect(plainly).toBeGreaterThan(RUNS / 2);
    expect(server.budget.taken).toBe(0);
  },
);
