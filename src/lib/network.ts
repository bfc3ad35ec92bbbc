const MAPPED_IPV4 = /^::ffff:([0-9.]+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The key of one address: an IPv4 address, or the /64 network of an IPv6 address, all of which one client may have. */
export function networkOf(address: string): string {
  const [, mapped] = MAPPED_IPV4.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [written = ''] = address.split('%', 1);
  const [left = [], right = []] = written.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const missing = Math.max(0, GROUPS - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return groups.slice(0, NETWORK_GROUPS).join(':');
}
