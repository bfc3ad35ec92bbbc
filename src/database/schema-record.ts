import { assert } from '../lib/assert.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { type FileChecksum, functionsDigest, type SchemaFiles } from './schema-files.ts';

// A database's record of its own schema: the migrations and functions that were applied to it.

/** The database's schema doesn't fit this program. The message has the remedy. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

export interface SchemaRecord {
  /** In the order in which they were applied. */
  readonly migrations: readonly FileChecksum[];
  readonly functions: readonly FileChecksum[];
}

/** Reads the record; an empty one if the database has none. @throws SqlFault, DatabaseUnavailable */
export async function readSchemaRecord(db: SqlRunner): Promise<SchemaRecord> {
  const [there] = await db.query<{ migrations: boolean; functions: boolean }>(
    `select to_regclass('schema_migrations') is not null as migrations,
            to_regclass('schema_functions') is not null as functions`,
  );
  assert(there !== undefined, 'a statement without a table has a row');
  return {
    migrations: there.migrations ? await readChecksums(db, 'schema_migrations') : [],
    functions: there.functions ? await readChecksums(db, 'schema_functions') : [],
  };
}

function readChecksums(db: SqlRunner, table: string): Promise<readonly FileChecksum[]> {
  return db.query<FileChecksum>(`select name, sha256 from ${table} order by name collate "C"`);
}

/** Creates the tables of the record if they are missing. */
export const SCHEMA_RECORD = ['schema_migrations', 'schema_functions']
  .map(
    (table) => `create table if not exists ${table} (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);\n`,
  )
  .join('');

/** Whether these migrations are from before the first release. Such databases can't be upgraded. */
export function predateFirstRelease(migrations: readonly Pick<FileChecksum, 'name'>[]): boolean {
  return migrations[0]?.name === '0001_initial';
}

/** @throws MigrationFault unless the database's schema is this program's, or was that of an earlier version of it */
export function requireKnownSchema(record: SchemaRecord, files: SchemaFiles): void {
  if (predateFirstRelease(record.migrations)) {
    throw new MigrationFault(
      'the database was made by a program from before the first release, and cannot be upgraded: export what you need with the program that made it, then start this one with a new data directory or database; nothing was changed',
    );
  }
  refuseForeignMigrations(record, files);
  if (record.functions.length > 0 && !files.landedFunctions.has(functionsDigest(record.functions))) {
    throw new MigrationFault(
      "the database has functions that this program doesn't know: the database is newer, so start the program that made it or a newer one",
    );
  }
}

function refuseForeignMigrations({ migrations: applied }: SchemaRecord, { migrations }: SchemaFiles): void {
  for (const [index, row] of applied.entries()) {
    const known = migrations.find((migration) => migration.name === row.name);
    if (known === undefined) {
      throw new MigrationFault(
        `the database has migration ${row.name}, which this program doesn't know: the database is newer, so start the program that made it or a newer one`,
      );
    }
    if (known.sha256 !== row.sha256) {
      throw new MigrationFault(
        `migration ${row.name} was edited after it had been applied: restore the file, and add a new migration instead`,
      );
    }
    if (migrations[index] !== known) {
      throw new MigrationFault(
        `migration ${migrations[index]?.name} is older than ${row.name}, which is applied already: give it a newer number`,
      );
    }
  }
}
