import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import { benchConfig } from '../instance.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { type Cost, costOf, inTurns } from '../turns.ts';

// What traces cost: requests of which one in a hundred is traced, as multiples of the same without a collector. The program reads
// its config file again in between. The mock upstream takes what is exported. `tracing-all` traces every one.

const CONNECTIONS = 32;

function round(stage: Stage, settings: BenchSettings, percent: number): Promise<Round> {
  const load = {
    behaviour: 'plain',
    endpoint: 'chat/completions',
    connections: Math.ceil(CONNECTIONS * settings.scale),
    body: smallChat('plain', {}),
  } as const;
  const cost = async (telemetry: string): Promise<Cost> => {
    // What a reload costs, and code that is compiled again behind it, is no part of what traces cost.
    if (await isReloaded(stage, telemetry)) await costOf(stage, load, settings);
    return costOf(stage, load, settings);
  };
  const otlp = `otlp: { endpoint: "http://127.0.0.1:${stage.mock.port}/plain" }, metrics: { push_every: 0s }`;
  return inTurns({
    what: `${percent} % traced`,
    without: () => cost('{}'),
    having: () => cost(`{ ${otlp}, traces: { sample_percent: ${percent} } }`),
  });
}

/** The telemetry of each stage's program. */
const configured = new WeakMap<Stage, string>();

/** Has the program's telemetry be this; returns whether it was another one. */
async function isReloaded(stage: Stage, telemetry: string): Promise<boolean> {
  // The first config has no collector.
  if ((configured.get(stage) ?? '{}') === telemetry) return false;
  configured.set(stage, telemetry);
  const { instance, mock } = stage;
  const { program } = instance;
  const reloads = (): number => program.stderr().split('config reloaded').length;
  const before = reloads();
  const config = `${benchConfig(mock.port)}telemetry: ${telemetry}\nlog_level: info\n`;
  await writeFile(join(dirname(program.data), 'faregate.yaml'), config);
  while (reloads() === before) await sleep(100);
  return true;
}

function tracingOf(name: string, part: string, percent: number): Profile {
  return stagedProfile(name, `a short request of which ${part} traced or not, 32 connections`, (stage, settings) =>
    round(stage, settings, percent),
  );
}

export const tracing: readonly Profile[] = [
  tracingOf('tracing-few', 'one in a hundred is', 1),
  tracingOf('tracing-all', 'each is', 100),
];
