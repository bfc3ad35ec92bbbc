import { type Load, measure, type Measured, type Timing } from '../measure.ts';
import type { BenchSettings, Round } from '../profile.ts';
import type { Stage } from '../stage.ts';

// A round of plain requests: both targets at saturation, then the same rate for both and for the bare upstream.

const WARM_UP_SHARE = 0.3;
const REQUESTS_FIRST = 20_000;
const LOAD_SHARE = 0.5;

export function timingOf({ seconds, scale }: BenchSettings): Timing {
  return { warmUp: seconds * WARM_UP_SHARE, requestsFirst: REQUESTS_FIRST * scale, window: seconds };
}

/** What two measurements make in relation; nothing where there is no yardstick. */
export function ratio(name: string, ours: number, yardstick: number | null): Round {
  return yardstick === null || yardstick === 0 ? {} : { [name]: ours / yardstick };
}

/** CPU and throughput at saturation, then latency at half of it. */
export async function requestRound(stage: Stage, settings: BenchSettings, load: Load): Promise<Round> {
  const timing = timingOf(settings);
  const nginx = stage.yardstick === null ? null : await measure(stage, 'nginx', load, timing);
  const bare = await measure(stage, 'bare', load, timing);
  const ours = await measure(stage, 'faregate', load, timing);
  const perSecond = LOAD_SHARE * rateOf(ours);
  return {
    ...costs(ours, bare, nginx),
    ...(await addedLatency(stage, timing, { ...load, perSecond })),
  };
}

/** CPU per request and requests a second, ours and the yardsticks'. */
function costs(ours: Measured, bare: Measured, nginx: Measured | null): Round {
  const gateway = ours.cpuUs / ours.requests;
  const postgres = ours.postgresCpuUs / ours.requests;
  const passing = bare.cpuUs / bare.requests;
  const yardstick = nginx === null ? null : nginx.cpuUs / nginx.requests;
  return {
    'gateway CPU µs/request': gateway,
    'PostgreSQL CPU µs/request': postgres,
    ...(yardstick === null ? {} : { 'nginx CPU µs/request': yardstick }),
    'bare pass-through CPU µs/request': passing,
    ...ratio('gateway CPU × nginx', gateway, yardstick),
    'gateway CPU × bare pass-through': gateway / passing,
    ...ratio('PostgreSQL CPU × nginx', postgres, yardstick),
    'requests/s': rateOf(ours),
    'bare pass-through requests/s': rateOf(bare),
    ...(nginx === null ? {} : { 'nginx requests/s': rateOf(nginx) }),
  };
}

/** What each target adds to the time that the upstream takes by itself, at one rate for all. */
async function addedLatency(stage: Stage, timing: Timing, load: Load): Promise<Round> {
  const direct = await measure(stage, 'direct', load, timing);
  const nginx = stage.yardstick === null ? null : await measure(stage, 'nginx', load, timing);
  const ours = await measure(stage, 'faregate', load, timing);
  const round: Record<string, number> = {};
  for (const [quantile, name] of [
    ['p50', 'p50'],
    ['p99', 'p99'],
    ['p999', 'p99.9'],
  ] as const) {
    round[`added latency at half load ${name} ms`] = ours.latency[quantile] - direct.latency[quantile];
    if (nginx !== null) round[`nginx's ${name} ms`] = nginx.latency[quantile] - direct.latency[quantile];
  }
  return round;
}

function rateOf({ requests, seconds }: Measured): number {
  return requests / seconds;
}
