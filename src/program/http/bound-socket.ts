import net, { isIPv6 } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { assert } from '../../lib/assert.ts';

/** A socket that is bound, and accepts nothing. */
export interface BoundSocket {
  readonly port: number;
  readonly descriptor: number;
  close(): void;
}

/** Node's handle of a socket. */
interface ServerHandle {
  readonly fd: number;
  getsockname(name: { port?: number }): void;
  close(): void;
}

/** The undocumented function with which Node's cluster module binds sockets: a handle, or the number of an error. */
const CREATE = '_createServerHandle';
interface BindsHandles {
  [CREATE]?(address: string, port: number, family: 4 | 6): ServerHandle | number;
}

/** Binds a numeric address. @throws NodeJS.ErrnoException */
export function bindSocket(address: string, port: number): BoundSocket {
  return 'BoundSocket' in net ? bindByClass(address, port) : bindByHandle(address, port);
}

function bindByClass(host: string, port: number): BoundSocket {
  const socket = new net.BoundSocket({ host, port });
  return { port: socket.address().port, descriptor: socket.fd(), close: () => socket.close() };
}

/** For a Node before 26.4. */
export function bindByHandle(address: string, port: number): BoundSocket {
  const handle = (net as BindsHandles)[CREATE]?.(address, port, isIPv6(address) ? 6 : 4);
  if (typeof handle === 'number') {
    const code = getSystemErrorName(handle);
    throw Object.assign(new Error(`bind ${code} ${address}:${port}`), { code });
  }
  assert(handle !== undefined, 'this Node binds sockets for child processes');
  const name: { port?: number } = {};
  handle.getsockname(name);
  return { port: name.port ?? port, descriptor: handle.fd, close: () => handle.close() };
}
