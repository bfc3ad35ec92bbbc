import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { bindByHandle, bindSocket } from './bound-socket.ts';

test.each([
  ['by the class of newer Nodes', bindSocket],
  ['by the handle of older ones', bindByHandle],
])('a socket that is bound %s is taken over by a server at its descriptor', async (_, bind) => {
  const socket = bind('127.0.0.1', 0);
  const server = createServer((connection) => connection.end('here'));
  server.listen({ fd: socket.descriptor });
  await once(server, 'listening');
  const client = connect(socket.port, '127.0.0.1');
  const [text] = (await once(client, 'data')) as [Buffer];
  expect(text.toString()).toBe('here');
  await new Promise((resolve) => server.close(resolve));
});

test.each([bindSocket, bindByHandle])('an address of another machine is refused with its code', (bind) => {
  expect(() => bind('192.0.2.1', 0)).toThrow(expect.objectContaining({ code: 'EADDRNOTAVAIL' }));
});
