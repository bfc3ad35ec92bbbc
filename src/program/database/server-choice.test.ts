import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../../../test/support/external-postgres.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../../test/support/replicated-postgres.ts';
import { TEST_CERTIFICATE } from '../../../test/support/test-certificate.ts';
import { type Database, openDatabase } from './pool.ts';

// The server that a pool connects to: by TLS as libpq's `sslmode` has it, and the wanted one of several.

function open(url: string): Database {
  const database = openDatabase({ connection: { url }, connectionsMax: 2, applicationName: 'test', silenceMsMax: 500 });
  onTestFinished(() => database.close(0));
  return database;
}

describe('with TLS', () => {
  let server: ExternalPostgres;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'faregate-tls-'));
    await writeFile(join(directory, 'own.crt'), TEST_CERTIFICATE.cert);
    await writeFile(join(directory, 'own.key'), TEST_CERTIFICATE.key);
    await writeFile(join(directory, 'other.crt'), rootCertificates[0] ?? '');
    server = await startExternalPostgres({
      files: { 'server.crt': TEST_CERTIFICATE.cert, 'server.key': TEST_CERTIFICATE.key },
      settings: ['ssl=on', 'ssl_ca_file=server.crt'],
      admits: [
        'hostssl encrypted all 127.0.0.1/32 trust',
        'hostnossl plain all 127.0.0.1/32 trust',
        'hostssl certified all 127.0.0.1/32 trust clientcert=verify-ca',
        'host postgres,either all 127.0.0.1/32 trust',
      ],
    });
    for (const name of ['encrypted', 'plain', 'certified', 'either']) await server.run(`create database ${name}`);
  });
  afterAll(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const isEncrypted = async (host: string, name: string, parameters: string): Promise<boolean | string> => {
    const files = parameters.replaceAll('DIR', directory);
    const database = open(`postgres://${server.user}@${host}:${server.port}/${name}${files}`);
    const rows = await database
      .query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
      .catch((error: unknown) => String(error));
    return typeof rows === 'string' ? rows : (rows[0]?.ssl ?? 'no row');
  };

  const OWN = 'sslrootcert=DIR/own.crt';
  const OTHER = 'sslrootcert=DIR/other.crt';
  const CLIENT = 'sslcert=DIR/own.crt&sslkey=DIR/own.key';

  test.each<[mode: string, database: string, host: string, expected: boolean | RegExp]>([
    ['', 'either', '127.0.0.1', true],
    ['', 'plain', '127.0.0.1', false],
    ['?sslmode=disable', 'either', '127.0.0.1', false],
    ['?sslmode=disable', 'encrypted', '127.0.0.1', /no encryption/],
    ['?sslmode=allow', 'either', '127.0.0.1', false],
    ['?sslmode=allow', 'encrypted', '127.0.0.1', true],
    ['?sslmode=prefer', 'either', '127.0.0.1', true],
    [`?sslmode=prefer&${OTHER}`, 'either', '127.0.0.1', false],
    ['?sslmode=require', 'either', '127.0.0.1', true],
    ['?sslmode=require', 'plain', '127.0.0.1', /SSL encryption/],
    [`?sslmode=require&${OTHER}`, 'either', '127.0.0.1', /certificate/],
    [`?sslmode=verify-ca&${OWN}`, 'either', '127.0.0.1', true],
    [`?sslmode=verify-ca&${OTHER}`, 'either', 'localhost', /certificate/],
    [`?sslmode=verify-full&${OWN}`, 'either', 'localhost', true],
    [`?sslmode=verify-full&${OWN}`, 'either', '127.0.0.1', /does not match certificate/],
    [`?sslmode=verify-full&${OTHER}`, 'either', 'localhost', /certificate/],
    ['?sslmode=verify-full', 'either', 'localhost', /certificate/],
    ['?sslrootcert=system', 'either', 'localhost', /certificate/],
    [`?sslmode=require&${CLIENT}`, 'certified', '127.0.0.1', true],
    ['?sslmode=require', 'certified', '127.0.0.1', /certificate/],
    ['?sslmode=require&sslrootcert=DIR/none.crt', 'either', '127.0.0.1', /none\.crt/],
  ])(
    'by "%s" to the database %s at %s, a connection is encrypted, or refused: %s',
    async (mode, database, host, expected) => {
      const result = await isEncrypted(host, database, mode);
      if (typeof expected === 'boolean') expect(result).toBe(expected);
      else expect(result).toMatch(expected);
    },
  );

  test('a certificate that is renewed on the disk is used once the server refuses the former one', async () => {
    const file = join(directory, 'renewed.crt');
    await writeFile(file, rootCertificates[0] ?? '');
    const database = open(
      `postgres://${server.user}@127.0.0.1:${server.port}/either?sslmode=verify-ca&sslrootcert=${file}`,
    );
    await expect(database.query('select 1')).rejects.toThrow(/certificate/);
    await writeFile(file, TEST_CERTIFICATE.cert);
    await expect.poll(() => database.query('select 1 as one').catch(() => []), { timeout: 10_000 }).toHaveLength(1);
  });

  test('over TLS a slow statement is waited for, and a server that sends nothing is noticed', async () => {
    const sockets = new Set<Socket>();
    const hop = createServer((client) => {
      const onward = connect(server.port, '127.0.0.1');
      client.pipe(onward).pipe(client);
      for (const socket of [client, onward]) sockets.add(socket.on('error', () => socket.destroy()));
    }).listen(0, '127.0.0.1');
    await once(hop, 'listening');
    onTestFinished(() => {
      hop.close();
      for (const socket of sockets) socket.destroy();
    });
    const { port } = hop.address() as AddressInfo;
    const database = open(`postgres://${server.user}@127.0.0.1:${port}/encrypted?sslmode=require`);
    expect(await database.query('select pg_sleep(3)')).toHaveLength(1);
    for (const socket of sockets) socket.unpipe();
    hop.removeAllListeners('connection');
    await expect(database.query('select 1', [], { statementMsMax: 60_000 })).rejects.toThrow('does not respond');
  });
});

