import type { SchemaStanding } from '../../control/doctor/upgrade-plan.ts';
import { compareVersions } from '../../lib/compare-versions.ts';
import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { type FileChecksum, functionsDigest, type Schema, schemaDigest, type SchemaFiles } from './schema-files.ts';

// A database's record of its own schema: the migrations and functions that were applied to it, and the programs that may
// serve on it. Programs up to 0.2.0 read another record, which has the schema of the oldest program that may do so: they
// refuse every schema but their own.

/** The database's schema doesn't fit this program. The message has the remedy. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

/** A program that may serve on the database. */
export interface ServedProgram {
  readonly version: string;
  /** Of the schema that this program has. */
  readonly digest: string;
}

export interface SchemaRecord extends Schema {
  /** Empty if a program up to 0.2.0 made the schema. */
  readonly programs: readonly ServedProgram[];
}

const UNDEFINED_TABLE = '42P01';

const RECORD = `select kind, name, sha256 from (
    select kind, name, sha256 from schema_files
    union all select 'program', version, digest from schema_programs
  ) record order by name collate "C"`;

const FORMER_RECORD = `select kind, name, sha256 from (
    select 'migration' as kind, name, sha256 from schema_migrations
    union all select 'function', name, sha256 from schema_functions
  ) record order by name collate "C"`;

const FORMER_MIGRATIONS = `select 'migration' as kind, name, sha256 from schema_migrations order by name collate "C"`;

interface Row extends FileChecksum {
  readonly kind: 'migration' | 'function' | 'program';
}

/**
 * Reads the record, by one statement if it is there: a start on a slow database waits for each. An empty one if the database
 * has none. @throws SqlFault, DatabaseUnavailable
 */
export async function readSchemaRecord(db: SqlRunner): Promise<SchemaRecord> {
  const rows = (await rowsIfThere(db, RECORD)) ?? (await rowsIfThere(db, FORMER_RECORD)) ?? (await rowsOfPart(db));
  const of = (kind: Row['kind']): readonly FileChecksum[] =>
    rows.filter((row) => row.kind === kind).map(({ name, sha256 }) => ({ name, sha256 }));
  const programs = of('program')
    .map(({ name, sha256 }) => ({ version: name, digest: sha256 }))
    .toSorted((a, b) => compareVersions(a.version, b.version));
  return { migrations: of('migration'), functions: of('function'), programs };
}

async function rowsIfThere(db: SqlRunner, query: string): Promise<readonly Row[] | null> {
  try {
    return await db.query<Row>(query);
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === UNDEFINED_TABLE) return null;
    throw fault;
  }
}

/** The record of a database that has none, or that was made before functions had one. */
async function rowsOfPart(db: SqlRunner): Promise<readonly Row[]> {
  const [there] = await db.query<{ migrations: boolean }>(
    `select to_regclass('schema_migrations') is not null as migrations`,
  );
  return there?.migrations === true ? await db.query<Row>(FORMER_MIGRATIONS) : [];
}

const FORMER_TABLES = ['schema_migrations', 'schema_functions'] as const;
type FormerTable = (typeof FORMER_TABLES)[number];

/** Creates the tables of the record if they are missing, and takes over what programs up to 0.2.0 have recorded. */
export const SCHEMA_RECORD = `${FORMER_TABLES.map(
  (table) => `create table if not exists ${table} (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);\n`,
).join('')}create table if not exists schema_files (
  kind text not null check (kind in ('migration', 'function')),
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now(),
  primary key (kind, name)
);
create table if not exists schema_programs (
  digest text primary key,
  version text not null
);
insert into schema_files (kind, name, sha256, applied_at)
  select record.kind, record.name, record.sha256, record.applied_at from (
    select 'migration' as kind, name, sha256, applied_at from schema_migrations
    union all select 'function', name, sha256, applied_at from schema_functions
  ) record
  where not exists (select from schema_files);
`;

/** The programs that can serve on a database of this schema: this one and earlier releases. */
function servedPrograms(files: SchemaFiles): readonly ServedProgram[] {
  const programs = [...files.releases, files].map((each) => ({ version: each.version, digest: schemaDigest(each) }));
  // A version with its successor's schema is named for the successor.
  return programs.filter(({ digest }, index) => programs.findLastIndex((each) => each.digest === digest) === index);
}

