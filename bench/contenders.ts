import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../src/program/database/pool.ts';
import { startExternalPostgres } from '../test/support/external-postgres.ts';
import { smallChat } from './bodies.ts';
import { type CalledProcess, startCalledProcess } from './child-calls.ts';
import { checkOut } from './former-checkout.ts';
import { type Instance, startInstance } from './instance.ts';
import type { LoadPlan, LoadTotals, LoadWindow, Quantiles } from './load/load-plan.ts';
import { refuseFailures } from './measure.ts';
import { cpuUs, type ProcessTree } from './process-cost.ts';
import type { SpikePlan } from './spike-process.ts';
import { startLoad, startMock } from './stage.ts';
import { openTenant } from './tenants.ts';

// Programs that take the same requests in one run, one after the other: Faregate as it is here, as it was at a former
// commit, and two pieces of bare code. What a machine does to one of them it does to the others too.

/** The commit with which later ones are compared. */
export const FORMER_COMMIT = 'b21f76e';

const DRAIN_MS = 20_000;
const LOAD_MS_MAX = 300_000;
const SPIKE_SETTINGS = ['max_wal_size=1GB', 'min_wal_size=256MB', 'shared_buffers=128MB'];

/** Who takes requests. */
export interface Contender {
  readonly name: ContenderName;
  readonly port: number;
  readonly path: string;
  readonly key: string | null;
  readonly gateway: ProcessTree;
  /** Its database; null: it has none. */
  readonly store: { readonly postgres: ProcessTree; readonly sql: Database } | null;
  /** Proves that as many receipts are there as it has answered requests. */
  verify(answered: number): Promise<void>;
}

export type ContenderName = 'Faregate' | 'former' | 'spike' | 'bare';

/** How much load, and for how long it is measured. */
export interface ContenderLoad {
  readonly connections: number;
  /** Null: as much as it takes. */
  readonly perSecond: number | null;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What a contender has used in a window. */
export interface Usage {
  readonly requests: number;
  readonly seconds: number;
  readonly gatewayUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  readonly latency: Quantiles;
}

/** All that take part, and their load. */
export class Contest {
  readonly contenders: readonly Contender[];
  readonly #load: CalledProcess;
  readonly #answered = new Map<ContenderName, number>();

  constructor(contenders: readonly Contender[], load: CalledProcess) {
    this.contenders = contenders;
    this.#load = load;
  }

  /** Sends it so many requests, until when its code is compiled. */
  async warmUp(contender: Contender, connections: number, requests: number): Promise<void> {
    await this.#load.call('start', { ...planOf(contender, connections, null), requestsMax: requests });
    this.#expect(contender, await this.#load.call<LoadTotals>('finish', LOAD_MS_MAX));
  }

  /** Puts the load on it and measures a window of that. @throws where an answer was not a whole 200 */
  async measure(contender: Contender, load: ContenderLoad): Promise<Usage> {
    await this.#load.call('start', planOf(contender, load.connections, load.perSecond));
    await sleep(load.warmUpSeconds * 1_000);
    await this.#load.call('mark');
    const before = await usedBy(contender);
    await sleep(load.seconds * 1_000);
    const after = await usedBy(contender);
    const window = await this.#load.call<LoadWindow>('window');
    this.#expect(contender, await this.#load.call<LoadTotals>('stop', DRAIN_MS));
    return {
      ...window,
      gatewayUs: after.gatewayUs - before.gatewayUs,
      postgresUs: after.postgresUs - before.postgresUs,
      walBytes: after.walBytes - before.walBytes,
    };
  }

  /** How many requests it has answered so far. */
  answeredBy({ name }: Contender): number {
    return this.#answered.get(name) ?? 0;
  }

  async verify(): Promise<void> {
    for (const contender of this.contenders) await contender.verify(this.answeredBy(contender));
  }

  #expect(contender: Contender, totals: LoadTotals): void {
    refuseFailures(contender.name, totals);
    this.#answered.set(contender.name, this.answeredBy(contender) + totals.ok);
  }
}

function planOf({ port, path, key }: Contender, connections: number, perSecond: number | null): LoadPlan {
  return {
    ports: [port],
    path,
    body: smallChat('plain'),
    keys: key === null ? [] : [key],
    keyOrder: 'sequence',
    connections,
    perSecond,
    rampMs: 0,
    requestsMax: null,
  };
}

