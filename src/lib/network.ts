import { isIPv4 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:([0-9.]+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

const SITE_GROUPS = 3;

/** The key of one address: an IPv4 address, or the /64 network of an IPv6 address, which one client may own. */
export function networkOf(address: string): string {
  const [, mapped] = MAPPED_IPV4.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  return groupsOf(address).slice(0, NETWORK_GROUPS).join(':');
}

/**
 * The key of the addresses that one customer of a network may have: the /48 of an IPv6 address, the /24 of one of IPv4. Of
 * other texts it is the text.
 */
export function siteOf(address: string): string {
  const network = networkOf(address);
  if (network.includes(':')) return network.split(':').slice(0, SITE_GROUPS).join(':');
  return isIPv4(network) ? network.split('.').slice(0, 3).join('.') : network;
}

function groupsOf(address: string): readonly string[] {
  const [written = ''] = address.split('%', 1);
  const [left = [], right = []] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const missing = Math.max(0, GROUPS - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}
