import { createSecureContext, type SecureContext } from 'node:tls';
import { assert } from '../../../lib/assert.ts';

/** Connection settings of an origin, in addition to its address. */
export interface ConnectionSettings {
  /** The URL of an HTTP proxy, with its credentials; null: none. */
  readonly proxy: string | null;
  /** Null: Node's trusted certificates, and no client certificate. */
  readonly tls: TlsSettings | null;
}

/** PEM texts. */
export interface TlsSettings {
  /** Certificates that vouch for the server, instead of those that Node trusts. */
  readonly ca: string | null;
  /** The client certificate and its key. */
  readonly cert: string | null;
  readonly key: string | null;
}

/** No proxy, and no certificates of its own. */
export const DIRECT: ConnectionSettings = { proxy: null, tls: null };

interface Endpoint {
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: number;
}

export interface Proxy extends Endpoint {
  /** Host and port, for messages. */
  readonly address: string;
  /** The header `proxy-authorization`; null: none. */
  readonly authorization: string | null;
}

/** The address of connections, and the proxy on the way. */
export interface Destination extends Endpoint {
  /** The header `host`. */
  readonly host: string;
  readonly proxy: Proxy | null;
  /** Certificates of its own; undefined: Node's. */
  readonly secureContext: SecureContext | undefined;
  /** The server's ticket for resuming the last TLS session. */
  session: Buffer | undefined;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** The way to an origin, such as `https://api.example.com`. @throws Error if the PEM texts can't be used */
export function destinationOf(origin: string, { proxy, tls }: ConnectionSettings): Destination {
  return {
    ...endpointOf(new URL(origin)),
    host: new URL(origin).host,
    proxy: proxy === null ? null : proxyOf(new URL(proxy)),
    secureContext: tls === null ? undefined : secureContextOf(tls),
    session: undefined,
  };
}

function endpointOf({ protocol, hostname, port }: URL): Endpoint {
  assert(protocol === 'https:' || protocol === 'http:', 'an origin is one of HTTP or HTTPS');
  const isSecure = protocol === 'https:';
  const usual = isSecure ? HTTPS_PORT : HTTP_PORT;
  return { isSecure, hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) };
}

function proxyOf(url: URL): Proxy {
  const { username, password, hostname } = url;
  const endpoint = endpointOf(url);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    ...endpoint,
    address: `${hostname}:${endpoint.port}`,
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

function secureContextOf({ ca, cert, key }: TlsSettings): SecureContext {
  return createSecureContext({
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  });
}
