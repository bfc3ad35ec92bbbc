import { smallChat } from '../bodies.ts';
import type { LoadTotals, LoadWindow } from '../load/load-plan.ts';
import { expectReceipts, planOf } from '../measure.ts';
import { cpuUs } from '../process-cost.ts';
import { type BenchSettings, freshProfile, type Round } from '../profile.ts';
import { startStage } from '../stage.ts';

// The first two seconds of load after a start, as a multiple of what the same program takes once it is warm: with and without
// the requests of its own that it serves before it is ready.

const FIRST_MS = 2_000;
const REQUESTS_FIRST = 80_000;
const LOAD_MS_MAX = 300_000;
const DRAIN_MS = 20_000;
const LOAD = {
  behaviour: 'plain',
  endpoint: 'chat/completions',
  body: smallChat('plain'),
  connections: 32,
} as const;

async function startAndLoad(warmUp: string, { seconds, scale }: BenchSettings): Promise<Round> {
  const sinceMs = performance.now();
  const stage = await startStage({ env: { FAREGATE_WARM_UP: warmUp } });
  try {
    const startSeconds = (performance.now() - sinceMs) / 1_000;
    const { gateway } = stage.instance;
    const plan = planOf(stage, 'faregate', LOAD);
    const window = async (ms: number): Promise<number> => {
      await stage.load.call('start', plan);
      await stage.load.call('mark');
      const before = cpuUs(gateway);
      await new Promise((resolve) => void setTimeout(resolve, ms));
      const used = cpuUs(gateway) - before;
      const { requests } = await stage.load.call<LoadWindow>('window');
      expectReceipts(stage, await stage.load.call<LoadTotals>('stop', DRAIN_MS));
      return used / requests;
    };
    const first = await window(FIRST_MS);
    await stage.load.call('start', { ...plan, requestsMax: Math.ceil(REQUESTS_FIRST * scale) });
    expectReceipts(stage, await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX));
    const warm = await window(seconds * 1_000);
    await stage.verify();
    return {
      'start of everything, s': startSeconds,
      'first 2 s: gateway CPU µs/request': first,
      'warm: gateway CPU µs/request': warm,
      'first 2 s × warm': first / warm,
    };
  } finally {
    await stage.stop();
  }
}

function named(how: string, round: Round): Round {
  return Object.fromEntries(Object.entries(round).map(([name, value]) => [`${how}: ${name}`, value]));
}

export const warmStart = freshProfile(
  'warm-start',
  'the first two seconds of load after a start, 32 connections, with and without warming up',
  async (settings) => ({
    ...named('as it is', await startAndLoad('1500ms', settings)),
    ...named('without warming up', await startAndLoad('0s', settings)),
  }),
);
