import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import type { LoadTotals, LoadWindow } from '../load/load-plan.ts';
import { expectReceipts, planOf } from '../measure.ts';
import { cpuUs } from '../process-cost.ts';
import { type BenchSettings, freshProfile, type Round } from '../profile.ts';
import { type Stage, startStage } from '../stage.ts';
import { openTenants } from '../tenants.ts';
import { idleTransactionsPerSecond, transactionsSoFar } from '../transactions.ts';

// Keys that are rarely used, each of a workspace of its own: a request each, and another one when all that lay idle
// meanwhile has gone back, which it has after seconds as after a minute.

const WORKSPACES = 5_000;
const REQUESTS_PER_SECOND = 500;
const CONNECTIONS = 32;
/** Requests with another key, until when code is compiled. */
const REQUESTS_FIRST = 8_000;
const IDLE_MS = 8_000;
const LOAD_MS_MAX = 120_000;

const LOAD = {
  behaviour: 'plain',
  endpoint: 'chat/completions',
  body: smallChat('plain'),
  connections: CONNECTIONS,
} as const;

async function warmUp(stage: Stage): Promise<void> {
  await stage.load.call('start', { ...planOf(stage, 'faregate', LOAD), requestsMax: REQUESTS_FIRST });
  const totals = await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX);
  expectReceipts(stage, totals);
  await sleep(IDLE_MS);
}

/** One request with each key, at a steady pace. */
async function visit(stage: Stage, keys: readonly string[], idlePerSecond: number): Promise<Round> {
  const { database, gateway, postgres } = stage.instance;
  const plan = planOf(stage, 'faregate', { ...LOAD, perSecond: REQUESTS_PER_SECOND, keys });
  const before = await transactionsSoFar(database);
  const [gatewayUs, postgresUs, sinceMs] = [cpuUs(gateway), cpuUs(postgres), performance.now()];
  await stage.load.call('start', { ...plan, keyOrder: 'sequence', requestsMax: keys.length });
  await stage.load.call('mark');
  const totals = await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX);
  const { latency } = await stage.load.call<LoadWindow>('window');
  expectReceipts(stage, totals);
  // What lies idle goes back, and that is part of what a request costs.
  await sleep(IDLE_MS);
  const background = (idlePerSecond * (performance.now() - sinceMs)) / 1_000;
  const transactions = (await transactionsSoFar(database)) - before - background;
  return {
    'transactions/1,000 requests': (transactions / totals.ok) * 1_000,
    'gateway CPU µs/request': (cpuUs(gateway) - gatewayUs) / totals.ok,
    'PostgreSQL CPU µs/request': (cpuUs(postgres) - postgresUs) / totals.ok,
    'latency p50 ms': latency.p50,
    'latency p99 ms': latency.p99,
  };
}

async function sparseRound({ seconds, scale }: BenchSettings): Promise<Round> {
  const stage = await startStage();
  try {
    const { database } = stage.instance;
    const keys = await openTenants(database, Math.ceil(WORKSPACES * scale));
    await database.query('analyze');
    await warmUp(stage);
    const idle = await idleTransactionsPerSecond(database, seconds);
    const visits = { 'first request': await visit(stage, keys, idle), 'next request': await visit(stage, keys, idle) };
    await stage.verify();
    return Object.fromEntries(
      Object.entries(visits).flatMap(([which, round]) =>
        Object.entries(round).map(([name, value]) => [`${which}: ${name}`, value]),
      ),
    );
  } finally {
    await stage.stop();
  }
}

export const sparse = freshProfile(
  'sparse',
  `${WORKSPACES} workspaces with three purses each, ${REQUESTS_PER_SECOND} requests/s: each one's first, and its next`,
  sparseRound,
);
