import { once } from 'node:events';
import pg from 'pg';
import { assert } from '../../lib/assert.ts';
import { type Clock, SystemClock } from '../../lib/clock.ts';
import {
  DatabaseUnavailable,
  DatabaseUnreached,
  SqlFault,
  type Sql,
  type SqlRunner,
  type SqlValue,
  type StatementOptions,
  type TransactionOptions,
} from '../../lib/sql.ts';
import { type DatabaseConnection, Sockets } from './connection.ts';
import { DatabaseUnsupported, endsConnection, toDatabaseFault } from './pool-faults.ts';
import { databaseTypes } from './pool-types.ts';
import { Reachability } from './reachability.ts';
import { enterSchema, queryInSchema } from './schema-path.ts';
import { ServerChoice } from './server-choice.ts';

// The connections to PostgreSQL. Nothing here keeps state in a session: no SET, no startup options, and prepared
// statements only on the embedded server's own socket; so any other server may be behind a pooler in transaction mode.

export type { DatabaseConnection };

export interface DatabaseOptions {
  readonly connection: DatabaseConnection;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** The time that a statement may take before its connection is closed. */
  readonly statementMsMax?: number;
  /**
   * The time without a response to pending statements after which the database is probed, and after another such time
   * considered unreachable.
   */
  readonly silenceMsMax?: number;
  /** The clock that measures this time; by default the machine's. */
  readonly clock?: Clock;
}

export interface Database extends Sql {
  /** The schema that its connection names. */
  readonly schema: string | null;
  /** Resolves if the database responds and is supported. @throws DatabaseUnavailable, DatabaseUnsupported */
  ping(): Promise<void>;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** Closes all connections once their statements have ended, or after `withinMs`, if given. */
  close(withinMs?: number): Promise<void>;
}

// With TLS and a password a connection takes five answers, each of which takes seconds from a slow database. One that
// isn't there is noticed long before, by its silence.
const connectMsMax = 15_000;
const lendMsMax = 5_000;
const pingMsMax = 5_000;
const goodbyeMsMax = 1_000;
const statementMsMaxDefault = 30_000;
// A process that is suspended in a transaction must not keep its locks.
const transactionDefaults = { idleMsMax: 5_000, settings: {} };
// Connections are abandoned after twice this time, which is well below an epoch's default time-out and well above any
// pause of a live database.
const silenceMsMaxDefault = 2_000;
const serverVersionMin = 15;

/** Opens a pool. It connects on first use, and reconnects after failures. */
export function openDatabase(options: DatabaseOptions): Database {
  const { clock = new SystemClock(), silenceMsMax = silenceMsMaxDefault } = options;
  const server: ServerChoice = new ServerChoice(options.connection, clock, (settings) =>
    Object.assign(pool.options, settings),
  );
  const sockets = new Sockets();
  const pool = openPool(options, server, sockets);
  let open = 0;
  pool.on('connect', () => (open += 1));
  pool.on('remove', () => (open -= 1));
  const openCount = (): number => open;
  const reachability: Reachability = new Reachability(silenceMsMax, clock, {
    isAsking: () => pool.waitingCount > 0 || pool.totalCount > pool.idleCount,
    bytesHeard: () => sockets.bytesRead,
    tryFresh: async (withinMs) => {
      const result = await server.probe(withinMs, !reachability.isAway);
      // What waits for the former server would only time out.
      if (result === 'moved') sockets.reset();
      return result !== 'away';
    },
    bar: () => {
      sockets.bar();
      server.bar();
    },
    unbar: () => sockets.unbar(),
  });
  const statementMsMax = options.statementMsMax ?? statementMsMaxDefault;
  const { schema = null } = options.connection;
  const prepared = new Map<string, string>();
  const nameOf = (text: string, limits: StatementOptions | undefined): string | undefined => {
    if ('url' in options.connection || limits?.isFrequent !== true) return undefined;
    const name = prepared.get(text) ?? `faregate_${prepared.size}`;
    prepared.set(text, name);
    return name;
  };
  const onClient = <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    if (reachability.isAway) return Promise.reject(new DatabaseUnreached('the database does not respond'));
    return withClient(() => borrow(pool, options.connectionsMax, server, reachability), work);
  };
  return {
    schema,
    get waiting() {
      return pool.waitingCount;
    },
    query: (text, values, limits) =>
      onClient((client) =>
        run(client, {
          text,
          values,
          name: nameOf(text, limits),
          schema,
          msMax: limits?.statementMsMax ?? statementMsMax,
        }),
      ),
    transaction: (work, limits) =>
      onClient((client) => inTransaction(client, { ...transactionDefaults, statementMsMax, schema, ...limits }, work)),
    ping: () => onClient((client) => checkServer(client)),
    close: async (withinMs) => {
      reachability.close();
      const timer = withinMs === undefined ? undefined : setTimeout(() => sockets.bar(), withinMs);
      await closePool(pool, openCount);
      clearTimeout(timer);
    },
  };
}

