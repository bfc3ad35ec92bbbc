import { BlockList, isIP } from 'node:net';
import { ConfigFault } from './config-fault.ts';
import { parseProxyUrl, PROXY_RIGHT } from './proxy-url.ts';
import type { Environment } from './variables.ts';

// The proxy that the environment names for an address, in the variables that curl reads: of two spellings the one in
// lower case counts.

const USUAL_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * The URL of the proxy for a base URL; null: none. Servers on this machine are never reached by a proxy of the
 * environment. @throws ConfigFault if the variable that counts is no address of a proxy
 */
export function environmentProxy(baseUrl: string, env: Environment): string | null {
  const url = new URL(baseUrl);
  const host = bareHost(url.hostname);
  if (isLocal(host)) return null;
  const found = url.protocol === 'https:' ? firstSet(env, 'https_proxy') : firstSet(env, 'http_proxy');
  if (found === null) return null;
  const port = url.port === '' ? (USUAL_PORTS[url.protocol] ?? '') : url.port;
  const exceptions = firstSet(env, 'no_proxy')?.value.split(/[\s,]+/) ?? [];
  if (exceptions.some((exception) => excepts(exception, host, port))) return null;
  const proxy = parseProxyUrl(found.value);
  if (proxy !== null) return proxy;
  throw new ConfigFault(found.name, `is not the address of a proxy; ${PROXY_RIGHT} by proxy: none at the provider`);
}

function firstSet(env: Environment, name: string): { name: string; value: string } | null {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = env[spelling]?.trim() ?? '';
    if (value !== '') return { name: spelling, value };
  }
  return null;
}

/** Without the brackets of an IPv6 address and the dot behind a full name. */
function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isWithin(LOOPBACK, host);
}

function isWithin(addresses: BlockList, host: string): boolean {
  return isIP(host) !== 0 && addresses.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/**
 * An exception is `*`, a network, or a host, which stands for all below it too; one with a port for that port alone.
 */
function excepts(exception: string, host: string, port: string): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const network = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(exception);
  if (network !== null) return isInNetwork(host, network[1] ?? '', Number(network[2]));
  const [, name = '', itsPort = port] =
    isIP(exception) === 6 ? ['', exception] : (/^(.*?)(?::(\d{1,5}))?$/.exec(exception) ?? []);
  if (itsPort !== port) return false;
  const bare = bareHost(name);
  if (isIP(host) !== 0 || isIP(bare) !== 0) return isSameAddress(host, bare);
  const domain = bare.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isSameAddress(host: string, other: string): boolean {
  if (isIP(host) === 0 || isIP(other) === 0) return false;
  const addresses = new BlockList();
  addresses.addAddress(other, familyOf(other));
  return isWithin(addresses, host);
}

function isInNetwork(host: string, address: string, bits: number): boolean {
  const version = isIP(address);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return false;
  const network = new BlockList();
  network.addSubnet(address, bits, familyOf(address));
  return isWithin(network, host);
}
