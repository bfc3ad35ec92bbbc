import { schemaChat, smallChat } from '../bodies.ts';
import { type Load, measure, type Measured } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { timingOf } from './request-round.ts';

// What a JSON schema adds to a request whose answer of 2 KB conforms to it: the same answer with a schema and without.

const CONNECTIONS = 16;

async function pair(
  stage: Stage,
  settings: BenchSettings,
  connections: number,
): Promise<{ without: Measured; by: Measured }> {
  const timing = timingOf(settings);
  const load = (body: string): Load => ({ behaviour: 'people', endpoint: 'chat/completions', body, connections });
  const without = await measure(stage, 'faregate', load(smallChat('people', { max_tokens: 1_024 })), timing);
  return { without, by: await measure(stage, 'faregate', load(schemaChat('people')), timing) };
}

async function round(stage: Stage, settings: BenchSettings): Promise<Round> {
  const lonely = await pair(stage, settings, 1);
  const busy = await pair(stage, settings, CONNECTIONS);
  const cpu = ({ cpuUs, requests }: Measured): number => cpuUs / requests;
  return {
    'without a schema p50 ms': lonely.without.latency.p50,
    'added by a schema p50 ms': lonely.by.latency.p50 - lonely.without.latency.p50,
    'added by a schema p99 ms': lonely.by.latency.p99 - lonely.without.latency.p99,
    'gateway CPU µs/request': cpu(busy.without),
    'gateway CPU µs/request added by a schema': cpu(busy.by) - cpu(busy.without),
    'requests/s': busy.without.requests / busy.without.seconds,
    'requests/s by a schema': busy.by.requests / busy.by.seconds,
  };
}

export const bySchema: Profile = stagedProfile('schema', 'answers of 2 KB that must conform to a JSON schema', round);
