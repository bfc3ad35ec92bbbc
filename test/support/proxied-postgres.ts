import { type Database, openDatabase } from '../../src/program/database/pool.ts';
import { databaseUrl, startExternalPostgres } from './external-postgres.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
import type { Neighbour } from './program.ts';

/** A PostgreSQL with an empty database for a program, which reaches it through a hop that sees each statement and can be cut. */
export interface ProxiedPostgres extends Neighbour {
  readonly proxy: PostgresProxy;
  /** The database's address, through the hop. */
  readonly url: string;
  /** A test's own connections, past the hop. */
  readonly database: Database;
}

export async function startProxiedPostgres(): Promise<ProxiedPostgres> {
  const postgres = await startExternalPostgres();
  const proxy = await startPostgresProxy(postgres.port);
  const name = await postgres.createDatabase();
  const database = openDatabase({
    connection: { url: databaseUrl(postgres, name, postgres.port) },
    connectionsMax: 4,
    applicationName: 'faregate-test',
  });
  return {
    proxy,
    url: databaseUrl(postgres, name, proxy.port),
    database,
    async stop() {
      await database.close();
      await proxy.stop();
      await postgres.stop();
    },
  };
}
