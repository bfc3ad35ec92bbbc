import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import type { LoadTotals } from '../load/load-plan.ts';
import { expectReceipts, planOf } from '../measure.ts';
import { memoryBytes } from '../process-cost.ts';
import { type BenchSettings, freshProfile, type Round } from '../profile.ts';
import { type Stage, startStage } from '../stage.ts';
import { openKeys, openTenants } from '../tenants.ts';

const MB = 1_048_576;
const KB = 1_024;
const KEYS = 100_000;
const CONNECTIONS = 64;
const LOAD_MS_MAX = 600_000;

/** Makes one request with each of the keys; answers with the memory that the gateway grew by until they were done. */
async function growth(stage: Stage, keys: readonly string[]): Promise<{ megabytes: number; seconds: number }> {
  const { gateway } = stage.instance;
  const before = memoryBytes(gateway);
  const sinceMs = performance.now();
  const load = {
    behaviour: 'plain',
    endpoint: 'chat/completions',
    body: smallChat('plain'),
    connections: CONNECTIONS,
    keys,
  } as const;
  const plan = { ...planOf(stage, 'faregate', load), keyOrder: 'sequence', requestsMax: keys.length };
  await stage.load.call('start', plan);
  const totals = await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX);
  expectReceipts(stage, totals);
  const seconds = (performance.now() - sinceMs) / 1_000;
  await sleep(1_000);
  return { megabytes: (memoryBytes(gateway) - before) / MB, seconds };
}

async function memoryOf(name: string, stage: Stage, keys: readonly string[]): Promise<Round> {
  // A process that has just started grows by the load alone: buffers, compiled code, the young generation.
  await growth(stage, keys.slice(0, Math.ceil(keys.length / 10)));
  const rest = keys.slice(Math.ceil(keys.length / 10));
  const { megabytes, seconds } = await growth(stage, rest);
  const whole = memoryBytes(stage.instance.gateway) / MB;
  return {
    [`${name}: gateway MB`]: whole,
    [`${name}: KB each`]: (megabytes * KB) / rest.length,
    [`${name}: cold requests/s`]: rest.length / seconds,
  };
}

async function round({ scale }: BenchSettings): Promise<Round> {
  const count = Math.ceil(KEYS * scale);
  const measured: Record<string, number> = {};
  for (const shape of ['keys of one project', 'workspaces']) {
    const stage = await startStage();
    try {
      const { database } = stage.instance;
      const keys = await (shape === 'workspaces'
        ? openTenants(database, count)
        : openKeys(database, stage.account, count));
      await database.query('analyze');
      Object.assign(measured, await memoryOf(`${count} ${shape}`, stage, keys));
      await stage.verify();
    } finally {
      await stage.stop();
    }
  }
  return measured;
}

export const livePrincipals = freshProfile(
  'principals',
  'memory for 100,000 keys of one project, and for 100,000 workspaces with three purses each, in one process',
  round,
);
