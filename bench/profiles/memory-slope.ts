import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import type { CalledProcess } from '../child-calls.ts';
import type { LoadTotals } from '../load/load-plan.ts';
import { expectReceipts, type Load, planOf } from '../measure.ts';
import { memoryBytes } from '../process-cost.ts';
import { type BenchSettings, freshProfile, type Round } from '../profile.ts';
import { type Stage, startLoad, startStage } from '../stage.ts';
import { openKeys } from '../tenants.ts';

// Whether a process that goes on working goes on growing: a steady load, and what it holds every few seconds. The collector
// lets memory go up and down by some megabytes, so the slope is that of the line through all readings.

const MB = 1_048_576;
const MINUTES = 10;
/** Until then caches fill, code is compiled, and the heap finds its size. */
const FIRST_MINUTES = 2;
const READ_MS = 5_000;
const KEYS = 10_000;
const REQUESTS_PER_SECOND = 1_000;
const STREAMS = 100;
const DRAIN_MS = 20_000;

const CHATS: Load = {
  behaviour: 'plain',
  endpoint: 'chat/completions',
  body: smallChat('plain'),
  connections: 32,
  perSecond: REQUESTS_PER_SECOND,
};

const STREAMED: Load = {
  behaviour: 'stream',
  endpoint: 'chat/completions',
  body: smallChat('stream', { stream: true }),
  connections: STREAMS,
  rampMs: 2_000,
};

interface Reading {
  readonly minute: number;
  readonly mb: number;
}

/** Megabytes a minute: the slope of the line with the least squares. */
function slopeOf(readings: readonly Reading[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [minute, mb] = [mean(readings.map((one) => one.minute)), mean(readings.map((one) => one.mb))];
  const covariance = readings.reduce((sum, one) => sum + (one.minute - minute) * (one.mb - mb), 0);
  return covariance / readings.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
}

async function readAll(stage: Stage, minutes: number): Promise<readonly Reading[]> {
  const found: Reading[] = [];
  const startedMs = performance.now();
  for (let minute = 0; minute < minutes;) {
    await sleep(READ_MS);
    minute = (performance.now() - startedMs) / 60_000;
    found.push({ minute, mb: memoryBytes(stage.instance.gateway) / MB });
  }
  return found;
}

async function end(stage: Stage, load: CalledProcess): Promise<void> {
  expectReceipts(stage, await load.call<LoadTotals>('stop', DRAIN_MS));
}

async function slopeRound({ scale }: BenchSettings): Promise<Round> {
  const closing = new AsyncDisposableStack();
  try {
    const stage = closing.adopt(await startStage(), (started) => started.stop());
    const keys = await openKeys(stage.instance.database, stage.account, Math.ceil(KEYS * scale));
    const streams = startLoad(closing);
    await stage.load.call('start', planOf(stage, 'faregate', { ...CHATS, keys }));
    await streams.call('start', planOf(stage, 'faregate', STREAMED));
    const all = await readAll(stage, MINUTES * scale);
    await end(stage, stage.load);
    await end(stage, streams);
    await stage.verify();
    return figuresOf(all.filter(({ minute }) => minute > FIRST_MINUTES * scale));
  } finally {
    await closing.disposeAsync();
  }
}

function figuresOf(settled: readonly Reading[]): Round {
  const holds = settled.map(({ mb }) => mb);
  return {
    'after two minutes MB': holds[0] ?? 0,
    'after ten minutes MB': holds.at(-1) ?? 0,
    'least MB': Math.min(...holds),
    'most MB': Math.max(...holds),
    'slope MB/minute': slopeOf(settled),
  };
}

export const memorySlope = freshProfile(
  'slope',
  `memory over ${MINUTES} minutes of ${REQUESTS_PER_SECOND} requests/s by ${KEYS} keys and ${STREAMS} streams at a time`,
  slopeRound,
);
