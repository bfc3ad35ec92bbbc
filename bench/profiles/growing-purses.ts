import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import { measure } from '../measure.ts';
import type { BenchSettings, Profile, Round } from '../profile.ts';
import { startStage } from '../stage.ts';
import { openTenants } from '../tenants.ts';
import { idleTransactionsPerSecond, transactionsSoFar } from '../transactions.ts';

// Ever more workspaces, each with a credit, a project's budget and a key's limit, at the same rate of requests in all:
// the more there are, the rarer each one's requests, until nearly every one meets a cold key and three cold purses.

const TENANTS = [1, 1_000, 100_000];
const REQUESTS_PER_SECOND = 500;
const CONNECTIONS = 64;
/** Idle slack has gone back by then. */
const RETURN_MS = 6_000;

async function tenantsRound(tenants: number, { seconds }: BenchSettings): Promise<Round> {
  const stage = await startStage();
  try {
    const { database } = stage.instance;
    const keys = await openTenants(database, tenants);
    const load = {
      behaviour: 'plain',
      endpoint: 'chat/completions',
      body: smallChat('plain'),
      connections: CONNECTIONS,
      perSecond: REQUESTS_PER_SECOND,
      keys,
    } as const;
    // PostgreSQL looks at new tables within a minute by itself, and plans by guesses until then.
    await measure(stage, 'faregate', load, { warmUp: seconds, requestsFirst: 0, window: 0 });
    await database.query('analyze');
    await sleep(RETURN_MS);
    const idle = await idleTransactionsPerSecond(database, seconds);
    const before = await transactionsSoFar(database);
    const { served } = await stage.mock.counts();
    const sinceMs = performance.now();
    const ours = await measure(stage, 'faregate', load, { warmUp: seconds, requestsFirst: 0, window: 2 * seconds });
    const background = (idle * (performance.now() - sinceMs)) / 1_000;
    const transactions = (await transactionsSoFar(database)) - before - background;
    await stage.verify();
    const label = `${tenants} ${tenants === 1 ? 'workspace' : 'workspaces'}`;
    return {
      [`${label}: transactions/1,000 requests`]: (transactions / ((await stage.mock.counts()).served - served)) * 1_000,
      [`${label}: gateway CPU µs/request`]: ours.cpuUs / ours.requests,
      [`${label}: PostgreSQL CPU µs/request`]: ours.postgresCpuUs / ours.requests,
      [`${label}: latency p50 ms`]: ours.latency.p50,
      [`${label}: latency p99 ms`]: ours.latency.p99,
    };
  } finally {
    await stage.stop();
  }
}

export const growingPurses: Profile = {
  name: 'growth-purses',
  about: `1, 1,000 and 100,000 workspaces with three purses each, drawn by lot, ${REQUESTS_PER_SECOND} requests/s in all`,
  async run(settings) {
    const rounds: Round[] = [];
    for (let number = 1; number <= settings.rounds; number += 1) {
      const round: Record<string, number> = {};
      for (const tenants of TENANTS) {
        settings.progress(`growth-purses: round ${number} of ${settings.rounds}, ${tenants} workspaces`);
        Object.assign(round, await tenantsRound(Math.ceil(tenants * settings.scale), settings));
      }
      rounds.push(round);
    }
    return rounds;
  },
};
