import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import { benchConfig } from '../instance.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';

// What traces cost: requests of which none, one in a hundred and all are traced, as multiples of those without a collector.
// All take turns in the same program, which reads its config file again in between; without a collector comes first and last,
// because a machine's pace changes by more than they differ. The mock upstream takes what is exported.

const CONNECTIONS = 32;
const REQUESTS_FIRST = 20_000;

async function round(stage: Stage, { seconds, scale }: BenchSettings): Promise<Round> {
  const timing = { warmUp: seconds / 3, window: seconds, requestsFirst: REQUESTS_FIRST * scale };
  const load = {
    behaviour: 'plain',
    endpoint: 'chat/completions',
    connections: Math.ceil(CONNECTIONS * scale),
    body: smallChat('plain', {}),
  } as const;
  const cost = async (percent: number | null): Promise<number> => {
    await traceEvery(stage, percent);
    const measured = await measure(stage, 'faregate', load, timing);
    return measured.cpuUs / measured.requests;
  };
  const first = await cost(null);
  const none = await cost(0);
  const few = await cost(1);
  const middle = await cost(null);
  const again = await cost(1);
  const all = await cost(100);
  const last = await cost(null);
  const without = (first + middle + last) / 3;
  return {
    'CPU µs/request without a collector': without,
    'none traced × without': none / ((first + middle) / 2),
    '1 % traced × without': (few + again) / 2 / without,
    'all traced × without': all / ((middle + last) / 2),
  };
}

/** The part that the program of each stage traces now. */
const traced = new WeakMap<Stage, number | null>();

/** Has the program trace this part of requests; null: it has no collector. */
async function traceEvery(stage: Stage, percent: number | null): Promise<void> {
  // A file that says the same is not reloaded. The first one has no collector.
  if ((traced.get(stage) ?? null) === percent) return;
  traced.set(stage, percent);
  const { instance, mock } = stage;
  const { program } = instance;
  const otlp = `otlp: { endpoint: "http://127.0.0.1:${mock.port}/plain" }, metrics: { push_every: 0s }`;
  const telemetry = percent === null ? '{}' : `{ ${otlp}, traces: { sample_percent: ${percent} } }`;
  const reloads = (): number => program.stderr().split('config reloaded').length;
  const before = reloads();
  const config = `${benchConfig(mock.port)}telemetry: ${telemetry}\nlog_level: info\n`;
  await writeFile(join(dirname(program.data), 'faregate.yaml'), config);
  while (reloads() === before) await sleep(100);
}

export const tracing: Profile = stagedProfile(
  'tracing',
  'a short request that is traced or not, 32 connections',
  round,
);
