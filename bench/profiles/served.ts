import { changeProject } from '../../test/support/accounts.ts';
import { NANO_PER_USD } from '../../src/domain/money.ts';
import { smallChat } from '../bodies.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { openTenant } from '../tenants.ts';

// What the purse of an end user costs: whole requests that name one, of a project that limits end users, as a multiple of the same
// requests of a project without limits. Both take turns, the one without first and last.

const CONNECTIONS = 32;
const REQUESTS_FIRST = 20_000;
const LIMIT = 100_000n * NANO_PER_USD;

async function round(stage: Stage, { seconds, scale }: BenchSettings): Promise<Round> {
  const timing = { warmUp: seconds / 3, window: seconds, requestsFirst: REQUESTS_FIRST * scale };
  const plain = await openTenant(stage.instance.database);
  const limited = await openTenant(stage.instance.database);
  await changeProject(stage.instance.database, limited.project, { endUserLimit: LIMIT });
  const cost = async ({ key }: Pick<typeof limited, 'key'>) => {
    const load = {
      behaviour: 'plain',
      endpoint: 'chat/completions',
      connections: Math.ceil(CONNECTIONS * scale),
    } as const;
    const body = smallChat('plain', { user: 'ada' });
    const measured = await measure(stage, 'faregate', { ...load, body, keys: [key.key] }, timing);
    const postgresUs = measured.postgresCpuUs / measured.requests;
    return { gatewayUs: measured.cpuUs / measured.requests - postgresUs, postgresUs };
  };
  const first = await cost(plain);
  const named = await cost(limited);
  const last = await cost(plain);
  return {
    'gateway CPU with an end user × without': (2 * named.gatewayUs) / (first.gatewayUs + last.gatewayUs),
    "PostgreSQL's with an end user × without": (2 * named.postgresUs) / (first.postgresUs + last.postgresUs),
  };
}

export const served: Profile = stagedProfile(
  'served',
  'a short request for an end user with a limit, 32 connections',
  round,
);
