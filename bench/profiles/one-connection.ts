import { smallChat } from '../bodies.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { Timings } from '../load/timings.ts';
import { timingOf } from './request-round.ts';

const SECOND_MS = 1_000;

/** The time that the least durable commit takes on the same database: one row, one statement, one connection. */
async function bareCommitMs(stage: Stage, seconds: number): Promise<number> {
  const { database } = stage.instance;
  await database.query('create schema if not exists bench');
  await database.query('create table if not exists bench.commits (id bigint generated always as identity)');
  const timings = new Timings();
  for (const untilMs = performance.now() + seconds * SECOND_MS; performance.now() < untilMs;) {
    const sinceMs = performance.now();
    await database.query('insert into bench.commits default values');
    timings.add(performance.now() - sinceMs);
  }
  return timings.quantiles().p50;
}

async function round(stage: Stage, settings: BenchSettings): Promise<Round> {
  const timing = timingOf(settings);
  const load = {
    behaviour: 'plain',
    endpoint: 'chat/completions',
    body: smallChat('plain'),
    connections: 1,
  } as const;
  const direct = (await measure(stage, 'direct', load, timing)).latency;
  const nginx = stage.yardstick === null ? null : (await measure(stage, 'nginx', load, timing)).latency;
  const ours = (await measure(stage, 'faregate', load, timing)).latency;
  const commitMs = await bareCommitMs(stage, settings.seconds / 2);
  return {
    'added latency p50 ms': ours.p50 - direct.p50,
    'added latency p99 ms': ours.p99 - direct.p99,
    'added latency p99.9 ms': ours.p999 - direct.p999,
    ...(nginx === null ? {} : { "nginx's p50 ms": nginx.p50 - direct.p50, "nginx's p99 ms": nginx.p99 - direct.p99 }),
    'bare commit p50 ms': commitMs,
    'added p50 beyond a bare commit ms': ours.p50 - direct.p50 - commitMs,
  };
}

export const oneConnection: Profile = stagedProfile(
  'one',
  'one connection: what a lonely caller waits, its durable commit included',
  round,
);
