import type { Socket } from 'node:net';
import { networkOf } from '../lib/network.ts';

/** The limits of callers' connections: of all together, or of one address. */
export type ConnectionLimit = 'all' | 'address';

export interface ConnectionQuotaSettings {
  readonly connectionsMax: number;
  /** A client that takes more than its share must not shut all others out. */
  readonly connectionsPerAddressMax: number;
}

/** A connection that was closed as soon as it was open. */
export interface RefusedConnection {
  readonly limit: ConnectionLimit;
  readonly address: string;
  /** How many are open that the limit is about. */
  readonly connections: number;
}

/** The connections that callers may have open, whatever reads them. Addresses are counted as `networkOf` says. */
export class ConnectionQuota {
  readonly settings: ConnectionQuotaSettings;
  readonly #onRefused: (refused: RefusedConnection) => void;
  readonly #byNetwork = new Map<string, number>();
  #size = 0;

  constructor(settings: ConnectionQuotaSettings, onRefused: (refused: RefusedConnection) => void) {
    this.settings = settings;
    this.#onRefused = onRefused;
  }

  /** How many are open. */
  get size(): number {
    return this.#size;
  }

  /** Counts the connection until it closes. One too many is closed immediately, and the result is false. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const ofNetwork = this.#byNetwork.get(network) ?? 0;
    const { connectionsMax, connectionsPerAddressMax } = this.settings;
    if (this.#size >= connectionsMax) return this.#refuse(socket, { limit: 'all', address, connections: this.#size });
    if (ofNetwork >= connectionsPerAddressMax) {
      return this.#refuse(socket, { limit: 'address', address, connections: ofNetwork });
    }
    this.#size += 1;
    this.#byNetwork.set(network, ofNetwork + 1);
    socket.once('close', () => this.#closed(network));
    return true;
  }

  #closed(network: string): void {
    this.#size -= 1;
    const left = (this.#byNetwork.get(network) ?? 0) - 1;
    if (left > 0) this.#byNetwork.set(network, left);
    else this.#byNetwork.delete(network);
  }

  /** A reset leaves nothing behind, where a goodbye would keep the port of the one that is refused. */
  #refuse(socket: Socket, refused: RefusedConnection): false {
    socket.on('error', () => undefined);
    socket.resetAndDestroy();
    this.#onRefused(refused);
    return false;
  }
}
