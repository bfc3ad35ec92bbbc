import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { type Database, openDatabase } from '../../src/program/database/pool.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { outputPricedConfig, USAGE } from '../support/output-priced.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { ReplicatedPostgres } from '../support/replicated-postgres.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { Random } from '../simulation/random.ts';

// Gateways that share one PostgreSQL, each with a data directory and a way to the database of its own.

/** The epochs' time-out in milliseconds, unless said otherwise: low, so that a fence doesn't take the whole test. */
export const EPOCH_MS = 3_000;

export interface Gateway {
  /** Another one after each restart. */
  program: Program;
  readonly proxy: PostgresProxy;
  /** Names it in the database. */
  readonly instanceId: string;
  /** The file system of its data directory, if that has one of its own. */
  readonly disk: SmallDisk | null;
  /** How many serve: its workers, or itself alone. */
  readonly processes: number;
  /** Whether clients send it requests now. */
  isServing: boolean;
  /** How often a failure began or ended here: odd while one lasts. */
  hits: number;
}

export interface Fleet {
  readonly postgres: ExternalPostgres;
  readonly upstream: MockUpstream;
  readonly gateways: readonly Gateway[];
  /** A connection of the test's own, straight to PostgreSQL. */
  readonly database: Database;
  dispose(): Promise<void>;
}

export interface FleetOptions {
  /** Four unless told. */
  readonly count?: number;
  /** Null is the program's own default. */
  readonly epochMs?: number | null;
  /** Others, as the config file has them. */
  readonly timeouts?: string;
  /**
   * What machines are like: of four gateways one has a clock that is behind and runs fast, one has two workers, one a small
   * disk, one a clock that is ahead and runs slow. The upstream is the second route: the first fails every request.
   */
  readonly isMixed?: boolean;
  /** A primary with its standby in place of a server; gateways have both hosts in their address, and no hop. */
  readonly replicated?: ReplicatedPostgres;
}

/** What one of a mixed fleet's gateways is started with. */
interface Machine {
  readonly env?: Readonly<Record<string, string>>;
  readonly workers?: number;
  readonly disk?: SmallDisk | null;
}

/** The failing route is tried again and again. */
const ROUTING = '\nrouting: { rest: 20ms, results_min: 5 }';
const HOUR_MS = 3_600_000;
const DISK_MEGABYTES = 4;

const skewed = (offMs: number, rate: number): Machine => ({
  env: {
    NODE_OPTIONS: `--import=${new URL('skewed-clock.ts', import.meta.url).href}`,
    CHAOS_CLOCK_OFF_MS: String(offMs),
    CHAOS_CLOCK_RATE: String(rate),
  },
});

async function mixedMachines(): Promise<readonly Machine[]> {
  const disk = await mountSmallDisk(DISK_MEGABYTES);
  // Beside each other they differ by less than the fiftieth that peers are watched for beyond the time-out.
  return [skewed(-HOUR_MS, 1.009), { workers: 2 }, { disk }, skewed(HOUR_MS, 0.991)];
}

/** An upstream that fails before it has begun to answer, in the ways that another route mends. */
function startFailingUpstream(random: Random): Promise<ScriptedUpstream> {
  const refuse = (response: ServerResponse, status: number): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
  };
  const failures: readonly ((response: ServerResponse) => void)[] = [
    (response) => void response.socket?.resetAndDestroy(),
    (response) => void response.socket?.end(),
    (response) => refuse(response, 500),
    (response) => refuse(response, 429),
  ];
  return startScriptedUpstream((response) => random.pick(failures)(response));
}

/** Starts gateways that share a PostgreSQL. The caller disposes of them. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { count = 4, epochMs = EPOCH_MS, timeouts = '', isMixed = false, replicated } = options;
  const [postgres, upstream, failing, machines] = await Promise.all([
    replicated?.primary ?? startExternalPostgres(),
    startMockUpstream({ answerDelayMs: 150, usage: () => USAGE }),
    isMixed ? startFailingUpstream(new Random(count)) : null,
    isMixed ? mixedMachines() : [],
  ]);
  const name = await postgres.createDatabase();
  const settings = `timeouts: { ${epochMs === null ? '' : `epoch: ${epochMs}ms, `}${timeouts} }${isMixed ? ROUTING : ''}`;
  const start = async (machine: Machine = {}): Promise<Gateway> => {
    const proxy = await startPostgresProxy(postgres.port);
    const { disk = null, workers = 1 } = machine;
    const program = await startProgram({
      beside: [proxy],
      args: ['--bootstrap', '--workers', String(workers)],
      env: { DATABASE_URL: replicated?.url(name) ?? databaseUrl(postgres, name, proxy.port), ...machine.env },
      config: outputPricedConfig(upstream, settings, failing?.origin),
      ...(disk === null ? {} : { data: disk.path }),
    });
    const instanceId = (await readFile(join(program.data, 'instance-id'), 'utf8')).trim();
    return { program, proxy, instanceId, disk, processes: workers, isServing: true, hits: 0 };
  };
  const gateways = await Promise.all(Array.from({ length: count }, (_, index) => start(machines[index])));
  const database = openDatabase({
    connection: { url: replicated?.url(name) ?? databaseUrl(postgres, name, postgres.port) },
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
      await Promise.all(gateways.map((gateway) => disposeOf(gateway)));
      await Promise.all([(replicated ?? postgres).stop(), upstream.stop(), failing?.stop()]);
    },
  };
}

async function disposeOf({ program, proxy, disk }: Gateway): Promise<void> {
  if (disk === null) return program.dispose();
  // What a mount point holds goes with it.
  await program.signal('SIGINT');
  await disk.stop();
  await proxy.stop();
}

/** A failure begins at this gateway: until it is healed, its callers may be told that it can't serve them. */
export function hit(gateway: Gateway): void {
  if (gateway.hits % 2 === 0) gateway.hits += 1;
}

/** The failure is over, and the gateway has recovered. */
export function heal(gateway: Gateway): void {
  if (gateway.hits % 2 === 1) gateway.hits += 1;
}

/** Kills a gateway, its requests with it. */
export async function kill(gateway: Gateway): Promise<void> {
  hit(gateway);
  gateway.isServing = false;
  await gateway.program.signal('SIGKILL');
}

/** Starts a killed gateway again. */
export async function restart(gateway: Gateway): Promise<void> {
  gateway.program = await gateway.program.restart();
  gateway.isServing = true;
  heal(gateway);
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

/** The processes of a gateway that serve now: its workers, or itself; with a time, those that the database has heard since. */
export async function workersOf(
  { database }: Fleet,
  { instanceId }: Gateway,
  since = '-infinity',
): Promise<readonly number[]> {
  const rows = await database.query<{ name: string }>(
    `select process_name as name from epochs
      where instance_id = $1 and fenced_at is null and heartbeat_at >= $2::timestamptz order by id`,
    [instanceId, since],
  );
  // One that has begun another epoch is there twice until the former is fenced.
  return [...new Set(rows.map(({ name }) => Number(/\d+$/.exec(name)?.[0])))];
}
