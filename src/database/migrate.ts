import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SqlFault, type SqlRunner } from '../lib/sql.ts';
import type { Database } from './pool.ts';

// Brings a database to the schema of this program: the files of migrations/, in the order of their numbers, each
// once and never backwards. Each runs in a transaction of its own under a lock that ends with it, so that programs
// that start together take turns and a pooler in transaction mode doesn't matter.

/** The database's schema and this program don't go together. The message says what to do. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

/** One file of migrations/: its name without the ending, and its checksum with plain line ends. */
export interface Migration {
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

interface Applied {
  readonly name: string;
  readonly sha256: string;
}

/** Where this program's migrations are. */
export const migrationsDirectory = join(import.meta.dirname, 'migrations');
const lockNumber = 4_610_273_001n;
const statementMsMax = 600_000;

/**
 * Applies what is missing and answers with the names of what it applied.
 * @throws MigrationFault where an applied file was edited or the database is newer; SqlFault; DatabaseUnavailable
 */
export async function migrate(db: Database, directory: string = migrationsDirectory): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory);
  const applied: string[] = [];
  for (const migration of migrations) {
    const ran = await db.transaction(async (tx) => applyOnce(tx, migrations, migration), { statementMsMax });
    if (ran) applied.push(migration.name);
  }
  return { applied };
}

/** Whether the database has exactly the schema of this program. @throws DatabaseUnavailable, SqlFault */
export async function schemaIsCurrent(db: SqlRunner, directory: string = migrationsDirectory): Promise<boolean> {
  const migrations = await readMigrations(directory);
  try {
    const applied = await readApplied(db);
    return (
      applied.length === migrations.length && applied.every((row, index) => row.sha256 === migrations[index]?.sha256)
    );
  } catch (error) {
    if (error instanceof SqlFault && error.sqlState === undefinedTable) return false;
    throw error;
  }
}

const undefinedTable = '42P01';

async function applyOnce(tx: SqlRunner, migrations: readonly Migration[], migration: Migration): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock($1)', [lockNumber]);
  await tx.query(
    `create table if not exists schema_migrations (
       name text primary key,
       sha256 text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const applied = await readApplied(tx);
  refuseForeign(applied, migrations);
  if (applied.some((row) => row.name === migration.name)) return false;
  await tx.query(migration.sql);
  await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [migration.name, migration.sha256]);
  return true;
}

async function readApplied(db: SqlRunner): Promise<readonly Applied[]> {
  return db.query<Applied>('select name, sha256 from schema_migrations order by name');
}

/** @throws MigrationFault unless what was applied is a beginning of what this program brings. */
function refuseForeign(applied: readonly Applied[], migrations: readonly Migration[]): void {
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

/** Reads the files by number. Line ends don't count, since a checkout may change them. */
export async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.slice(0, -'.sql'.length), sha256: createHash('sha256').update(sql).digest('hex'), sql };
    }),
  );
}
