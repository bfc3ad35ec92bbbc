import { changeProject } from '../../test/support/accounts.ts';
import { NANO_PER_USD } from '../../src/domain/money.ts';
import { smallChat } from '../bodies.ts';
import { type BenchSettings, type Profile, type Round, stagedProfile } from '../profile.ts';
import type { Stage } from '../stage.ts';
import { openTenant } from '../tenants.ts';
import { type Cost, costOf, inTurns } from '../turns.ts';

// What the purse of an end user costs: whole requests that name one, of a project that limits end users, as a multiple of the same
// requests of a project without limits.

const CONNECTIONS = 32;
const LIMIT = 100_000n * NANO_PER_USD;

async function round(stage: Stage, settings: BenchSettings): Promise<Round> {
  const plain = await openTenant(stage.instance.database);
  const limited = await openTenant(stage.instance.database);
  await changeProject(stage.instance.database, limited.project, { endUserLimit: LIMIT });
  const cost = ({ key }: Pick<typeof limited, 'key'>): Promise<Cost> => {
    const load = {
      behaviour: 'plain',
      endpoint: 'chat/completions',
      connections: Math.ceil(CONNECTIONS * settings.scale),
      body: smallChat('plain', { user: 'ada' }),
      keys: [key.key],
    } as const;
    return costOf(stage, load, settings);
  };
  return inTurns({ what: 'an end user', without: () => cost(plain), having: () => cost(limited) });
}

export const served: Profile = stagedProfile(
  'served',
  'a short request for an end user with a limit, 32 connections',
  round,
);
