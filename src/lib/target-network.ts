import { Resolver } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import { NetworkList, withoutMapping } from './network-list.ts';

// Where requests to addresses that members of workspaces enter may go: webhooks, and their OpenID providers. Without bounds they
// would be a way into the operator's network. Names are resolved here, every address is checked, and the connection is made to the address that
// was checked: a name that resolves differently a moment later changes nothing.

/** Networks of IPv4 that are not the public internet: private, link-local, loopback, shared, reserved, multicast. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** All of IPv6 but its public part; within that, what is reserved or leads to addresses of IPv4. */
const OPEN_IPV6 = ['2000::/3'];
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const RESOLVE_MS = 2_000;
const RESOLVE_TRIES = 2;

const closedIpv4 = new NetworkList(CLOSED_IPV4);
const openIpv6 = new NetworkList(OPEN_IPV6);
const closedIpv6 = new NetworkList(CLOSED_IPV6);
const loopback = new NetworkList(['127.0.0.0/8', '::1/128']);

/** Resolves a name to all its addresses. @throws if it can't be resolved */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** A target that may not be used. The message says why, and is safe for the person who entered it. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

/** The rule about targets, with the operator's exceptions. */
export class TargetNetwork {
  readonly #allowed: NetworkList;
  readonly #resolve: ResolveName;

  /** `allowed` are networks such as `10.1.0.0/16` which may be used although they are not public. */
  constructor(allowed: readonly string[], resolve: ResolveName = resolveByDns) {
    this.#allowed = new NetworkList(allowed);
    this.#resolve = resolve;
  }

  /** The text as the URL of a target. Names are not resolved yet. @throws TargetRefused */
  readUrl(text: string): URL {
    if (!URL.canParse(text)) throw new TargetRefused('is not a URL');
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') throw new TargetRefused('has credentials in it');
    if (url.hash !== '') throw new TargetRefused('has a fragment');
    const host = hostOf(url);
    const address = addressIn(host);
    if (url.protocol !== 'https:') refuseUnlessPlain(url.protocol, address);
    if (address !== null) this.#check(address);
    return url;
  }

  /** The address to connect to for a URL. @throws TargetRefused */
  async locate(url: URL): Promise<string> {
    const host = hostOf(url);
    const addresses = await this.#addressesOf(host);
    for (const address of addresses) this.#check(address);
    // Most networks have IPv4.
    const chosen = addresses.find(isIPv4) ?? addresses[0];
    if (chosen === undefined) throw new TargetRefused('has a host that does not resolve');
    if (url.protocol !== 'https:' && !isLoopback(chosen)) throw new TargetRefused('is not https');
    return chosen;
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    const address = addressIn(host);
    if (address !== null) return [address];
    try {
      return await this.#resolve(host);
    } catch (cause) {
      throw new TargetRefused('has a host that does not resolve', { cause });
    }
  }

  #check(address: string): void {
    if (!isPublic(address) && !this.#allowed.has(address)) {
      throw new TargetRefused(
        'leads to an address that is not public; the operator can allow its network by webhooks.allowed_networks',
      );
    }
  }
}

/** Plain http is for receivers on this machine. */
function refuseUnlessPlain(protocol: string, address: string | null): void {
  if (protocol !== 'http:' || address === null || !isLoopback(address)) throw new TargetRefused('is not https');
}

function isPublic(address: string): boolean {
  const plain = withoutMapping(address);
  if (isIPv4(plain)) return !closedIpv4.has(plain);
  return openIpv6.has(plain) && !closedIpv6.has(plain);
}

/** Whether the host of a URL is this machine's name, or written out as an address that is not public. */
export function isInnerHost(url: URL): boolean {
  const address = addressIn(hostOf(url));
  return address !== null && !isPublic(address);
}

function isLoopback(address: string): boolean {
  return loopback.has(address);
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The address that a host is without being resolved: one that is written out, or this machine's own. Null: a name. */
function addressIn(host: string): string | null {
  if (isIP(host) !== 0) return host;
  return isLocalName(host) ? '127.0.0.1' : null;
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** By DNS alone: the system's resolver would keep threads that the journal needs, for as long as a hostile server likes. */
async function resolveByDns(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: RESOLVE_TRIES });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
}
