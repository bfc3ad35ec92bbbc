import { smallChat } from '../bodies.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';

// What a fee for each request costs: whole requests to a model with one, as a multiple of the same model's without. Both
// take turns, the one without first and last, because a machine's pace changes by more than they differ.

const CONNECTIONS = 32;
const REQUESTS_FIRST = 20_000;

async function round(stage: Stage, { seconds, scale }: BenchSettings): Promise<Round> {
  const timing = { warmUp: seconds / 3, window: seconds, requestsFirst: REQUESTS_FIRST * scale };
  const cost = async (model: 'plain' | 'plain-fee') => {
    const load = {
      behaviour: model,
      endpoint: 'chat/completions',
      connections: Math.ceil(CONNECTIONS * scale),
    } as const;
    const measured = await measure(stage, 'faregate', { ...load, body: smallChat(model, {}) }, timing);
    return { us: measured.cpuUs / measured.requests, postgresUs: measured.postgresCpuUs / measured.requests };
  };
  const first = await cost('plain');
  const fees = await cost('plain-fee');
  const last = await cost('plain');
  const without = (first.us + last.us) / 2;
  return {
    'CPU µs/request without fees': without,
    'with a fee × without': fees.us / without,
    "PostgreSQL's with a fee × without": fees.postgresUs / ((first.postgresUs + last.postgresUs) / 2),
  };
}

export const fees: Profile = stagedProfile('fees', 'a short request with a fee, 32 connections', round);
