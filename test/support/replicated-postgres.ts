import { type ExternalPostgres, startExternalPostgres } from './external-postgres.ts';

/** A primary and a standby that follows it, each at a port of 127.0.0.1. */
export interface ReplicatedPostgres {
  readonly primary: ExternalPostgres;
  readonly standby: ExternalPostgres;
  /** The address of a database with both hosts, the standby first, and these parameters. */
  url(database: string, parameters?: string): string;
  /** Lets each commit wait from now on until the standby has it. */
  commitOnBoth(): Promise<void>;
  /** Makes the standby a primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both. The caller stops them. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const primary = await startExternalPostgres();
  await primary.end('SIGINT');
  const standby = await startExternalPostgres({ follows: primary });
  await primary.start();
  await standby.start();
  return {
    primary,
    standby,
    url(database, parameters) {
      const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
      return `postgres://${primary.user}@${hosts}/${database}${parameters === undefined ? '' : `?${parameters}`}`;
    },
    async commitOnBoth() {
      await primary.run(`alter system set synchronous_standby_names = '*'`);
      await primary.run('select pg_reload_conf()');
    },
    promote: () => standby.run('select pg_promote()'),
    async stop() {
      await standby.stop();
      await primary.stop();
    },
  };
}
