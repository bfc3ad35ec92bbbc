import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import type { LoadTotals } from '../load/load-plan.ts';
import { expectReceipts, type Load, planOf } from '../measure.ts';
import { memoryBytes } from '../process-cost.ts';
import { type BenchSettings, freshProfile, type Round } from '../profile.ts';
import { type Stage, startStage } from '../stage.ts';
import { openKeys } from '../tenants.ts';

// Memory only ever grows while a process runs, so each round starts a new one.

const MB = 1_048_576;
const STREAMS = 1_000;
const KEYS = 10_000;
const SETTLE_MS = 1_500;
const LOAD_MS_MAX = 60_000;
const RAMP_MS = 2_000;

/** Megabytes that the gateway holds, PostgreSQL apart, once it has come to rest. */
async function gatewayMb(stage: Stage): Promise<number> {
  await sleep(SETTLE_MS);
  return memoryBytes(stage.instance.gateway) / MB;
}

async function useEachKey(stage: Stage, keys: readonly string[]): Promise<void> {
  const load = { behaviour: 'plain', endpoint: 'chat/completions', body: smallChat('plain'), connections: 32 } as const;
  const plan = { ...planOf(stage, 'faregate', { ...load, keys }), keyOrder: 'sequence', requestsMax: keys.length };
  await stage.load.call('start', plan);
  expectReceipts(stage, await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX));
}

function streamLoad(behaviour: string, streams: number): Load {
  const body = smallChat(behaviour, { stream: true });
  return { behaviour, endpoint: 'chat/completions', body, connections: streams, rampMs: RAMP_MS };
}

/** Opens the streams, reads the memory while they run, and ends them. */
async function whileStreaming(stage: Stage, behaviour: string, streams: number): Promise<number> {
  const plan = planOf(stage, 'faregate', streamLoad(behaviour, streams));
  await stage.load.call('start', { ...plan, requestsMax: behaviour === 'silent' ? streams : null });
  await sleep(RAMP_MS);
  while ((await stage.load.call<number>('running')) < streams) await sleep(100);
  const mb = await gatewayMb(stage);
  const stopped = stage.load.call<LoadTotals>('stop', LOAD_MS_MAX);
  await stage.mock.endSilent();
  expectReceipts(stage, await stopped);
  return mb;
}

async function memoryRound({ scale }: BenchSettings): Promise<Round> {
  const streams = Math.ceil(STREAMS * scale);
  const stage = await startStage();
  try {
    const started = await gatewayMb(stage);
    await useEachKey(stage, await openKeys(stage.instance.database, stage.account, Math.ceil(KEYS * scale)));
    const withKeys = await gatewayMb(stage);
    const silent = await whileStreaming(stage, 'silent', streams);
    const active = await whileStreaming(stage, 'stream', streams);
    await stage.verify();
    return {
      'just started MB': started,
      '10,000 keys used MB': withKeys,
      'with 1,000 idle streams MB': silent,
      'with 1,000 active streams MB': active,
      'an idle stream KB': ((silent - withKeys) * 1_024) / streams,
    };
  } finally {
    await stage.stop();
  }
}

export const memory = freshProfile(
  'memory',
  'memory of a new process: started, after 10,000 keys, with 1,000 idle and 1,000 active streams',
  memoryRound,
);
