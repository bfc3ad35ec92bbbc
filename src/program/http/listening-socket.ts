import { lookup } from 'node:dns/promises';
import { bindSocket } from './bound-socket.ts';
import { listenFault } from './listen-fault.ts';

// A socket on whose port several processes listen. Its creator never accepts on it but keeps it open, so that callers
// wait in its queue while a process is replaced, instead of being refused.

export interface ListeningSocket {
  /** The bound port. */
  readonly port: number;
  /** The URL at which it can be reached. */
  readonly url: string;
  /** The descriptor, for child processes to inherit. */
  readonly descriptor: number;
  /** Closes the socket in this process; processes that have inherited it keep it. Idempotent. */
  close(): void;
}

/** The URL of a server at this address. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Binds the address; port 0 means any free one. @throws ListenFault if the address can't be bound */
export async function takeSocket(host: string, port: number): Promise<ListeningSocket> {
  try {
    const { address } = await lookup(host);
    const socket = bindSocket(address, port);
    const bound = socket.port;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    return { port: bound, url: listeningUrl(host, bound), descriptor: socket.descriptor, close };
  } catch (fault) {
    throw listenFault(fault as NodeJS.ErrnoException, host, port);
  }
}
