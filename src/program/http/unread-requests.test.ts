import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import OpenAI, { AuthenticationError } from 'openai';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { refuse } from '../../domain/refusals.ts';
import { CROWDED_BYTES_MAX, LINGERING_MAX } from './unread-requests.ts';

// Whoever is refused before the body has come is told so, and costs nothing more: the rest is not read.

const PATHS = { plain: '/v1/embeddings', node: '/other' } as const;
const MEGABYTE = 1_000_000;
const BODY_BYTES_MAX = 21 * MEGABYTE;
/** Packets that are under way when reading ends, and the frames of a body in chunks. */
const MARGIN_BYTES = 2 * MEGABYTE;

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** Refuses everybody at the head. */
async function refusing(): Promise<RecordingServer> {
  const server = await RecordingServer.start(
    {
      plain: (caller) => caller.refuse(refuse('INVALID_API_KEY', 'No.')),
      any: (_message, response) => void response.writeHead(401, { 'content-type': 'text/plain' }).end('No.'),
    },
    { bodyBytesMax: BODY_BYTES_MAX },
  );
  opened.defer(() => server.stop());
  return server;
}

/** The sockets that servers of this process accept from now on. */
function acceptedSockets(): Socket[] {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', onSocket);
  opened.defer(() => void unsubscribe('net.server.socket', onSocket));
  return sockets;
}

function open(server: RecordingServer, ...sent: readonly (string | Buffer)[]): RawConnection {
  const connection = new RawConnection(server.url);
  opened.defer(() => connection.destroy());
  return connection.send(...sent);
}

const ANNOUNCED = { host: 'x', 'content-length': String(20 * MEGABYTE) };
const CHUNKED = { host: 'x', 'transfer-encoding': 'chunked' };

test.each([
  ['a plain request', PATHS.plain, ANNOUNCED, Buffer.alloc(60 * MEGABYTE)],
  ['a request that node:http reads', PATHS.node, ANNOUNCED, Buffer.alloc(60 * MEGABYTE)],
  ['a body in chunks of one byte', PATHS.node, CHUNKED, Buffer.from('1\r\nx\r\n'.repeat(10 * MEGABYTE))],
])(
  'a refusal at the head is answered, and no more is read than a body may have, of %s',
  async (_what, path, fields, body) => {
    const sockets = acceptedSockets();
    const server = await refusing();
    const connection = open(server, head(`POST ${path} HTTP/1.1`, fields), body);
    expect(await connection.response()).toMatchObject({ status: 401, headers: { connection: 'close' } });
    await connection.closed;
    const { bytesRead } = sockets.at(-1) as Socket;
    expect(bytesRead).toBeLessThanOrEqual(BODY_BYTES_MAX + MARGIN_BYTES);
    await until(() => server.front.connections === 0);
  },
);

test('what follows a request that is refused at its head is not parsed, whatever it is', async () => {
  const sockets = acceptedSockets();
  const server = await refusing();
  for (const path of Object.values(PATHS)) {
    const connection = open(server, head(`POST ${path} HTTP/1.1`, ANNOUNCED), 'begun');
    expect((await connection.response())?.status).toBe(401);
    connection.send('\0 no HTTP\r\n\r\n', head('GET /other HTTP/1.1', { host: 'x' }));
    connection.socket.end();
    await connection.closed;
    expect(connection.received).toHaveLength(0);
    expect(sockets.at(-1)?.bytesWritten).toBeLessThan(1_000);
  }
});

test(
  'a refused caller that goes on sending sees the end of its answer long before it is cut off',
  { timeout: 20_000 },
  async () => {
    const server = await refusing();
    for (const path of Object.values(PATHS)) {
      const connection = open(server, head(`POST ${path} HTTP/1.1`, ANNOUNCED));
      const ended = once(connection.socket, 'end');
      expect((await connection.response())?.status).toBe(401);
      const sending = setInterval(() => void connection.send('x'), 100);
      opened.defer(() => clearInterval(sending));
      await ended;
      clearInterval(sending);
    }
  },
);

