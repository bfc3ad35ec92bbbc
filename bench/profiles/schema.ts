import { Agent, request } from 'node:http';
import { schemaChat, smallChat } from '../bodies.ts';
import { Timings } from '../load/timings.ts';
import { type Load, measure, type Measured } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { timingOf } from './request-round.ts';

// What a JSON schema adds to a request whose answer of 2 KB conforms to it: the same answer with a schema, and to a request
// of the same size without. One after the other, request by request, because a machine's pace changes by more than the
// difference.

const CONNECTIONS = 16;
const SECOND_MS = 1_000;
const PAIRS_FIRST = 2_000;

const LOAD = { behaviour: 'people', endpoint: 'chat/completions' } as const;
const BY_SCHEMA = schemaChat('people');
const BARE = smallChat('people', { max_tokens: 1_024, metadata: { padding: '' } });
const WITHOUT = smallChat('people', {
  max_tokens: 1_024,
  metadata: { padding: 'x'.repeat(BY_SCHEMA.length - BARE.length) },
});

/** Sends a request on the agent's connection and answers with how long its answer took, in milliseconds. */
function call({ instance, account }: Stage, agent: Agent, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${account.key.key}`, 'content-type': 'application/json' };
  const sinceMs = performance.now();
  const sent = request(
    { agent, host: '127.0.0.1', port: instance.port, path: '/v1/chat/completions', method: 'POST', headers },
    (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - sinceMs);
        else reject(new Error(`answered with ${response.statusCode}`));
      });
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Times of both kinds of request, which take turns. */
async function takeTurns(stage: Stage, { seconds, scale }: BenchSettings): Promise<{ without: Timings; by: Timings }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let pair = 0; pair < PAIRS_FIRST * scale; pair += 1) {
      await call(stage, agent, WITHOUT);
      await call(stage, agent, BY_SCHEMA);
      stage.expectReceipts(2);
    }
    const times = { without: new Timings(), by: new Timings() };
    for (const untilMs = performance.now() + seconds * SECOND_MS; performance.now() < untilMs;) {
      times.without.add(await call(stage, agent, WITHOUT));
      times.by.add(await call(stage, agent, BY_SCHEMA));
      stage.expectReceipts(2);
    }
    return times;
  } finally {
    agent.destroy();
  }
}

async function round(stage: Stage, settings: BenchSettings): Promise<Round> {
  const turns = await takeTurns(stage, settings);
  const [alone, judged] = [turns.without.quantiles(), turns.by.quantiles()];
  const busy = (body: string): Load => ({ ...LOAD, body, connections: CONNECTIONS });
  const without = await measure(stage, 'faregate', busy(WITHOUT), timingOf(settings));
  const by = await measure(stage, 'faregate', busy(BY_SCHEMA), timingOf(settings));
  const cpu = ({ cpuUs, requests }: Measured): number => cpuUs / requests;
  return {
    'without a schema p50 ms': alone.p50,
    'added by a schema p50 ms': judged.p50 - alone.p50,
    'added by a schema p99 ms': judged.p99 - alone.p99,
    'gateway CPU µs/request': cpu(without),
    'gateway CPU µs/request added by a schema': cpu(by) - cpu(without),
  };
}

export const bySchema: Profile = stagedProfile('schema', 'answers of 2 KB that must conform to a JSON schema', round);
