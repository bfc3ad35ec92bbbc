import { afterEach, beforeEach, expect, test } from 'vitest';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { exchange, head, RawConnection } from '../../../test/wire/raw-http.ts';
import { handOver, retire } from './end-serving.ts';

const PATIENT_MS = 60_000;
/** One that is read from the bare socket, and one that node:http reads. */
const REQUESTS = ['GET /v1/models HTTP/1.1', 'GET /livez HTTP/1.1'].map((line) => head(line, { host: 'x' }));

let server: RecordingServer;
const start = async (): Promise<void> => {
  server = await RecordingServer.start({
    plain: (caller) => caller.answer(Buffer.from('{}'), []),
    any: (_message, response) => void response.end('{}'),
  });
};
beforeEach(start);
afterEach(() => server.stop());

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  const { promise: given, resolve: give } = Promise.withResolvers<void>();
  return { given, give };
}

test('a server that retires says so, and serves new and open connections on, each for one answer', async () => {
  const hurry = signal();
  const open = REQUESTS.map(() => new RawConnection(server.url));
  await Promise.all(open.map((connection, index) => connection.send(REQUESTS[index] ?? '').response()));
  const retired = retire(server.front, { lameDuckMs: PATIENT_MS, drainMs: PATIENT_MS }, hurry.given);
  expect([server.front.isLeaving, server.front.isDraining]).toEqual([true, false]);
  const fresh = REQUESTS.map(() => new RawConnection(server.url));
  for (const connections of [open, fresh]) {
    for (const [index, connection] of connections.entries()) {
      const answer = await connection.send(REQUESTS[index] ?? '').response();
      expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
      await connection.closed;
    }
  }
  hurry.give();
  await retired;
});

test('a server that retires takes no connections any more once its time is up', async () => {
  await retire(server.front, { lameDuckMs: 1, drainMs: PATIENT_MS }, signal().given);
  expect(await exchange(server.url, REQUESTS[0] ?? '')).toBeNull();
});

test('both ways to end are cut short once somebody will not wait: what still comes is not waited for', async () => {
  for (const end of [
    (hurried: Promise<void>) => handOver(server.front, PATIENT_MS, hurried),
    (hurried: Promise<void>) => retire(server.front, { lameDuckMs: PATIENT_MS, drainMs: PATIENT_MS }, hurried),
  ]) {
    const hurry = signal();
    const half = new RawConnection(server.url);
    await half.send(REQUESTS[0] ?? '').response();
    half.send((REQUESTS[0] ?? '').slice(0, 10));
    const ended = end(hurry.given);
    hurry.give();
    await Promise.all([ended, half.closed]);
    expect(server.front.isDraining).toBe(true);
    await server.stop();
    await start();
  }
});
