import { connect as connectPlain, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecure, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Destination } from './destination.ts';

/** Called for an established connection, and then for its events. */
export interface SocketListener {
  /** The connection is established; requests are written to this socket. */
  connected(socket: Socket): void;
  /** More bytes, which are the listener's own. */
  read(bytes: Buffer): void;
  /** The other side will send no more. */
  ended(): void;
  /** The connection can't be made, or is closed. May be called again. */
  broken(message: string): void;
}

export interface SocketAttempt {
  /** Until it is connected: the missing step, for a message. */
  readonly pending: string;
  /** Closes it, connected or not. */
  destroy(): void;
}

const PROBE_AFTER_MS = 60_000;

/** A TCP connection that sends requests without delay, and is probed while idle. */
export function openPlain(target: TcpNetConnectOpts): Socket {
  return tuned(connectPlain(target));
}

/** A TLS connection with the destination's certificates, which resumes the last session. */
export function openSecure(destination: Destination, target: ConnectionOptions): TLSSocket {
  const { hostname, secureContext, session } = destination;
  const socket = connectSecure({
    ...target,
    servername: isIP(hostname) === 0 ? hostname : '',
    // Even without a server name, the certificate is checked against the address.
    host: hostname,
    ALPNProtocols: ['http/1.1'],
    ...(secureContext && { secureContext }),
    ...(session && { session }),
  });
  socket.on('session', (next: Buffer) => {
    destination.session = next;
  });
  return tuned(socket);
}

function tuned<Kind extends Socket>(socket: Kind): Kind {
  return socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS);
}
