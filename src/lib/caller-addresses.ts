import { isIP } from 'node:net';
import { NetworkList, withoutMapping } from './network-list.ts';

const FORWARDED_MAX = 20;

/**
 * Finds the address of a caller. Behind trusted proxies it is the last in `X-Forwarded-For` that no trusted proxy has:
 * what stands before it, the caller may have written. From anywhere else that header is ignored.
 */
export class CallerAddresses {
  readonly #trusted: NetworkList;

  /** `proxies`: addresses, and networks such as `10.0.0.0/8`. */
  constructor(proxies: readonly string[]) {
    this.#trusted = new NetworkList(proxies);
  }

  /** The address behind a socket's, given the header of its request. */
  find(socketAddress: string, forwarded: string | undefined): string {
    let address = plain(socketAddress);
    const named = forwarded?.split(',').slice(-FORWARDED_MAX) ?? [];
    for (const next of named.toReversed().map((text) => plain(text.trim()))) {
      if (!this.#trusted.has(address) || isIP(next) === 0) break;
      address = next;
    }
    return address;
  }
}

/** An IPv4 address that a socket of both families names as one of IPv6 is written as what it is. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') ? withoutMapping(address) : address;
}
