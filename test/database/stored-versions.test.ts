import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/program/database/migrate.ts';
import { ensureReceiptPartitions } from '../../src/program/database/partitions.ts';
import { PostgresPurseStore } from '../../src/program/database/purse-store.ts';
import { schemaDirectory } from '../../src/program/database/schema-files.ts';
import { schemaSnapshot } from '../../src/program/database/schema-snapshot.ts';
import { openAccount, Spender } from '../support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { definedFunctions } from '../support/defined-functions.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import {
  contentsOf,
  missingVersions,
  readStoredVersions,
  restoreVersion,
  type StoredVersion,
} from './stored-versions.ts';

// The promise to upgrade: the database of every version since the first is brought to the newest, and nothing is lost.

let fresh: TestDatabase;
beforeAll(async () => void (fresh = await startTestDatabase()));
afterAll(() => fresh.stop());

test('the newest migration has a stored database of its version, so that later ones are tested on it', async () => {
  expect(await missingVersions()).toEqual([]);
});

const versions = await readStoredVersions();

test.each(versions)(
  'a database of $name is brought to the newest schema, and has its keys, credit and receipts',
  async (version) => {
    const { database } = await restored(version);
    await migrate(database);
    expect(await schemaSnapshot(database)).toBe(await readFile(join(schemaDirectory, 'schema.sql'), 'utf8'));
    expect(await definedFunctions(database)).toEqual(await definedFunctions(fresh.database));
    expect(await contentsOf(database)).toMatchObject(version.contents);
    expect((await verifyLedger(database)).differences).toEqual([]);
  },
);

test.each(versions)(
  'a database of $name goes on: its processes are taken over, and money is charged as before',
  async (version) => {
    const { database } = await restored(version);
    await migrate(database);
    await ensureReceiptPartitions(database, Date.now());
    const store = new PostgresPurseStore(database);
    const epochs = await database.query<{ id: bigint }>('select id from epochs where fenced_at is null');
    expect(epochs.length).toBeGreaterThan(0);
    for (const { id } of epochs) await store.fence(id);
    expect(await database.query('select from leases')).toEqual([]);
    const account = await openAccount(database, { credit: 100n });
    const spender = await Spender.begin(database);
    await spender.spend(account, { hold: 9n, charge: 7n });
    const { differences, charges } = await verifyLedger(database);
    const { charges: before } = version.contents.ledger as { charges: string };
    expect([differences, charges]).toEqual([[], BigInt(before) + 7n]);
    await expect(store.beginEpoch(randomUUID(), 'test', 30_000)).resolves.toBeGreaterThan(epochs[0]?.id ?? 0n);
  },
);

async function restored({ name }: StoredVersion): Promise<TestDatabase> {
  const database = await restoreVersion(name);
  onTestFinished(() => database.stop());
  return database;
}
