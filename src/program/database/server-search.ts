import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import pg from 'pg';
import type { Cancel, Clock } from '../../lib/clock.ts';
import {
  parsePostgresAddress,
  type PostgresAddress,
  type PostgresServer,
  type SslMode,
  SYSTEM_ROOTS,
  type WantedServer,
} from '../../lib/postgres-address.ts';
import { assert } from '../../lib/assert.ts';
import type { Sockets } from './connection.ts';

// Which of the servers of an address is used, and how: the driver connects to one host, with or without TLS.

/** A server is there, but not the one that is wanted, such as a standby. */
export class ServerUnwanted extends Error {}

/** None of several servers can be used. Its cause is the refusal of one that is overloaded, if there is one. */
export class SearchFault extends Error {}

/** One way to one server. */
interface Way {
  readonly server: PostgresServer;
  readonly isEncrypted: boolean;
}

/** A way that has led to a wanted server. */
export interface FoundServer {
  readonly way: Way;
  readonly settings: pg.ClientConfig;
}

export interface SearchOptions {
  readonly withinMs: number;
  /** The sockets of all attempts. Those that are open when the search ends are destroyed. */
  readonly sockets: Sockets;
  readonly clock: Pick<Clock, 'after'>;
  /** The server of the address that is tried before all others, if any is. */
  readonly first?: PostgresServer | undefined;
}

/** What connections with TLS are made with. */
interface Secrets {
  readonly secureContext: SecureContext | undefined;
  readonly hasRoots: boolean;
}

/** While a server has not responded for this time, the next one is tried too. */
const PATIENCE_MS = 1_000;

