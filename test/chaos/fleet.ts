import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';

// Gateways that share one PostgreSQL, each with a data directory and a way to the database of its own.

/** The epochs' time-out in milliseconds, unless said otherwise: low, so that a fence doesn't take the whole test. */
export const EPOCH_MS = 3_000;

/** What one request holds, and what it is charged, in nano-USD. */
export const HOLD = 2_000_000n;
export const CHARGE = 600_000n;

/** Output tokens that hold and charge these amounts. */
export const CAP = 1_000;
const USED = 300;

export interface Gateway {
  /** Another one after each restart. */
  program: Program;
  readonly proxy: PostgresProxy;
  /** Names it in the database. */
  readonly instanceId: string;
  /** Whether clients send it requests now. */
  isServing: boolean;
}

export interface Fleet {
  readonly postgres: ExternalPostgres;
  readonly upstream: MockUpstream;
  readonly gateways: readonly Gateway[];
  /** A connection of the test's own, straight to PostgreSQL. */
  readonly database: Database;
  dispose(): Promise<void>;
}

/**
 * Starts four gateways, or as many as told; `epochMs` null is the program's own default, `timeouts` are others, as the
 * config file has them. The caller disposes of them.
 */
export async function startFleet({
  count = 4,
  epochMs = EPOCH_MS,
  timeouts = '',
}: {
  count?: number;
  epochMs?: number | null;
  timeouts?: string;
} = {}): Promise<Fleet> {
  const [postgres, upstream] = await Promise.all([
    startExternalPostgres(),
    startMockUpstream({ answerDelayMs: 40, usage: () => ({ prompt_tokens: 0, completion_tokens: USED }) }),
  ]);
  const name = await postgres.createDatabase();
  const gateways = await Promise.all(
    Array.from({ length: count }, async () => {
      const proxy = await startPostgresProxy(postgres.port);
      const program = await startProgram({
        args: ['--bootstrap'],
        env: { DATABASE_URL: databaseUrl(postgres, name, proxy.port) },
        config: outputPricedConfig(
          upstream,
          `timeouts: { ${epochMs === null ? '' : `epoch: ${epochMs}ms, `}${timeouts} }`,
        ),
      });
      const instanceId = (await readFile(join(program.data, 'instance-id'), 'utf8')).trim();
      return { program, proxy, instanceId, isServing: true };
    }),
  );
  const database = openDatabase({
    connection: { url: databaseUrl(postgres, name, postgres.port) },
    connectionsMax: 2,
    applicationName: 'faregate-test',
  });
  return {
    postgres,
    upstream,
    gateways,
    database,
    async dispose() {
      await database.close();
      await Promise.all(gateways.map(({ program }) => program.dispose()));
      await Promise.all(gateways.map(({ proxy }) => proxy.stop()));
      await Promise.all([postgres.stop(), upstream.stop()]);
    },
  };
}

/** Kills a gateway, its requests with it. */
export async function kill(gateway: Gateway): Promise<void> {
  gateway.isServing = false;
  await gateway.program.signal('SIGKILL');
}

/** Starts a killed gateway again. */
export async function restart(gateway: Gateway): Promise<void> {
  gateway.program = await gateway.program.restart();
  gateway.isServing = true;
}

/** The gateway's latest epoch, and whether it is fenced. */
export async function latestEpoch({ database }: Fleet, gateway: Gateway): Promise<{ id: bigint; fenced: boolean }> {
  const [epoch] = await database.query<{ id: bigint; fenced: boolean }>(
    'select id, fenced_at is not null as fenced from epochs where instance_id = $1 order by id desc limit 1',
    [gateway.instanceId],
  );
  if (epoch === undefined) throw new Error('a gateway that has started has an epoch');
  return epoch;
}
