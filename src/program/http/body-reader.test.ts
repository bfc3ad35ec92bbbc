import { afterEach, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { GatheredBytes, PIECES_FREE } from '../../lib/gathered-bytes.ts';
import { readBody } from './body-reader.ts';

// Bodies that node:http reads are bounded in bytes, in chunks, and in what is read of them in one turn of the event loop.

const CHUNKED = head('POST /any HTTP/1.1', { host: 'x', 'transfer-encoding': 'chunked' });
const END = '0\r\n\r\n';

let opened = new AsyncDisposableStack();

afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

interface Reading {
  readonly connection: RawConnection;
  readonly server: RecordingServer;
  readonly body: GatheredBytes;
  /** The body's length, or why it was not read. */
  readonly outcomes: (number | string)[];
}

/** A server that reads one body of at most so many bytes. */
async function reading(bytesMax: number, begin = CHUNKED): Promise<Reading> {
  const outcomes: (number | string)[] = [];
  const bodies: GatheredBytes[] = [];
  const server = await RecordingServer.start({
    plain: () => undefined,
    any: (message, response) => {
      const body = new GatheredBytes(bytesMax, server.budget);
      bodies.push(body);
      readBody(message, body)
        .then((outcome) => {
          outcomes.push(Buffer.isBuffer(outcome) ? outcome.length : outcome);
          response.end('read');
        })
        .catch((fault: unknown) => outcomes.push(String(fault)));
    },
  });
  opened.defer(() => server.stop());
  const connection = new RawConnection(server.url).send(begin);
  opened.defer(() => connection.destroy());
  await until(() => bodies.length > 0);
  return { connection, server, body: bodies[0] as GatheredBytes, outcomes };
}

function chunksOf(size: number, count: number): string {
  return `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count);
}

test('a body in chunks of exactly the limit is read; one of a byte more is too large', async () => {
  const exact = await reading(300_000);
  exact.connection.send(chunksOf(100_000, 3), END);
  await until(() => exact.outcomes.length > 0);
  const above = await reading(300_000);
  above.connection.send(chunksOf(100_000, 3), chunksOf(1, 1), END);
  await until(() => above.outcomes.length > 0);
  expect([exact.outcomes, above.outcomes]).toEqual([[300_000], ['too_large']]);
});

test('a body that is announced with exactly the limit is read; one of a byte more is refused before it comes', async () => {
  const announced = (length: number): string =>
    head('POST /any HTTP/1.1', { host: 'x', 'content-length': `${length}` });
  const exact = await reading(300_000, announced(300_000));
  exact.connection.send('x'.repeat(300_000));
  await until(() => exact.outcomes.length > 0);
  const above = await reading(300_000, announced(300_001));
  await until(() => above.outcomes.length > 0);
  expect([exact.outcomes, above.outcomes]).toEqual([[300_000], ['too_large']]);
});

test('a body in chunks of one byte is refused after a few thousand, and is charged what it holds until then', async () => {
  const { connection, server, body, outcomes } = await reading(20_000_000);
  connection.send(chunksOf(1, PIECES_FREE / 2));
  await until(() => body.length === PIECES_FREE / 2);
  expect(server.budget.taken).toBeGreaterThanOrEqual(body.length);
  expect(server.budget.taken).toBeLessThanOrEqual(body.length + 4_096);
  connection.send(chunksOf(1, PIECES_FREE));
  await until(() => outcomes.length > 0);
  expect(outcomes).toEqual(['fragmented']);
  body.drop();
  expect(server.budget.taken).toBe(0);
});

test('a turn of the event loop reads one packet of a body, however many have come', async () => {
  const { connection, body, outcomes } = await reading(20_000_000);
  let before = 0;
  let most = 0;
  let turns = 0;
  const count = (): void => {
    most = Math.max(most, body.length - before);
    if (body.length > before) turns += 1;
    before = body.length;
    if (outcomes.length === 0) setImmediate(count);
  };
  setImmediate(count);
  connection.send(chunksOf(1_000, 5_000), END);
  await until(() => outcomes.length > 0);
  expect(outcomes).toEqual([5_000_000]);
  // What came before the reader asked may be read at once with the next packet.
  expect(most).toBeLessThanOrEqual(2 * 65_536);
  expect(turns).toBeGreaterThan(30);
});

test('a body whose chunks have been read is followed by the next request on its connection', async () => {
  const { connection, outcomes } = await reading(1_000);
  connection.send(chunksOf(10, 10), END, CHUNKED, chunksOf(20, 10), END);
  expect((await connection.response())?.body.toString()).toBe('read');
  expect((await connection.response())?.body.toString()).toBe('read');
  expect(outcomes).toEqual([100, 200]);
});