const ROLE = `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

interface Role {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

const suits: Readonly<Record<Exclude<WantedServer, 'any' | 'prefer-standby'>, (role: Role) => boolean>> = {
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

/** The address, which the configuration has checked. */
export function addressOf(url: string): PostgresAddress {
  const address = parsePostgresAddress(url);
  assert(!('wrong' in address), 'the configuration has checked the address of the database');
  return address;
}

/** The only way of an address, if it needs no search: one server, by one kind of connection, whatever it is. */
export function onlyWayOf({ servers, wanted, sslMode }: PostgresAddress): FoundServer | null {
  const [server, ...others] = servers;
  if (server === undefined || others.length > 0 || wanted !== 'any') return null;
  if (sslMode !== 'disable' && !server.isLocal) return null;
  return { way: { server, isEncrypted: false }, settings: { connectionString: server.url, ssl: false } };
}

/** Refuses a connection to another server than the wanted one. @throws ServerUnwanted */
export async function requireWanted(client: pg.ClientBase, wanted: WantedServer): Promise<void> {
  if (wanted === 'any' || wanted === 'prefer-standby') return;
  const { rows } = await client.query<Role>(ROLE);
  const [role] = rows;
  if (role !== undefined && suits[wanted](role)) return;
  throw new ServerUnwanted(role?.isStandby === true ? 'it is a standby' : `it is not ${wanted}`);
}

/**
 * Tries the servers in their order, each once the one before has failed, or has not responded for a second. @throws what a
 * single server's attempt throws; an error that names the faults of several servers
 */
export async function searchServer(address: PostgresAddress, options: SearchOptions): Promise<FoundServer> {
  const cancel = options.clock.after(options.withinMs, () => options.sockets.bar());
  try {
    const secrets = await readSecrets(address);
    const { wanted } = address;
    if (wanted !== 'prefer-standby') return await searchFor(wanted, address, secrets, options);
    return await searchFor('standby', address, secrets, options).catch(() =>
      searchFor('any', address, secrets, options),
    );
  } finally {
    cancel();
    options.sockets.bar();
  }
}

async function searchFor(
  wanted: WantedServer,
  { servers: inOrder, sslMode }: PostgresAddress,
  secrets: Secrets,
  { sockets, clock, first }: SearchOptions,
): Promise<FoundServer> {
  const servers = first === undefined ? inOrder : [first, ...inOrder.filter((server) => server !== first)];
  const attempts = servers.map((server) => () => tryServer(server, sslMode, wanted, secrets, sockets));
  const names = servers.map(({ name }) => name);
  return await firstOf(attempts, names, clock);
}

/** Each attempt begins once the one before has failed, or after a while; the first success counts. */
function firstOf<Result>(
  attempts: readonly (() => Promise<Result>)[],
  names: readonly string[],
  clock: Pick<Clock, 'after'>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const faults = new Map<number, unknown>();
  let begun = 0;
  let cancel: Cancel = () => undefined;
  const begin = (): void => {
    const index = begun;
    const attempt = attempts[index];
    if (attempt === undefined) return;
    begun += 1;
    cancel();
    cancel = clock.after(PATIENCE_MS, begin);
    attempt().then(
      (result) => {
        begun = attempts.length;
        cancel();
        resolve(result);
      },
      (fault: unknown) => {
        faults.set(index, fault);
        if (faults.size === attempts.length)
          reject(
            faultOf(
              names.map((_, at) => faults.get(at)),
              names,
            ),
          );
        else begin();
      },
    );
  };
  begin();
  return promise;
}

function faultOf(faults: readonly unknown[], names: readonly string[]): unknown {
  if (faults.length === 1) return faults[0];
  const words = faults.map((fault, index) => `${names[index]}: ${messageOf(fault)}`);
  const overload = faults.find((fault) => fault instanceof pg.DatabaseError && fault.code?.startsWith('53') === true);
  return new SearchFault(words.join('; '), { cause: overload });
}

function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'no answer';
  return fault.message === '' && 'code' in fault ? String(fault.code) : fault.message;
}

/** Tries the kinds of connections that the mode allows, one after the other. */
async function tryServer(
  server: PostgresServer,
  sslMode: SslMode,
  wanted: WantedServer,
  secrets: Secrets,
  sockets: Sockets,
): Promise<FoundServer> {
  const [first, second] = server.isLocal ? [false] : ENCRYPTED[sslMode];
  const attempt = (isEncrypted: boolean): Promise<FoundServer> =>
    tryWay({ server, isEncrypted }, sslMode, wanted, secrets, sockets);
  try {
    return await attempt(first);
  } catch (fault) {
    // The other kind of connection would lead to the same server.
    if (second === undefined || fault instanceof ServerUnwanted || isUnreached(fault)) throw fault;
    return await attempt(second);
  }
}

function isUnreached(fault: unknown): boolean {
  return (
    fault instanceof Error && 'syscall' in fault && (fault.syscall === 'connect' || fault.syscall === 'getaddrinfo')
  );
}

/** Whether connections are encrypted in each mode: at first, and if that fails. */
const ENCRYPTED: Readonly<Record<SslMode, readonly [boolean] | readonly [boolean, boolean]>> = {
  disable: [false],
  allow: [false, true],
  prefer: [true, false],
  require: [true],
  'verify-ca': [true],
  'verify-full': [true],
};

async function tryWay(
  way: Way,
  sslMode: SslMode,
  wanted: WantedServer,
  secrets: Secrets,
  sockets: Sockets,
): Promise<FoundServer> {
  const ssl = way.isEncrypted ? tlsSettings(sslMode, secrets) : false;
  const settings = { connectionString: way.server.url, ssl };
  const client = new pg.Client({ ...settings, stream: sockets.make });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await requireWanted(client, wanted);
    return { way, settings };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A certificate is checked if an authority is named, its name in the strictest mode alone. */
function tlsSettings(sslMode: SslMode, { secureContext, hasRoots }: Secrets): ConnectionOptions {
  if (sslMode === 'verify-full') return { secureContext };
  return { secureContext, rejectUnauthorized: hasRoots, checkServerIdentity: () => undefined };
}

/** What TLS takes of files, which may have been renewed since the last search. */
async function readSecrets({ sslMode, sslRootCert, sslClient }: PostgresAddress): Promise<Secrets> {
  if (sslMode === 'disable') return { secureContext: undefined, hasRoots: false };
  const [ca, cert, key] = await Promise.all([
    sslRootCert === null || sslRootCert === SYSTEM_ROOTS ? null : readFile(sslRootCert, 'utf8'),
    sslClient === null ? null : readFile(sslClient.cert, 'utf8'),
    sslClient === null ? null : readFile(sslClient.key, 'utf8'),
  ]);
  const roots = sslRootCert === SYSTEM_ROOTS ? systemRoots() : ca;
  const secureContext = createSecureContext({
    ...(roots === null ? {} : { ca: roots }),
    ...(cert === null || key === null ? {} : { cert, key }),
  });
  return { secureContext, hasRoots: roots !== null };
}

/** Those that Node brings along, and those of the machine, which may be a company's own. */
function systemRoots(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}
