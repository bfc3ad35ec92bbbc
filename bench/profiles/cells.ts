import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/lib/sql.ts';
import { smallChat } from '../bodies.ts';
import type { CalledProcess } from '../child-calls.ts';
import { type Instance, startInstance } from '../instance.ts';
import type { LoadPlan, LoadTotals, LoadWindow } from '../load/load-plan.ts';
import { refuseFailures } from '../measure.ts';
import { cpuUs } from '../process-cost.ts';
import type { BenchSettings, Profile, Round } from '../profile.ts';
import { startLoad, startMock } from '../stage.ts';
import { openTenant } from '../tenants.ts';
import { transactionsSoFar } from '../transactions.ts';

// Cells beside each other: each an instance with a database of its own. All of them run all the time; one, two or four have
// requests, each the same number a second, so that a window differs from the next by the number of busy cells alone.

const SHARDS = ['00', '01', '02', '03'];
const BUSY = [1, 2, 4];
const PER_SECOND = 70;
const CONNECTIONS = 16;
/** For each cell, until when its code is compiled. */
const REQUESTS_FIRST = 5_000;
/** Of each load, before its window. */
const WARM_UP_SHARE = 0.2;
const DRAIN_MS = 20_000;
const LOAD_MS_MAX = 120_000;

interface Cell {
  readonly instance: Instance;
  readonly load: CalledProcess;
  readonly plan: LoadPlan;
  /** Answers so far, each of which has a receipt. */
  answered: number;
}

/** What a cell has used so far. */
interface Used {
  readonly gatewayUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
}

async function startCell(shard: string, mockPort: number, closing: AsyncDisposableStack): Promise<Cell> {
  const load = startLoad(closing);
  const instance = await startInstance(mockPort, { more: `database: { shard: "${shard}" }\n` });
  closing.defer(() => instance.stop());
  const { key } = await openTenant(instance.database);
  const plan: LoadPlan = {
    ports: [instance.port],
    path: '/v1/chat/completions',
    body: smallChat('plain'),
    keys: [key.key],
    keyOrder: 'sequence',
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
    rampMs: 0,
    requestsMax: null,
  };
  return { instance, load, plan, answered: 0 };
}

async function warmUp(cell: Cell, requests: number): Promise<void> {
  await cell.load.call('start', { ...cell.plan, perSecond: null, requestsMax: requests });
  expectReceipts(cell, await cell.load.call<LoadTotals>('finish', LOAD_MS_MAX));
}

function expectReceipts(cell: Cell, totals: LoadTotals): void {
  refuseFailures('faregate', totals);
  cell.answered += totals.ok;
}

async function used({ instance }: Cell): Promise<Used> {
  const { gateway, postgres, database } = instance;
  const [row] = await database.query<{ bytes: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as bytes`);
  return { gatewayUs: cpuUs(gateway), postgresUs: cpuUs(postgres), walBytes: row?.bytes ?? 0 };
}

/** Milliseconds of all cores so far: idle ones, and all. */
function coresMs(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0),
  };
}

/** The same load on each of the cells, and what a request costs one of them. */
async function busy(cells: readonly Cell[], seconds: number): Promise<Round> {
  await Promise.all(cells.map(({ load, plan }) => load.call('start', plan)));
  await sleep(seconds * WARM_UP_SHARE * 1_000);
  await Promise.all(cells.map(({ load }) => load.call('mark')));
  const before = await Promise.all(cells.map(used));
  const coresBefore = coresMs();
  await sleep(seconds * 1_000);
  const coresAfter = coresMs();
  const after = await Promise.all(cells.map(used));
  const windows = await Promise.all(cells.map(({ load }) => load.call<LoadWindow>('window')));
  for (const cell of cells) expectReceipts(cell, await cell.load.call<LoadTotals>('stop', DRAIN_MS));
  const requests = windows.reduce((sum, window) => sum + window.requests, 0);
  const perRequest = (field: keyof Used): number =>
    after.reduce((sum, each, index) => sum + each[field] - (before[index]?.[field] ?? 0), 0) / requests;
  return {
    'gateway CPU µs/request': perRequest('gatewayUs'),
    'PostgreSQL CPU µs/request': perRequest('postgresUs'),
    'WAL bytes/request': perRequest('walBytes'),
    'latency p50 ms': Math.max(...windows.map(({ latency }) => latency.p50)),
    'cores idle %': ((coresAfter.idle - coresBefore.idle) / (coresAfter.all - coresBefore.all)) * 100,
  };
}

const labelOf = (count: number): string => (count === 1 ? '1 cell' : `${count} cells`);

/** Windows with one, two and four busy cells; each cell has its turn at being the one. */
async function cellsRound(cells: readonly Cell[], number: number, { seconds }: BenchSettings): Promise<Round> {
  const round: Record<string, number> = {};
  for (const count of BUSY) {
    const chosen = Array.from({ length: count }, (_, index) => cells[(number + index) % cells.length] as Cell);
    for (const [name, value] of Object.entries(await busy(chosen, seconds)))
      round[`${labelOf(count)}: ${name}`] = value;
  }
  for (const part of ['gateway', 'PostgreSQL']) {
    const costOf = (count: number): number => round[`${labelOf(count)}: ${part} CPU µs/request`] ?? 0;
    for (const count of BUSY.slice(1)) round[`${part} CPU, ${labelOf(count)} × 1`] = costOf(count) / costOf(1);
  }
  return round;
}

/** What a receipt takes on disk with its indexes, and the transactions of so many requests. */
async function kept(cell: Cell, seconds: number): Promise<Round> {
  const { database } = cell.instance;
  const before = await transactionsSoFar(database);
  await cell.load.call('start', { ...cell.plan, requestsMax: PER_SECOND * seconds });
  const totals = await cell.load.call<LoadTotals>('finish', LOAD_MS_MAX);
  expectReceipts(cell, totals);
  const transactions = (await transactionsSoFar(database)) - before;
  return {
    'transactions/1,000 requests': (transactions / totals.ok) * 1_000,
    'bytes/receipt': (await bytesOfReceipts(database)) / cell.answered,
    'connections of an instance': await connectionsOf(database),
  };
}

async function bytesOfReceipts(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = 'receipts'::regclass`,
  );
  return row?.bytes ?? 0;
}

async function connectionsOf(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and application_name <> 'faregate-test'`,
  );
  return row?.count ?? 0;
}

export const cells: Profile = {
  name: 'cells',
  about: `1, 2 and 4 cells, each an instance with a database of its own and ${PER_SECOND} requests/s; idle ones beside them`,
  async run(settings) {
    const closing = new AsyncDisposableStack();
    try {
      const mock = await startMock(closing);
      const all: Cell[] = [];
      for (const shard of SHARDS) {
        settings.progress(`cells: starting cell ${shard}`);
        all.push(await startCell(shard, mock.port, closing));
      }
      settings.progress('cells: warming up');
      await Promise.all(all.map((cell) => warmUp(cell, REQUESTS_FIRST * settings.scale)));
      const rounds: Round[] = [];
      for (let number = 1; number <= settings.rounds; number += 1) {
        settings.progress(`cells: round ${number} of ${settings.rounds}`);
        const round = await cellsRound(all, number, settings);
        rounds.push({ ...round, ...(await kept(all[number % all.length] as Cell, settings.seconds)) });
      }
      for (const { instance, answered } of all) await instance.verify(answered);
      return rounds;
    } finally {
      await closing.disposeAsync();
    }
  },
};
