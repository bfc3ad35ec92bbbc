import type { Destination } from './destination.ts';
import { ProxyTunnel } from './proxy-tunnel.ts';
import { openPlain, openSecure, type SocketListener, type SocketAttempt } from './sockets.ts';
import { describeError } from './transport-fault.ts';

const READ_BYTES = 65_536;

/** Sockets without a proxy are read into one buffer, and bytes are copied out of it before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(READ_BYTES);

/** Connects, through the destination's proxy if it has one. The listener is not called before this returns. */
export function openSocket(destination: Destination, listener: SocketListener): SocketAttempt {
  return destination.proxy === null
    ? openDirectly(destination, listener)
    : new ProxyTunnel(destination.proxy, destination, listener);
}

function openDirectly(destination: Destination, listener: SocketListener): SocketAttempt {
  const { isSecure, hostname, port } = destination;
  const callback = (count: number): boolean => {
    listener.read(Buffer.from(READ_BUFFER.subarray(0, count)));
    return true;
  };
  const target = { host: hostname, port, onread: { buffer: READ_BUFFER, callback } };
  const socket = isSecure ? openSecure(destination, target) : openPlain(target);
  socket.once(isSecure ? 'secureConnect' : 'connect', () => listener.connected(socket));
  socket.on('error', (error) => listener.broken(describeError(error)));
  socket.on('end', () => listener.ended());
  socket.on('close', () => listener.broken('the connection was closed'));
  return { pending: 'no connection', destroy: () => void socket.destroy() };
}
