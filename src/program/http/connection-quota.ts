import type { Socket } from 'node:net';
import { networkOf } from '../../lib/network.ts';

/** The limits of callers' connections: of all together, or of one address. */
export type ConnectionLimit = 'all' | 'address';

export interface ConnectionQuotaSettings {
  readonly connectionsMax: number;
  /** One client must not be able to shut out all others. */
  readonly connectionsPerAddressMax: number;
}

/** A connection that was closed as soon as it was accepted. */
export interface RefusedConnection {
  readonly limit: ConnectionLimit;
  readonly address: string;
  /** The number of open connections under this limit. */
  readonly connections: number;
}

/** Limits callers' open connections, whichever parser reads them. Addresses are counted by `networkOf`. */
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

  /**
   * Counts the connection until it closes. A connection beyond a limit is closed immediately, and the result is false.
   */
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

  /** A reset frees the connection's state, while an orderly close would leave the port in TIME_WAIT. */
  #refuse(socket: Socket, refused: RefusedConnection): false {
    socket.on('error', () => undefined);
    socket.resetAndDestroy();
    this.#onRefused(refused);
    return false;
  }
}