/** What it has used so far. */
async function usedBy({ gateway, store }: Contender) {
  if (store === null) return { gatewayUs: cpuUs(gateway), postgresUs: 0, walBytes: 0 };
  const [row] = await store.sql.query<{ bytes: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as bytes`);
  return { gatewayUs: cpuUs(gateway), postgresUs: cpuUs(store.postgres), walBytes: row?.bytes ?? 0 };
}

/** Starts those that can take part here, and says which can't. */
export async function withContest<Result>(
  progress: (line: string) => void,
  work: (contest: Contest) => Promise<Result>,
): Promise<Result> {
  const closing = new AsyncDisposableStack();
  try {
    const mock = await startMock(closing);
    const load = startLoad(closing);
    const instance = await startInstance(mock.port);
    closing.defer(() => instance.stop());
    const contenders = [faregate('Faregate', instance, (await openTenant(instance.database)).key.key)];
    const former = await checkOut(FORMER_COMMIT);
    if ('missing' in former) {
      progress(`no comparison with ${FORMER_COMMIT}: ${former.missing}`);
    } else {
      closing.defer(() => former.remove());
      const started = await former.start(mock.port);
      closing.defer(() => started.stop());
      contenders.push(faregate('former', started, await former.openKey(started)));
    }
    contenders.push(await startSpike(mock.port, closing), await startBare(mock.port, closing));
    return await work(new Contest(contenders, load));
  } finally {
    await closing.disposeAsync();
  }
}

function faregate(name: ContenderName, instance: Instance, key: string): Contender {
  const { port, gateway, postgres, database } = instance;
  return {
    name,
    port,
    path: '/v1/chat/completions',
    key,
    gateway,
    store: { postgres, sql: database },
    verify: (answered) => instance.verify(answered),
  };
}

async function startBare(upstreamPort: number, closing: AsyncDisposableStack): Promise<Contender> {
  const bare = startCalledProcess(new URL('pass-through-process.ts', import.meta.url));
  closing.defer(() => bare.stop());
  const port = await bare.call<number>('listen', upstreamPort);
  const gateway = { root: bare.pid, except: null };
  const verify = (): Promise<void> => Promise.resolve();
  return { name: 'bare', port, path: '/plain/v1/chat/completions', key: null, gateway, store: null, verify };
}

async function startSpike(upstreamPort: number, closing: AsyncDisposableStack): Promise<Contender> {
  const socketDirectory = await mkdtemp(join(tmpdir(), 'fg-spike-'));
  closing.defer(() => rm(socketDirectory, { recursive: true, force: true }));
  // The server may run as another user than this process.
  await chmod(socketDirectory, 0o777);
  const settings = [...SPIKE_SETTINGS, `unix_socket_directories=${socketDirectory}`];
  const server = await startExternalPostgres({
    settings,
    admits: ['local all all trust', 'host all all 127.0.0.1/32 trust'],
  });
  closing.defer(() => server.stop());
  const database = await server.createDatabase();
  const sql = openDatabase({
    connection: { url: `postgres://${server.user}@127.0.0.1:${server.port}/${database}` },
    connectionsMax: 1,
    applicationName: 'faregate-bench',
  });
  closing.defer(() => sql.close());
  const spike = startCalledProcess(new URL('spike-process.ts', import.meta.url));
  closing.defer(() => spike.stop());
  const key = 'spike-key';
  const plan: SpikePlan = { upstreamPort, socketDirectory, port: server.port, user: server.user, database, key };
  const port = await spike.call<number>('listen', plan);
  const postmaster = Number((await readFile(join(server.path, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  return {
    name: 'spike',
    port,
    path: '/v1/chat/completions',
    key,
    gateway: { root: spike.pid, except: null },
    store: { postgres: { root: postmaster, except: null }, sql },
    async verify(answered) {
      const [row] = await sql.query<{ count: bigint }>('select count(*) as count from receipts');
      if (row?.count !== BigInt(answered))
        throw new Error(`the spike has ${row?.count} receipts for ${answered} answers`);
    },
  };
}
