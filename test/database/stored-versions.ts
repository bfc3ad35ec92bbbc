import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPrincipals } from '../../src/gate/principals/principals.ts';
import { readSchemaFiles, schemaDirectory } from '../../src/program/database/schema-files.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { receiptJson } from '../../src/control/ledger/receipt-json.ts';
import { findReceipt } from '../../src/control/ledger/receipts.ts';
import { startTestDatabase, type TestDatabase } from '../support/database.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { dumpDatabase, withMigrations } from './dump-database.ts';
import { fillDatabase } from './fill-database.ts';

// Small filled databases of versions of the schema, as SQL, with what the program of that version found in it. Each is made
// once, with the newest migration, and never again: later programs must bring it up to date. Those that show nothing that
// another one does not show are deleted. These are kept:
//
// - 0001_baseline: the first release.
// - 0009_resource_lives: the last one before rows of alerts, usage and keys were converted or met new constraints (0010 to 0016).
// - 0020_fees: the last one whose secrets and responses are in clear (0022, 0027), and whose links name no makers (0021).
// - 0028_leases_in_use: the last one whose audit events form no chains (0029), and release 0.2.0.
// - the newest, on which the next migration is run.

export interface StoredVersion {
  /** The newest migration that the database has. */
  readonly name: string;
  readonly contents: Contents;
}

/** What must be in a database after every upgrade: who may call, what was charged, and what the ledger adds up to. */
export interface Contents {
  readonly ledger: object;
  readonly keys: readonly object[];
  readonly receipts: readonly object[];
}

const directory = join(import.meta.dirname, 'versions');

/** The versions that are stored, the oldest first. */
export async function readStoredVersions(): Promise<readonly StoredVersion[]> {
  const names = (await readdir(directory)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4));
  return Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      contents: JSON.parse(await readFile(join(directory, `${name}.json`), 'utf8')) as Contents,
    })),
  );
}

/** Starts a database of a stored version. @throws Error unless it is stored */
export async function restoreVersion(name: string): Promise<TestDatabase> {
  const sql = await withMigrations(await readFile(join(directory, `${name}.sql`), 'utf8'));
  const restored = await startTestDatabase({ migrated: false });
  await restored.database.transaction((tx) => tx.query(sql));
  return restored;
}

/**
 * Why the present schema can't be upgraded with a test: its newest migration has no stored database. Empty: it has. Earlier
 * migrations that were released together with it need none of their own.
 */
export async function missingVersions(): Promise<readonly string[]> {
  const stored = new Set((await readStoredVersions()).map(({ name }) => name));
  const { migrations } = await readSchemaFiles(schemaDirectory);
  return migrations
    .slice(-1)
    .filter(({ name }) => !stored.has(name))
    .map(
      ({ name }) => `${name} has no database in test/database/versions: run tools/store-version.ts, and check it in`,
    );
}

/** Stores a database of this version, unless there is one. @throws EEXIST if it is stored already */
export async function storeVersion(): Promise<string> {
  const { migrations } = await readSchemaFiles(schemaDirectory);
  const name = migrations.at(-1)?.name ?? '';
  const filled = await startTestDatabase();
  try {
    await fillDatabase(filled);
    const contents = JSON.stringify(await contentsOf(filled.database), null, 1);
    await writeFile(join(directory, `${name}.sql`), await dumpDatabase(filled.database), { flag: 'wx' });
    await writeFile(join(directory, `${name}.json`), `${contents}\n`, { flag: 'wx' });
  } finally {
    await filled.stop();
  }
  return name;
}

/** What this program finds in a database. */
export async function contentsOf(sql: Sql): Promise<Contents> {
  const ids = await sql.query<{ id: string }>('select request_id as id from receipts order by request_id');
  const receipts = await Promise.all(ids.map(({ id }) => findReceipt(sql, id)));
  const hashes = await sql.query<{ hash: Buffer }>('select secret_sha256 as hash from keys order by public_id');
  const principals = await findPrincipals(
    sql,
    hashes.map(({ hash }) => hash),
  );
  const contents = {
    ledger: await verifyLedger(sql),
    keys: principals.map((principal) => principal ?? {}),
    receipts: receipts.map((receipt) => (receipt === null ? {} : receiptJson(receipt, null))),
  };
  const text = JSON.stringify(contents, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return JSON.parse(text) as Contents;
}
