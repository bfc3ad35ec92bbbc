import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIMELINE } from '../../src/lib/sql.ts';
import { type Fleet, heal, hit, kill, latestEpoch, restart, startFleet } from '../chaos/fleet.ts';
import { ask, Load } from '../chaos/load.ts';
import { expectNobodyShort, expectTruth } from '../chaos/proof.ts';
import { Random } from '../simulation/random.ts';
import { type Account, openAccount } from '../support/accounts.ts';

// A standby that lags takes over from a PostgreSQL that is gone: whatever answers were paid for in what it lacks is
// charged all the same, by the process that served them or by the next one in its place.

const CREDIT = 100_000_000_000n;
const CLIENTS = 4;
/** So long that heartbeats, six in that time, are far apart. */
const EPOCH_MS = 300_000;
/** Long before a heartbeat would tell. */
const RECOVERED_MS = 20_000;

let fleet: Fleet;
let account: Account;
let newcomer: Account;

beforeAll(async () => {
  fleet = await startFleet({ count: 2, epochMs: EPOCH_MS });
  account = await openAccount(fleet.database, { credit: CREDIT });
  newcomer = await openAccount(fleet.database, { credit: CREDIT });
});

afterAll(async () => {
  await fleet.dispose();
});

const timeline = async (): Promise<string | undefined> => {
  const [row] = await fleet.database.query<{ timeline: string }>(`select ${TIMELINE} as timeline`);
  return row?.timeline;
};

test('a server that takes over without the last commits costs nobody an answer that was paid for', async () => {
  const [survivor, victim] = fleet.gateways;
  if (survivor === undefined || victim === undefined) throw new Error('there are two gateways');
  const load = new Load(fleet, account.key.key, new Random(1), CLIENTS);
  const answered = async (count: number): Promise<void> => {
    const { whole } = load;
    await expect.poll(() => load.whole, { timeout: 60_000, interval: 20 }).toBeGreaterThan(whole + count);
  };
  await answered(50);
  // On a busy machine it is away for longer than a request waits to have its key claimed.
  for (const gateway of fleet.gateways) hit(gateway);
  await fleet.postgres.end('SIGINT');
  await fleet.postgres.remember();
  await fleet.postgres.start();
  for (const gateway of fleet.gateways) heal(gateway);

  // From here on all is lost with the server: many receipts of both gateways, and the newcomer's purses.
  await answered(50);
  const first = await Promise.all(fleet.gateways.map((gateway) => ask(gateway, newcomer.key.key)));
  expect(first.map(({ status }) => status)).toEqual([200, 200]);
  await answered(50);
  const epochBefore = await latestEpoch(fleet, survivor);
  hit(survivor);
  await kill(victim);
  await fleet.postgres.end('SIGKILL');
  await fleet.postgres.takeOver();
  expect(await timeline()).toBe('00000002');

  await expect
    .poll(async () => (await ask(survivor, newcomer.key.key)).status, { timeout: RECOVERED_MS, interval: 20 })
    .toBe(200);
  heal(survivor);
  await restart(victim);
  await answered(50);
  await load.stop();
  expect((await latestEpoch(fleet, survivor)).id).not.toBe(epochBefore.id);
  await expectTruth(fleet, account, load.seen);
  await expectTruth(fleet, newcomer, first);
  await expectNobodyShort(fleet, load.seen);
  const [late] = await fleet.database.query<{ count: bigint }>('select count(*) as count from receipts where late');
  expect(late?.count).toBeGreaterThan(100n);
});