describe('of several servers', () => {
  let servers: ReplicatedPostgres;
  beforeAll(async () => {
    servers = await startReplicatedPostgres();
  });
  afterAll(() => servers.stop());

  const portOf = async (database: Database): Promise<number | undefined> =>
    (await database.query<{ port: number }>('select inet_server_port() as port'))[0]?.port;

  test.each<[parameters: string | undefined, of: 'primary' | 'standby']>([
    [undefined, 'primary'],
    ['target_session_attrs=any', 'standby'],
    ['target_session_attrs=read-write', 'primary'],
    ['target_session_attrs=primary', 'primary'],
    ['target_session_attrs=read-only', 'standby'],
    ['target_session_attrs=standby', 'standby'],
    ['target_session_attrs=prefer-standby', 'standby'],
  ])('an address of both servers with %s leads to the %s', async (parameters, of) => {
    expect(await portOf(open(servers.url('postgres', parameters)))).toBe(servers[of].port);
  });

  test('if no server is the wanted one, the fault says of each what it is', async () => {
    const standby = databaseUrl(servers.standby, 'postgres', servers.standby.port);
    await expect(open(`${standby}?target_session_attrs=primary`).ping()).rejects.toThrow(/it is a standby/);
    const both = standby.replace(/@/, '@127.0.0.1:1,');
    await expect(open(both).ping()).rejects.toThrow(
      /127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: it is a standby/,
    );
  });

  /** An address whose first host accepts connections and says nothing. */
  const urlWithSilentHost = async (): Promise<string> => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    return servers.url('postgres').replace(/@/, `@127.0.0.1:${(silent.address() as AddressInfo).port},`);
  };

  test('a host that accepts connections and says nothing does not keep the next one from being used', async () => {
    expect(await portOf(open(await urlWithSilentHost()))).toBe(servers.primary.port);
  });

  test('nor is a slow statement of the next one taken for silence', async () => {
    const database = open(await urlWithSilentHost());
    expect(await portOf(database)).toBe(servers.primary.port);
    expect(await database.query('select pg_sleep(3)')).toHaveLength(1);
  });

  test('once the primary is gone and the standby is promoted, a pool continues there by itself', async () => {
    const replicated = await startReplicatedPostgres();
    onTestFinished(() => replicated.stop());
    const { primary, standby } = replicated;
    const database = open(replicated.url('postgres'));
    expect(await portOf(database)).toBe(primary.port);
    await primary.end('SIGKILL');
    await expect(portOf(database)).rejects.toThrow(/the database/);
    await replicated.promote();
    await expect.poll(() => portOf(database).catch(() => 0), { timeout: 20_000 }).toBe(standby.port);
  });
});