function openPool(
  { connectionsMax, applicationName }: DatabaseOptions,
  server: ServerChoice,
  sockets: Sockets,
): pg.Pool {
  const verify = async (client: pg.PoolClient, done: (fault?: Error) => void): Promise<void> => {
    let fault: Error | undefined;
    try {
      await server.check(client);
    } catch (error) {
      fault = toDatabaseFault(error);
    }
    done(fault);
  };
  const pool = new pg.Pool({
    ...server.settings,
    application_name: applicationName,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: databaseTypes,
    stream: sockets.make,
    ...(server.hasChoice && { verify: (client, done) => void verify(client, done) }),
  });
  // The pool drops an idle connection that breaks; a running statement fails with it. Without listeners, the 'error'
  // events of both would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection of the pool. If the server that it leads to is gone, another one is searched. */
async function borrow(
  pool: pg.Pool,
  connectionsMax: number,
  server: ServerChoice,
  reachability: Reachability,
): Promise<pg.PoolClient> {
  const connect = (): Promise<pg.PoolClient> => {
    const isInUse = pool.idleCount === 0 && pool.totalCount >= connectionsMax;
    return isInUse ? lentInTime(pool.connect()) : pool.connect();
  };
  const { settings } = server;
  if (settings === null) {
    await server.search(connectMsMax);
    return await connect();
  }
  try {
    return await connect();
  } catch (error) {
    if (!server.hasChoice || reachability.isAway || error instanceof NoneFree) throw error;
    if (settings === server.settings) await server.search(connectMsMax);
    return await connect();
  }
}

/** The driver ends a pool before its connections are closed; a server that is stopped then would log errors. */
async function closePool(pool: pg.Pool, openCount: () => number): Promise<void> {
  await pool.end();
  const patience = AbortSignal.timeout(goodbyeMsMax);
  while (openCount() > 0 && !patience.aborted) {
    await once(pool, 'remove', { signal: patience }).catch(() => undefined);
  }
}

/** Lends a connection. If it is in an unknown state afterwards, it is dropped instead of returned to the pool. */
async function withClient<Result>(
  lend: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await lend().catch((error: unknown) => {
    const fault = toDatabaseFault(error);
    throw fault instanceof DatabaseUnavailable ? new DatabaseUnreached(fault.message, { cause: error }) : fault;
  });
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = error instanceof ConnectionLost || endsConnection(error);
    throw error instanceof ConnectionLost ? error.cause : error;
  } finally {
    client.release(broken);
  }
}

/** All connections have been in use for too long. */
class NoneFree extends Error {}

/** While all connections are in use, the wait for one is bounded more tightly than the opening of one. */
async function lentInTime(lending: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  let isLate = false;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    isLate = true;
    reject(new NoneFree('no connection became free in time'));
  }, lendMsMax);
  const returned = lending.then((client) => {
    if (isLate) client.release();
    return client;
  });
  return await Promise.race([returned, promise]).finally(() => clearTimeout(timer));
}

/** Carries the error of a transaction that could not be rolled back to the code that drops its connection. */
class ConnectionLost extends Error {}

interface Statement {
  readonly text: string;
  readonly msMax: number;
  readonly values?: readonly SqlValue[] | undefined;
  /** Under which it is prepared. */
  readonly name?: string | undefined;
  /** To be entered for it. */
  readonly schema?: string | null;
}

async function run<Row extends object>(
  client: pg.PoolClient,
  { text, msMax, values, name, schema = null }: Statement,
): Promise<readonly Row[]> {
  const config = {
    ...(name === undefined ? {} : { name }),
    text,
    query_timeout: msMax,
    ...(values === undefined ? {} : { values: [...values] }),
  };
  const running: Promise<pg.QueryResult<Row> | pg.QueryResult<Row>[]> =
    schema === null ? client.query<Row>(config) : queryInSchema<Row>(client, schema, config);
  const result = await running.catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
  // Several statements in one text have several results; the last one counts.
  return (Array.isArray(result) ? result.at(-1)?.rows : result.rows) ?? [];
}

async function inTransaction<Result>(
  client: pg.PoolClient,
  { statementMsMax, idleMsMax, settings, schema }: Required<TransactionOptions> & { readonly schema: string | null },
  work: (tx: SqlRunner) => Promise<Result>,
): Promise<Result> {
  let over = false;
  const tx: SqlRunner = {
    query: (text, values, limits) => {
      assert(!over, 'a transaction was used after its end');
      return run(client, { text, values, msMax: limits?.statementMsMax ?? statementMsMax });
    },
  };
  const local = Object.entries({ idle_in_transaction_session_timeout: idleMsMax, ...settings });
  const beginning = ['begin', ...local.map(([name, value]) => `set local ${name} = ${value}`)];
  if (schema !== null) beginning.push(enterSchema(schema));
  await run(client, { text: beginning.join(';'), msMax: statementMsMax });
  let result: Result;
  try {
    result = await work(tx);
  } catch (error) {
    over = true;
    if (endsConnection(error)) throw error;
    await run(client, { text: 'rollback', msMax: statementMsMax }).catch(() => {
      throw new ConnectionLost('rollback failed', { cause: error });
    });
    throw error;
  }
  over = true;
  await commit(client, statementMsMax);
  return result;
}

/** COMMIT rolls back if an earlier statement failed and its error was ignored; only PostgreSQL's command tag shows it. */
async function commit(client: pg.PoolClient, statementMsMax: number): Promise<void> {
  const { command } = await client
    .query({ text: 'commit', query_timeout: statementMsMax } as pg.QueryConfig)
    .catch((error: unknown) => {
      throw toDatabaseFault(error);
    });
  if (command !== 'COMMIT')
    throw new SqlFault('the transaction was rolled back, because a statement in it had failed', '25P02', null);
}

async function checkServer(client: pg.PoolClient): Promise<void> {
  const [row] = await run<{ number: string; version: string }>(client, {
    text: `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    msMax: pingMsMax,
  });
  assert(row !== undefined, 'a server has a version');
  requireSupportedServer(Number(row.number), row.version);
}

/** @throws DatabaseUnsupported if the server, by its number such as 150004, is too old. */
export function requireSupportedServer(number: number, version: string): void {
  if (Math.floor(number / 10_000) >= serverVersionMin) return;
  throw new DatabaseUnsupported(
    `the database is PostgreSQL ${version}; Faregate needs version ${serverVersionMin} or newer`,
  );
}