/** Records the schema that the database has now, and the programs that may serve on it. */
export async function recordSchema(tx: SqlRunner, files: SchemaFiles): Promise<void> {
  await tx.query(`delete from schema_files where kind = 'function'`);
  await insert(tx, 'function', files.functions);
  await insert(tx, 'migration', files.migrations);
  await tx.query('delete from schema_programs');
  for (const { digest, version } of servedPrograms(files)) {
    await tx.query('insert into schema_programs (digest, version) values ($1, $2)', [digest, version]);
  }
  await recordForFormer(tx, files.releases[0] ?? files);
}

async function insert(tx: SqlRunner, kind: 'migration' | 'function', files: readonly FileChecksum[]): Promise<void> {
  await tx.query(
    `insert into schema_files (kind, name, sha256)
     select $1, q.name, q.sha256 from unnest($2::text[], $3::text[]) as q (name, sha256) on conflict (kind, name) do nothing`,
    [kind, files.map(({ name }) => name), files.map(({ sha256 }) => sha256)],
  );
}

/** A program up to 0.2.0 starts if it finds its own schema here, and refuses another by its name. */
async function recordForFormer(tx: SqlRunner, { migrations, functions }: Schema): Promise<void> {
  await refill(tx, 'schema_migrations', migrations);
  await refill(tx, 'schema_functions', functions);
}

async function refill(tx: SqlRunner, table: FormerTable, files: readonly FileChecksum[]): Promise<void> {
  await tx.query(`delete from ${table}`);
  await tx.query(
    `insert into ${table} (name, sha256) select q.name, q.sha256 from unnest($1::text[], $2::text[]) as q (name, sha256)`,
    [files.map(({ name }) => name), files.map(({ sha256 }) => sha256)],
  );
}

/** Whether these migrations are from before the first release. Such databases can't be upgraded. */
export function predateFirstRelease(migrations: readonly Pick<FileChecksum, 'name'>[]): boolean {
  return migrations[0]?.name === '0001_initial';
}

/** @throws MigrationFault if the program can neither serve on the schema nor bring it up to date */
export function standingOf(record: SchemaRecord, files: SchemaFiles): SchemaStanding {
  const listed = new Set(record.programs.map(({ digest }) => digest));
  if (isSame(record, files)) return servedPrograms(files).every(({ digest }) => listed.has(digest)) ? 'same' : 'behind';
  if (listed.has(schemaDigest(files))) return 'ahead';
  requireKnownSchema(record, files);
  return 'behind';
}

function isSame(record: SchemaRecord, files: SchemaFiles): boolean {
  return schemaDigest(record) === schemaDigest(files);
}

/** @throws MigrationFault unless the database's schema is this program's, or was that of an earlier version of it */
function requireKnownSchema(record: SchemaRecord, files: SchemaFiles): void {
  if (predateFirstRelease(record.migrations)) {
    throw new MigrationFault(
      'the database was made by a program from before the first release, and cannot be upgraded: export what you need with the program that made it, then start this one with a new data directory or database; nothing was changed',
    );
  }
  refuseForeignMigrations(record, files);
  if (record.functions.length > 0 && !files.landedFunctions.has(functionsDigest(record.functions))) {
    throw newerThan(files, record, "functions that this program doesn't know");
  }
}

/** The fault of a database with a newer program's schema. */
function newerThan({ version }: SchemaFiles, { programs }: SchemaRecord, what: string): MigrationFault {
  const served = programs.map((program) => program.version);
  const them = served.length === 0 ? '' : ` (${served.join(' and ')} may serve on it, and this is ${version})`;
  return new MigrationFault(
    `the database has ${what}: the database is newer${them}, so start the program that made it or a newer one`,
  );
}

function refuseForeignMigrations(record: SchemaRecord, files: SchemaFiles): void {
  const { migrations } = files;
  for (const [index, row] of record.migrations.entries()) {
    const known = migrations.find((migration) => migration.name === row.name);
    if (known === undefined) {
      throw newerThan(files, record, `migration ${row.name}, which this program doesn't know`);
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
