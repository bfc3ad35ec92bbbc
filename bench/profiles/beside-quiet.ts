import { setTimeout as sleep } from 'node:timers/promises';
import { smallChat } from '../bodies.ts';
import { type Load, measure } from '../measure.ts';
import type { BenchSettings, Round } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { timingOf } from './request-round.ts';

// What requests notice of something: the same rate of them while nothing else runs, beside it, and after it.

export const PER_SECOND = 300;
const SETTLING_MS = 2_000;

interface Disturbance {
  stop(): Promise<void>;
}

interface Beside<Running extends Disturbance> {
  /** What runs beside the requests, as in "beside everything". */
  readonly name: string;
  readonly begin: () => Promise<Running>;
  /** The callers; left out: the stage's own account. */
  readonly keys?: readonly string[];
}

/** Measures chat requests before, beside and after what `begin` starts, which has stopped then. */
export async function besideQuiet<Running extends Disturbance>(
  stage: Stage,
  settings: BenchSettings,
  { name, begin, keys }: Beside<Running>,
): Promise<{ readonly round: Round; readonly running: Running }> {
  const timing = timingOf(settings);
  const load: Load = {
    behaviour: 'plain',
    endpoint: 'chat/completions',
    body: smallChat('plain'),
    connections: 32,
    perSecond: PER_SECOND,
    ...(keys === undefined ? {} : { keys }),
  };
  const before = await measure(stage, 'faregate', load, timing);
  const running = await begin();
  const busy = await measure(stage, 'faregate', load, timing);
  await running.stop();
  await sleep(SETTLING_MS);
  const after = await measure(stage, 'faregate', load, timing);
  const quiet = {
    p50: (before.latency.p50 + after.latency.p50) / 2,
    p99: (before.latency.p99 + after.latency.p99) / 2,
  };
  const round = {
    'quiet p50 ms': quiet.p50,
    'quiet p99 ms': quiet.p99,
    [`beside ${name} p50 ms`]: busy.latency.p50,
    [`beside ${name} p99 ms`]: busy.latency.p99,
    'p50 × quiet': busy.latency.p50 / quiet.p50,
    'p99 × quiet': busy.latency.p99 / quiet.p99,
    'quiet p99 after × before': after.latency.p99 / before.latency.p99,
  };
  return { round, running };
}
