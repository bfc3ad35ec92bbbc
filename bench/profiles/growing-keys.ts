import { smallChat } from '../bodies.ts';
import type { LoadTotals } from '../load/load-plan.ts';
import { expectReceipts, type Load, measure, planOf } from '../measure.ts';
import { stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { openKeys } from '../tenants.ts';
import { timingOf } from './request-round.ts';

// Ever more keys of one project, each of which has been seen before: what it costs that there are many.

const KEYS = [100, 100_000];
const CONNECTIONS = 32;
const LOAD_MS_MAX = 240_000;

const loadOf = (keys: readonly string[]): Load => ({
  behaviour: 'plain',
  endpoint: 'chat/completions',
  body: smallChat('plain'),
  connections: CONNECTIONS,
  keys,
});

/** The keys of each stage, which are made and seen once. */
const opened = new WeakMap<Stage, readonly (readonly string[])[]>();

async function openAll(stage: Stage, scale: number): Promise<readonly (readonly string[])[]> {
  const sets: (readonly string[])[] = [];
  for (const count of KEYS) {
    const keys = await openKeys(stage.instance.database, stage.account, Math.ceil(count * scale));
    await stage.load.call('start', {
      ...planOf(stage, 'faregate', loadOf(keys)),
      keyOrder: 'sequence',
      requestsMax: keys.length,
    });
    const totals = await stage.load.call<LoadTotals>('finish', LOAD_MS_MAX);
    expectReceipts(stage, totals);
    sets.push(keys);
  }
  return sets;
}

export const growingKeys = stagedProfile(
  'growth-keys',
  `100 and 100,000 known keys of one project, one drawn by lot for each request, ${CONNECTIONS} connections`,
  async (stage, settings) => {
    const sets = opened.get(stage) ?? (await openAll(stage, settings.scale));
    opened.set(stage, sets);
    const round: Record<string, number> = {};
    const costs: number[] = [];
    for (const keys of sets) {
      const ours = await measure(stage, 'faregate', loadOf(keys), timingOf(settings));
      const label = `${keys.length} keys`;
      const gatewayUs = ours.cpuUs / ours.requests;
      costs.push(gatewayUs);
      round[`${label}: gateway CPU µs/request`] = gatewayUs;
      round[`${label}: PostgreSQL CPU µs/request`] = ours.postgresCpuUs / ours.requests;
      round[`${label}: requests/s`] = ours.requests / ours.seconds;
      round[`${label}: latency p99 ms`] = ours.latency.p99;
    }
    const [few = 0, many = 0] = costs;
    round['gateway CPU, many keys × few'] = many / few;
    return round;
  },
);
