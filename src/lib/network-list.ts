import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses and networks such as `10.0.0.0/8` and `2001:db8::/32`. */
export class NetworkList {
  readonly #list = new BlockList();

  constructor(written: readonly string[]) {
    for (const network of written) {
      const [address = '', prefix] = network.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix), family);
    }
  }

  /** Whether an address is in one of them. An IPv4 address counts as such, also written as one of IPv6. */
  has(address: string): boolean {
    const plain = withoutMapping(address);
    return isIP(plain) !== 0 && this.#list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  }
}

/** An address of IPv4 that is written as one of IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`) as what it is. */
export function withoutMapping(address: string): string {
  const [written = ''] = address.split('%', 1);
  if (isIP(written) !== 6) return written;
  const { hostname } = new URL(`http://[${written}]`);
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.slice(1, -1);
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
