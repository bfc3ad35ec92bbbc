import { smallChat } from '../bodies.ts';
import { type Load, measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { ratio } from './request-round.ts';

/** A paced stream takes 2 s; they begin spread over that time. */
const RAMP_MS = 2_000;
const WARM_UP_SECONDS = 2.5;

async function streamRound(stage: Stage, { seconds }: BenchSettings, load: Load): Promise<Round> {
  const timing = {
    warmUp: load.rampMs === 0 ? seconds / 2 : WARM_UP_SECONDS,
    requestsFirst: 0,
    window: seconds,
  };
  const direct = await measure(stage, 'direct', load, timing);
  const nginx = stage.yardstick === null ? null : await measure(stage, 'nginx', load, timing);
  const bare = await measure(stage, 'bare', load, timing);
  const ours = await measure(stage, 'faregate', load, timing);
  const perChunk = ours.cpuUs / ours.chunks;
  const yardstick = nginx === null ? null : nginx.cpuUs / nginx.chunks;
  return {
    'gateway CPU µs/chunk': perChunk,
    'PostgreSQL CPU µs/chunk': ours.postgresCpuUs / ours.chunks,
    ...(yardstick === null ? {} : { 'nginx CPU µs/chunk': yardstick }),
    'bare pass-through CPU µs/chunk': bare.cpuUs / bare.chunks,
    ...ratio('gateway CPU × nginx', perChunk, yardstick),
    'gateway CPU × bare pass-through': (perChunk * bare.chunks) / bare.cpuUs,
    'chunks/s': ours.chunks / ours.seconds,
    ...(nginx === null ? {} : { 'nginx chunks/s': nginx.chunks / nginx.seconds }),
    'added time to first token p50 ms': ours.firstByte.p50 - direct.firstByte.p50,
    'added time to first token p99 ms': ours.firstByte.p99 - direct.firstByte.p99,
    ...(nginx === null
      ? {}
      : {
          "nginx's p50 ms": nginx.firstByte.p50 - direct.firstByte.p50,
          "nginx's p99 ms": nginx.firstByte.p99 - direct.firstByte.p99,
        }),
  };
}

function streamsOf(behaviour: string, connections: number, rampMs: number): Load {
  const body = smallChat(behaviour, { stream: true });
  return { behaviour, endpoint: 'chat/completions', body, connections, rampMs };
}

function pacedStreams(streams: number): Profile {
  return stagedProfile(`stream-${streams}`, `${streams} streams of 100 chunks, one every 20 ms`, (stage, settings) =>
    streamRound(stage, settings, streamsOf('stream', Math.ceil(streams * settings.scale), RAMP_MS)),
  );
}

export const streams: readonly Profile[] = [
  pacedStreams(250),
  pacedStreams(1_000),
  stagedProfile('burst', '16 streams of 1,000 tiny chunks that come at once', (stage, settings) =>
    streamRound(stage, settings, streamsOf('burst', 16, 0)),
  ),
];
