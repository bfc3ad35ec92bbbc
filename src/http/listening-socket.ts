import { lookup } from 'node:dns/promises';
import { BoundSocket } from 'node:net';
import { listenFault } from './listen-fault.ts';

// The socket of a port that several processes listen on. Its creator never accepts on it, but keeps it, so that callers
// wait in its queue while a process is replaced, instead of being turned away.

export interface ListeningSocket {
  /** The port that it has. */
  readonly port: number;
  /** The URL at which it can be reached. */
  readonly url: string;
  /** For processes to inherit. */
  readonly descriptor: number;
  /** Lets go of it; processes that have inherited it keep it. Harmless where that has been done. */
  close(): void;
}

/** The URL of what listens there. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Takes the address; port 0 takes any free one. @throws ListenFault if the address can't be had */
export async function takeSocket(host: string, port: number): Promise<ListeningSocket> {
  try {
    const { address } = await lookup(host);
    const socket = new BoundSocket({ host: address, port });
    const bound = socket.address().port;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    return { port: bound, url: listeningUrl(host, bound), descriptor: socket.fd(), close };
  } catch (fault) {
    throw listenFault(fault as NodeJS.ErrnoException, host, port);
  }
}
