import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/program/database/pool.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { databaseUrl, startExternalPostgres } from '../../test/support/external-postgres.ts';
import { type Program, startProgram } from '../../test/support/program.ts';
import { smallChat } from '../bodies.ts';
import type { CalledProcess } from '../child-calls.ts';
import { benchConfig } from '../instance.ts';
import type { LoadPlan, LoadTotals, LoadWindow } from '../load/load-plan.ts';
import { refuseFailures } from '../measure.ts';
import { cpuUs } from '../process-cost.ts';
import type { BenchSettings, Profile, Round } from '../profile.ts';
import { startLoad, startMock } from '../stage.ts';
import { openTenant } from '../tenants.ts';
import { idleTransactionsPerSecond, transactionsSoFar } from '../transactions.ts';

// Separate programs, each with its own data directory, on one PostgreSQL that none of them owns, and one key whose
// requests go to all of them: the purses that they share are as contended as can be.

const PROCESSES = [1, 2, 4, 8];
const CONNECTIONS = 64;
const REQUESTS_PER_SECOND = 500;
/** For each process, until when its code is compiled. */
const REQUESTS_FIRST = 10_000;
/** By then every process has heard of the prices. */
const HEARD_MS = 1_500;
const DRAIN_MS = 20_000;
const LOAD_MS_MAX = 120_000;
const GATEWAY_CPU = 'gateway CPU µs/request';

interface Group {
  readonly programs: readonly Program[];
  readonly sql: Sql;
  readonly load: CalledProcess;
  readonly key: string;
}

/** What the group's processes do without any request. */
interface Idle {
  readonly transactionsPerSecond: number;
  readonly cpuUsPerSecond: number;
}

function planOf({ programs, key }: Group): LoadPlan {
  return {
    ports: programs.map(({ url }) => Number(new URL(url).port)),
    path: '/v1/chat/completions',
    body: smallChat('plain'),
    keys: [key],
    keyOrder: 'sequence',
    connections: CONNECTIONS,
    perSecond: null,
    rampMs: 0,
    requestsMax: null,
  };
}

function cpuOf({ programs }: Group): number {
  return programs.reduce((sum, { pid }) => sum + cpuUs({ root: pid, except: null }), 0);
}

async function warmUp(group: Group, requests: number): Promise<void> {
  await sleep(HEARD_MS);
  await group.load.call('start', { ...planOf(group), requestsMax: requests });
  refuseFailures('faregate', await group.load.call<LoadTotals>('finish', LOAD_MS_MAX));
}

async function idling(group: Group, seconds: number): Promise<Idle> {
  const sinceMs = performance.now();
  const before = cpuOf(group);
  const transactionsPerSecond = await idleTransactionsPerSecond(group.sql, seconds);
  return { transactionsPerSecond, cpuUsPerSecond: ((cpuOf(group) - before) * 1_000) / (performance.now() - sinceMs) };
}

/** Loads the group, and counts its transactions from the first request to the last. */
async function loaded(group: Group, perSecond: number | null, seconds: number, idle: Idle): Promise<Round> {
  const { sql, load } = group;
  const plan = { ...planOf(group), perSecond };
  const before = await transactionsSoFar(sql);
  const sinceMs = performance.now();
  await load.call('start', plan);
  await sleep(seconds * 500);
  await load.call('mark');
  const cpuBefore = cpuOf(group);
  await sleep(seconds * 1_000);
  const cpuAfter = cpuOf(group);
  const { requests, seconds: windowSeconds } = await load.call<LoadWindow>('window');
  const totals = await load.call<LoadTotals>('stop', DRAIN_MS);
  refuseFailures('faregate', totals);
  const background = (idle.transactionsPerSecond * (performance.now() - sinceMs)) / 1_000;
  const transactions = (await transactionsSoFar(sql)) - before - background;
  return {
    'transactions/1,000 requests': (transactions / totals.ok) * 1_000,
    'requests/s': requests / windowSeconds,
    [GATEWAY_CPU]: (cpuAfter - cpuBefore - idle.cpuUsPerSecond * windowSeconds) / requests,
  };
}

