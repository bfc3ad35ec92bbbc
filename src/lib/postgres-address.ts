// Addresses of PostgreSQL as libpq reads its URLs: several hosts, TLS, and which of the servers is wanted. The driver knows one
// host, and other meanings of `sslmode`.

const WANTED = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** The server that is wanted, as `target_session_attrs` has it. */
export type WantedServer = (typeof WANTED)[number];

/** Whether connections use TLS, and what they check. */
export type SslMode = (typeof SSL_MODES)[number];

/** The value of `sslrootcert` that stands for the authorities that this machine trusts. */
export const SYSTEM_ROOTS = 'system';

export interface PostgresServer {
  /** Its host and port, for messages. */
  readonly name: string;
  /** Its URL in the driver's form: one host, and nothing of TLS. */
  readonly url: string;
  /** Whether it is reached by a Unix socket, which has no TLS. */
  readonly isLocal: boolean;
}

export interface PostgresAddress {
  /** In the order in which they are tried. */
  readonly servers: readonly PostgresServer[];
  readonly wanted: WantedServer;
  readonly sslMode: SslMode;
  /** A file, or `SYSTEM_ROOTS`. Null: no authority is checked. */
  readonly sslRootCert: string | null;
  /** The files of the client's certificate and its key. */
  readonly sslClient: { readonly cert: string; readonly key: string } | null;
}

/** What is wrong with an address, and its remedy. Neither quotes any of it. */
export interface PostgresAddressProblem {
  readonly wrong: string;
  readonly right: string;
}

export const POSTGRES_ADDRESS_RIGHT = 'write an address such as "postgres://user:password@host:5432/name"';
const NO_ADDRESS = { wrong: 'is not the address of a PostgreSQL database', right: POSTGRES_ADDRESS_RIGHT };
// A password with one of these characters ends the host too early: part of it would be looked up, and named in faults.
const CUT_SHORT = /^\w+:\/\/[^/?#]*[/?#].*@/s;
const FORM = /^(postgres(?:ql)?):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i;
// A name, a socket's directory, or an address of IPv6 in brackets.
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d+))?$/;
const DEFAULT_PORT = '5432';

/** Reads an address. It does not look at the files that the address names. */
export function parsePostgresAddress(text: string): PostgresAddress | PostgresAddressProblem {
  if (CUT_SHORT.test(text)) {
    const right = 'write "@", "/", "?" and "#" in a user or password as %40, %2F, %3F and %23';
    return { wrong: 'has an "@" behind its host', right };
  }
  const [, scheme, credentials, hosts = '', path = '', query = ''] = FORM.exec(text) ?? [];
  if (scheme === undefined) return NO_ADDRESS;
  const parameters = new URLSearchParams(query);
  const take = (name: string): string | null => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value === '' ? null : value;
  };
  const security = securityOf(take);
  if ('wrong' in security) return security;
  const places = placesOf(take('host') ?? decoded(hosts), take('port'));
  if (places === null) {
    return { wrong: 'has other ports than hosts', right: 'write "host:port,host:port", or one port for all' };
  }
  const wanted = take('target_session_attrs') ?? (places.length > 1 ? 'read-write' : 'any');
  if (!isOneOf(WANTED, wanted)) return unknownValue('target_session_attrs', WANTED);
  const start = `${scheme}://${credentials === undefined ? '' : `${credentials}@`}`;
  const servers = places.map((place) => serverAt(place, start, path, parameters));
  return servers.every(({ url }) => URL.canParse(url)) ? { servers, wanted, ...security } : NO_ADDRESS;
}

/** Not in the form of a host if it is not encoded well. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '[';
  }
}

interface Place {
  /** Empty: the driver's default. */
  readonly host: string;
  readonly port: string;
}

/** The hosts of a list with their ports, which stand behind them, or in a list of their own, or are one for all. */
function placesOf(hosts: string, ports: string | null): readonly Place[] | null {
  const found = hosts.split(',').map((host) => HOST.exec(host));
  const list = ports === null ? [] : ports.split(',');
  if (list.length > 1 && list.length !== found.length) return null;
  const places: Place[] = [];
  for (const [index, match] of found.entries()) {
    if (match === null) return null;
    const [, bracketed, host = '', own] = match;
    const port = own ?? list[list.length === 1 ? 0 : index] ?? DEFAULT_PORT;
    if (!/^\d{1,5}$/.test(port)) return null;
    places.push({ host: bracketed ?? host, port });
  }
  return places;
}

function serverAt({ host, port }: Place, start: string, path: string, rest: URLSearchParams): PostgresServer {
  const parameters = new URLSearchParams({ ...(host === '' ? {} : { host }), port });
  for (const [name, value] of rest) parameters.append(name, value);
  return {
    name: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    // The driver takes the host of the parameters.
    url: `${start}${host === '' ? '' : 'server'}${path}?${parameters.toString()}`,
    isLocal: host.startsWith('/'),
  };
}

type Take = (name: string) => string | null;
type Security = Pick<PostgresAddress, 'sslMode' | 'sslRootCert' | 'sslClient'>;

/** What other drivers' URLs have in place of `sslmode`. */
const DRIVERS_SSL: ReadonlyMap<string, SslMode> = new Map([
  ['true', 'require'],
  ['1', 'require'],
  ['no-verify', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

function securityOf(take: Take): Security | PostgresAddressProblem {
  const sslRootCert = take('sslrootcert');
  const mode = take('sslmode') ?? DRIVERS_SSL.get(take('ssl') ?? '') ?? null;
  // The driver's own word for what is meant here anyway.
  take('uselibpqcompat');
  const sslMode =
    mode === 'no-verify' ? 'require' : (mode ?? (sslRootCert === SYSTEM_ROOTS ? 'verify-full' : 'prefer'));
  if (!isOneOf(SSL_MODES, sslMode)) return unknownValue('sslmode', SSL_MODES);
  if (sslRootCert === SYSTEM_ROOTS && sslMode !== 'verify-full') {
    return { wrong: 'has sslrootcert=system with a weaker sslmode', right: 'write sslmode=verify-full' };
  }
  // Anybody has a certificate of some public authority, for some name.
  if (sslRootCert === null && sslMode === 'verify-ca') {
    return {
      wrong: 'has sslmode=verify-ca without sslrootcert',
      right: 'name the file of the authority as sslrootcert',
    };
  }
  const [cert, key] = [take('sslcert'), take('sslkey')];
  if (cert === null && key === null) return { sslMode, sslRootCert, sslClient: null };
  if (cert === null || key === null) {
    return { wrong: 'has one of sslcert and sslkey', right: 'name both files: the certificate and its key' };
  }
  return { sslMode, sslRootCert, sslClient: { cert, key } };
}

function isOneOf<Value extends string>(values: readonly Value[], value: string): value is Value {
  return (values as readonly string[]).includes(value);
}

function unknownValue(parameter: string, values: readonly string[]): PostgresAddressProblem {
  return { wrong: `has an unknown ${parameter}`, right: `write one of ${values.join(', ')}` };
}
