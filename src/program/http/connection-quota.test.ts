import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { head, RawConnection } from '../../../test/wire/raw-http.ts';
import { ConnectionQuota, type RefusedConnection } from './connection-quota.ts';

const open: Socket[] = [];
let server: RecordingServer | null = null;
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server?.stop();
});

async function serve(connectionsMax: number, connectionsPerAddressMax: number) {
  const refused: RefusedConnection[] = [];
  const quota = new ConnectionQuota({ connectionsMax, connectionsPerAddressMax }, (each) => refused.push(each));
  const { url } = (server = await RecordingServer.start(
    {
      plain: (caller) => caller.answer(Buffer.from('{}'), []),
      any: (_message, response) => void response.end('{}'),
    },
    { connections: quota },
  ));
  return { quota, refused, url, port: Number(new URL(url).port) };
}

/** Opens a connection from one of this machine's own addresses; answers with whether it stays open for an answer. */
async function isServed(port: number, localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  open.push(socket);
  socket.on('error', () => undefined);
  socket.write(head('GET /livez HTTP/1.1', { host: 'x' }));
  return await Promise.race([
    once(socket, 'data').then(
      () => true,
      () => false,
    ),
    once(socket, 'close').then(() => false),
  ]);
}

// Other systems than Linux answer by one address of the loopback network alone.
describe.runIf(process.platform === 'linux')('one client that takes all connections that it can get', () => {
  test('one client that takes all connections that it can get leaves the rest to others, until all are taken', async () => {
    const { port, quota, refused } = await serve(5, 3);
    const outcomes: boolean[] = [];
    for (let count = 0; count < 4; count++) outcomes.push(await isServed(port, '127.0.0.1'));
    for (let count = 0; count < 3; count++) outcomes.push(await isServed(port, '127.0.0.2'));
    expect(outcomes).toEqual([true, true, true, false, true, true, false]);
    expect(quota.size).toBe(5);
    expect(refused).toEqual([
      { limit: 'address', address: '127.0.0.1', connections: 3 },
      { limit: 'all', address: '127.0.0.2', connections: 5 },
    ]);
  });
});

test('a connection counts for as long as it is open, whichever of the two readers has it', async () => {
  const { url, quota, refused } = await serve(10, 2);
  const plain = new RawConnection(url).send(head('GET /v1/models HTTP/1.1', { host: 'x' }));
  const node = new RawConnection(url).send(head('GET /livez HTTP/1.1', { host: 'x' }));
  await Promise.all([plain.response(), node.response()]);
  for (const gone of [node, plain]) {
    const third = new RawConnection(url);
    await third.closed;
    expect([quota.size, refused.length]).toEqual([2, 1]);
    refused.splice(0);
    gone.destroy();
    await until(() => quota.size === 1);
    const next = new RawConnection(url).send(head('GET /livez HTTP/1.1', { host: 'x' }));
    expect((await next.response())?.status).toBe(200);
    open.push(next.socket);
  }
});
