import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
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

const UNDEFINED_TABLE = '42P01';

const BOTH = `select kind, name, sha256 from (
    select 'migrations' as kind, name, sha256 from schema_migrations
    union all select 'functions', name, sha256 from schema_functions
  ) record order by name collate "C"`;

const MIGRATIONS = 'select name, sha256 from schema_migrations order by name collate "C"';

/**
 * Reads the record, by one statement if it is there: a start on a slow database waits for each. An empty one if the database
 * has none. @throws SqlFault, DatabaseUnavailable
 */
export async function readSchemaRecord(db: SqlRunner): Promise<SchemaRecord> {
  try {
    const rows = await db.query<FileChecksum & { readonly kind: keyof SchemaRecord }>(BOTH);
    const of = (kind: keyof SchemaRecord): readonly FileChecksum[] =>
      rows.filter((row) => row.kind === kind).map(({ name, sha256 }) => ({ name, sha256 }));
    return { migrations: of('migrations'), functions: of('functions') };
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === UNDEFINED_TABLE) return await readPartOfRecord(db);
    throw fault;
  }
}

/** The record of a database that has none, or that was made before functions had one. */
async function readPartOfRecord(db: SqlRunner): Promise<SchemaRecord> {
  const [there] = await db.query<{ migrations: boolean }>(
    `select to_regclass('schema_migrations') is not null as migrations`,
  );
  const migrations = there?.migrations === true ? await db.query<FileChecksum>(MIGRATIONS) : [];
  return { migrations, functions: [] };
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