function named(round: Round, prefix: string): Round {
  return Object.fromEntries(Object.entries(round).map(([name, value]) => [`${prefix}: ${name}`, value]));
}

function labelOf(processes: number): string {
  return `${processes} ${processes === 1 ? 'process' : 'processes'}`;
}

/** What a request costs some processes together, in relation to one that takes the same load alone. */
function growthOf(round: Round): Round {
  const costOf = (count: number): number => round[`${labelOf(count)}, ${CONNECTIONS} connections: ${GATEWAY_CPU}`] ?? 0;
  const growth: Record<string, number> = {};
  for (const count of PROCESSES.slice(1)) growth[`gateway CPU, ${labelOf(count)} × 1`] = costOf(count) / costOf(1);
  return growth;
}

async function processesRound(processes: number, settings: BenchSettings): Promise<Round> {
  const closing = new AsyncDisposableStack();
  try {
    const group = await startGroup(processes, closing);
    await warmUp(group, REQUESTS_FIRST * processes * settings.scale);
    const idle = await idling(group, settings.seconds);
    const label = labelOf(processes);
    const paced = await loaded(group, REQUESTS_PER_SECOND, settings.seconds, idle);
    const saturated = await loaded(group, null, settings.seconds, idle);
    await succeed(group.programs, 'ledger', 'verify');
    return {
      [`${label}, no requests: transactions/s`]: idle.transactionsPerSecond,
      [`${label}, no requests: gateway CPU ms/s`]: idle.cpuUsPerSecond / 1_000,
      ...named(paced, `${label}, ${REQUESTS_PER_SECOND} requests/s`),
      ...named(saturated, `${label}, ${CONNECTIONS} connections`),
    };
  } finally {
    await closing.disposeAsync();
  }
}

async function startGroup(processes: number, closing: AsyncDisposableStack): Promise<Group> {
  const mock = await startMock(closing);
  const load = startLoad(closing);
  const server = await startExternalPostgres();
  closing.defer(() => server.stop());
  const url = databaseUrl(server, await server.createDatabase(), server.port);
  const programs: Program[] = [];
  for (let index = 0; index < processes; index += 1) {
    const env = { DATABASE_URL: url };
    const program = await startProgram({ config: benchConfig(mock.port), args: ['--no-bootstrap'], env });
    closing.defer(() => program.dispose());
    programs.push(program);
  }
  // The prices of a file become those of a shared database only when somebody says so.
  await succeed(programs, 'catalogue', 'apply');
  const sql = openDatabase({ connection: { url }, connectionsMax: 1, applicationName: 'faregate-bench' });
  closing.defer(() => sql.close());
  const { key } = await openTenant(sql);
  return { programs, sql, load, key: key.key };
}

/** Runs a command of the first program, which must succeed. */
async function succeed([program]: readonly Program[], ...args: string[]): Promise<void> {
  const result = await program?.cli(...args);
  if (result?.code !== 0) throw new Error(`faregate ${args.join(' ')} failed: ${result?.stdout}${result?.stderr}`);
}

export const growingProcesses: Profile = {
  name: 'growth-processes',
  about: 'one purse shared by 1, 2, 4 and 8 programs on one external PostgreSQL; what they do without requests apart',
  async run(settings) {
    const rounds: Round[] = [];
    for (let number = 1; number <= settings.rounds; number += 1) {
      const round: Record<string, number> = {};
      for (const processes of PROCESSES) {
        settings.progress(`growth-processes: round ${number} of ${settings.rounds}, ${processes} programs`);
        Object.assign(round, await processesRound(processes, settings));
      }
      rounds.push({ ...round, ...growthOf(round) });
    }
    return rounds;
  },
};
