import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, Spender } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { NO_STOCK } from '../purses/permit-store.ts';
import { PostgresPermitStore } from './permit-store.ts';

// What a request waits for costs as much in an instance with many workspaces as in a small one: its statements find
// their rows by index, whatever PostgreSQL guesses of their number.

const PROJECTS = 20_000;

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: 1 });
  await db.database.query(`
    with w as (insert into workspaces (id, name) select gen_random_uuid(), 'many' returning id)
    insert into projects (workspace_id, id, name)
    select w.id, gen_random_uuid(), 'project ' || number from w, generate_series(1, ${PROJECTS}) as number`);
  await db.database.query('analyze');
});

afterAll(() => db.stop());

/** How often each table has been read from end to end so far. */
async function wholeReads(): Promise<unknown> {
  await db.database.query('select pg_stat_force_next_flush()');
  return db.database.query(
    `select relname, seq_scan from pg_stat_user_tables
     where relname in ('projects', 'keys', 'purses', 'leases', 'rate_buckets', 'rate_leases') order by relname`,
  );
}

test('draws, settlements and permits read no table from end to end', async () => {
  const account = await openAccount(db.database, { credit: 1_000_000n });
  const spender = await Spender.begin(db.database);
  const epochs = await db.database.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name) values ($1, 'test') returning id`,
    [randomUUID()],
  );
  const permits = new PostgresPermitStore(db.database);
  const draw = {
    workspaceId: account.workspace.id,
    projectId: account.project.id,
    taken: 0,
    running: 0,
    stock: NO_STOCK,
    keep: NO_STOCK,
    returned: { requests: 0, tokens: 0 },
    needs: [1],
    target: NO_STOCK,
  };
  const before = await wholeReads();
  for (let sequence = 1; sequence <= 3; sequence += 1) {
    await spender.spend(account, { hold: 100n, charge: 10n });
    await permits.drawPermits(epochs[0]?.id ?? 0n, [{ ...draw, sequence }]);
  }
  expect(await wholeReads()).toEqual(before);
});
