import { changeProject } from '../../test/support/accounts.ts';
import { NANO_PER_USD } from '../../src/domain/money.ts';
import { smallChat } from '../bodies.ts';
import { measure } from '../measure.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import { summarise } from '../report.ts';
import type { Stage } from '../stage.ts';
import { openTenant } from '../tenants.ts';

// What the purse of an end user costs: whole requests that name one, of a project that limits end users, as a multiple of the same
// requests of a project without limits. Both take turns in short windows: without, with, with, without. A machine's pace, and work in
// the background of the database, change by more than they differ, so each four windows give a ratio, and a round is the median of
// many. What the ones without differ by themselves is shown too.

const CONNECTIONS = 32;
const REQUESTS_FIRST = 20_000;
const LIMIT = 100_000n * NANO_PER_USD;
const BLOCKS = 9;
/** So much of what a load is measured for elsewhere is one window here. */
const WINDOW_PART = 1 / 3;

/** CPU for each request in µs. */
interface Cost {
  readonly gateway: number;
  readonly postgres: number;
}

type Ratios = Readonly<Record<string, number>>;

async function round(stage: Stage, { seconds, scale }: BenchSettings): Promise<Round> {
  const window = seconds * WINDOW_PART;
  const timing = { warmUp: window / 2, window, requestsFirst: REQUESTS_FIRST * scale };
  const plain = await openTenant(stage.instance.database);
  const limited = await openTenant(stage.instance.database);
  await changeProject(stage.instance.database, limited.project, { endUserLimit: LIMIT });
  const cost = async ({ key }: Pick<typeof limited, 'key'>): Promise<Cost> => {
    const load = {
      behaviour: 'plain',
      endpoint: 'chat/completions',
      connections: Math.ceil(CONNECTIONS * scale),
    } as const;
    const body = smallChat('plain', { user: 'ada' });
    const measured = await measure(stage, 'faregate', { ...load, body, keys: [key.key] }, timing);
    return { gateway: measured.cpuUs / measured.requests, postgres: measured.postgresCpuUs / measured.requests };
  };
  const blocks: Ratios[] = [];
  for (let block = 0; block < BLOCKS; block += 1) {
    const before = await cost(plain);
    const named = [await cost(limited), await cost(limited)];
    const after = await cost(plain);
    blocks.push(ratios(before, named, after));
  }
  return Object.fromEntries(Object.entries(summarise(blocks)).map(([name, { median }]) => [name, median]));
}

function ratios(before: Cost, named: readonly Cost[], after: Cost): Ratios {
  const sum = (costs: readonly Cost[], of: keyof Cost): number => costs.reduce((all, cost) => all + cost[of], 0);
  const times = (of: keyof Cost): number => sum(named, of) / sum([before, after], of);
  return {
    'gateway CPU µs/request without': sum([before, after], 'gateway') / 2,
    "PostgreSQL's µs/request without": sum([before, after], 'postgres') / 2,
    'gateway CPU with an end user × without': times('gateway'),
    "PostgreSQL's with an end user × without": times('postgres'),
    'gateway CPU without × without, after and before': after.gateway / before.gateway,
    "PostgreSQL's without × without, after and before": after.postgres / before.postgres,
  };
}

export const served: Profile = stagedProfile(
  'served',
  'a short request for an end user with a limit, 32 connections',
  round,
);