test('a refused caller that neither sends nor leaves is gone after a moment', async () => {
  const server = await refusing();
  for (const path of Object.values(PATHS)) {
    const connection = open(server, head(`POST ${path} HTTP/1.1`, ANNOUNCED));
    expect((await connection.response())?.status).toBe(401);
    await connection.closed;
  }
  await until(() => server.front.connections === 0);
});

test('a request without a body, and one whose body has come, keep their connection where node:http reads them', async () => {
  const server = await RecordingServer.start({
    plain: () => undefined,
    any: (message, response) => void message.resume().on('end', () => response.writeHead(401).end()),
  });
  opened.defer(() => server.stop());
  const none = open(server, head('GET /other HTTP/1.1', { host: 'x' }));
  expect((await none.response())?.headers['connection']).toBe('keep-alive');
  const whole = open(server, head('POST /other HTTP/1.1', { host: 'x', 'content-length': '5' }), '12345');
  expect((await whole.response())?.headers['connection']).toBe('keep-alive');
});

test('who asks whether to send a body is told to if somebody reads it, and only then', async () => {
  const reading = await RecordingServer.start({
    plain: () => undefined,
    any: (message, response) => void message.resume().on('end', () => response.end('read')),
  });
  opened.defer(() => reading.stop());
  const asking = head('POST /other HTTP/1.1', { host: 'x', 'content-length': '5', expect: '100-continue' });
  const told = open(reading, asking);
  await told.until((received) => received.includes('100 Continue'));
  expect((await told.send('12345').response())?.body.toString()).toBe('read');

  const refused = open(await refusing(), asking);
  await refused.until((received) => received.includes('401'));
  expect(refused.received.toString()).not.toContain('100');
});

test.each([1, 20])('clients that send a body of %i MB see why they were refused', async (megabytes) => {
  const server = await refusing();
  const body = 'x'.repeat(megabytes * MEGABYTE);
  for (const path of Object.values(PATHS)) {
    const answered = await fetch(`${server.url}${path}`, { method: 'POST', body });
    expect(answered.status).toBe(401);
    const streamed = new Blob([body]).stream();
    expect((await fetch(`${server.url}${path}`, { method: 'POST', body: streamed, duplex: 'half' })).status).toBe(401);
  }
  const openai = new OpenAI({ apiKey: 'wrong', baseURL: `${server.url}/v1`, maxRetries: 0 });
  await expect(openai.embeddings.create({ model: 'm', input: body })).rejects.toBeInstanceOf(AuthenticationError);
});

const run = promisify(execFile);
const PYTHON = `
import http.client, sys
c = http.client.HTTPConnection(sys.argv[1], timeout=30)
c.request('POST', sys.argv[2], b'x' * int(sys.argv[3]))
print(c.getresponse().status)
`;

test.each([1, 20])('clients that read nothing before they have sent their %i MB see why, too', async (megabytes) => {
  const server = await refusing();
  for (const path of Object.values(PATHS)) {
    const args = ['-c', PYTHON, new URL(server.url).host, path, String(megabytes * MEGABYTE)];
    expect((await run('python3', args)).stdout.trim()).toBe('401');
  }
});

test('while too many connections linger, little is read of one more; all of them end with the server', async () => {
  const sockets = acceptedSockets();
  const server = await refusing();
  const linger = async (): Promise<void> => {
    const connection = open(server, head(`POST ${PATHS.plain} HTTP/1.1`, ANNOUNCED));
    expect((await connection.response())?.status).toBe(401);
  };
  await Promise.all(Array.from({ length: LINGERING_MAX }, linger));
  const another = open(server, head(`POST ${PATHS.plain} HTTP/1.1`, ANNOUNCED), Buffer.alloc(20 * MEGABYTE));
  expect((await another.response())?.status).toBe(401);
  await server.front.drain(0);
  await another.closed;
  expect(sockets.at(-1)?.bytesRead).toBeLessThanOrEqual(CROWDED_BYTES_MAX + MARGIN_BYTES);
});
