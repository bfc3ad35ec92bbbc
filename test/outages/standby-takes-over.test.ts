import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fleet, startFleet } from '../chaos/fleet.ts';
import { ask, Load } from '../chaos/load.ts';
import { expectTruth } from '../chaos/proof.ts';
import { Random } from '../simulation/random.ts';
import { type Account, openAccount } from '../support/accounts.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';

// Two gateways with both hosts of a replicated database in their address: what a promoted standby costs callers.

const CREDIT = 100_000_000_000n;
const CLIENTS = 4;
const SERVING_MS_MAX = 60_000;
/** Two servers and two gateways, on a busy machine. */
const STARTED_MS_MAX = 300_000;

let servers: ReplicatedPostgres;
let fleet: Fleet;
let account: Account;
let newcomer: Account;

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  // A failover is shorter than an epoch's default time-out.
  fleet = await startFleet({ count: 2, epochMs: null, replicated: servers });
  account = await openAccount(fleet.database, { credit: CREDIT });
  newcomer = await openAccount(fleet.database, { credit: CREDIT });
}, STARTED_MS_MAX);
afterAll(() => fleet.dispose());

test('a standby that takes over from a killed primary is found by itself, and no answer is lost or charged twice', async () => {
  await servers.commitOnBoth();
  const load = new Load(fleet, account.key.key, new Random(1), CLIENTS);
  const answered = async (count: number): Promise<void> => {
    const { whole } = load;
    await expect.poll(() => load.whole, { timeout: SERVING_MS_MAX, interval: 20 }).toBeGreaterThan(whole + count);
  };
  await answered(50);
  await servers.primary.end('SIGKILL');
  await servers.promote();
  await answered(100);
  // A key that no process knew needs the new primary.
  for (const gateway of fleet.gateways) {
    await expect
      .poll(async () => (await ask(gateway, newcomer.key.key)).status, { timeout: SERVING_MS_MAX, interval: 50 })
      .toBe(200);
  }
  await load.stop();
  await expectTruth(fleet, account, load.seen);
  // Only what was under way when its process lost its leases is charged apart from them.
  const [late] = await fleet.database.query<{ count: bigint }>('select count(*) as count from receipts where late');
  expect(Number(late?.count)).toBeLessThanOrEqual(CLIENTS);
});
