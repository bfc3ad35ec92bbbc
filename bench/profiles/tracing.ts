import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import { benchConfig } from '../instance.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';

// What traces cost: requests of which none, one in a hundred and all are traced, as multiples of those without a collector.
// All take turns in the same program, which reads its config file again in between: without, traced, traced, without,
// because a machine's pace changes by more than they differ. What it differs by itself is shown too. The mock upstream
// takes what is exported.

const CONNECTIONS = 32;
const REQUESTS_FIRST = 20_000;
/** How often the four turns are taken in a round for what differs least. */
const BLOCKS = 6;

/** CPU for each request in µs, of four windows one after the other. */
interface Turn {
  readonly before: number;
  readonly traced: number;
  readonly after: number;
}

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
  const turns = async (percent: number, blocks: number): Promise<readonly Turn[]> => {
    const all: Turn[] = [];
    for (let block = 0; block < blocks; block += 1) {
      const before = await cost(null);
      const traced = [await cost(percent), await cost(percent)];
      const after = await cost(null);
      all.push({ before, after, traced: mean(traced) });
    }
    return all;
  };
  const few = await turns(1, BLOCKS);
  const none = await turns(0, 1);
  const all = await turns(100, 1);
  return {
    'CPU µs/request without a collector': mean(few.flatMap(({ before, after }) => [before, after])),
    'without × without, before and after': mean(few.map(({ after }) => after)) / mean(few.map(({ before }) => before)),
    'none traced × without': timesWithout(none),
    '1 % traced × without': timesWithout(few),
    'all traced × without': timesWithout(all),
  };
}

function timesWithout(turns: readonly Turn[]): number {
  return mean(turns.map(({ traced }) => traced)) / mean(turns.flatMap(({ before, after }) => [before, after]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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
