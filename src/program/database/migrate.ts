import type { SqlRunner } from '../../lib/sql.ts';
import { applyFunctions } from './apply-functions.ts';
import type { Database } from './pool.ts';
import { functionsDigest, readSchemaFiles, schemaDirectory, type SchemaFiles, type SqlFile } from './schema-files.ts';
import {
  MigrationFault,
  readSchemaRecord,
  requireKnownSchema,
  SCHEMA_RECORD,
  type SchemaRecord,
} from './schema-record.ts';

// Upgrades a database to the schema of this program: applies the files of migrations/ by number, each once and never
// backwards, then the changed functions. All of it is one transaction under a lock that ends with it, so the database
// always has the schema of one version, programs that start together take turns, and a pooler in transaction mode may
// be used.

const lockNumber = 4_610_273_001n;
const statementMsMax = 600_000;

/** The names of the files that were applied. */
export interface AppliedFiles {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
}

/**
 * Applies missing migrations and changed functions, if the server is supported.
 * @throws MigrationFault if an applied migration was edited or the database is newer; DatabaseUnsupported; SqlFault;
 *   DatabaseUnavailable
 */
export async function migrate(db: Database, directory: string = schemaDirectory): Promise<AppliedFiles> {
  const files = await readSchemaFiles(directory);
  // Side by side, on the connections that a start needs next: a slow database takes seconds for each answer.
  const [present] = await Promise.all([readSchemaRecord(db), db.ping(), db.ping()]);
  // Programs that start together on a slow database must not take turns for nothing.
  if (isCurrent(present, files)) return { migrations: [], functions: [] };
  return db.transaction(
    async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [lockNumber]);
      // It also learns of tables that another program has made while this one waited.
      await tx.query(SCHEMA_RECORD);
      const record = await readSchemaRecord(tx);
      requireKnownSchema(record, files);
      return apply(tx, files, record);
    },
    { statementMsMax },
  );
}

/**
 * Checks that the database has exactly the schema of this program, without changing it. @throws MigrationFault if it
 * has another; DatabaseUnavailable, SqlFault
 */
export async function requireCurrentSchema(db: SqlRunner, directory: string = schemaDirectory): Promise<void> {
  const files = await readSchemaFiles(directory);
  const record = await readSchemaRecord(db);
  if (isCurrent(record, files)) return;
  throw new MigrationFault(
    'the database has the schema of an older version of this program: stop the instance and start it, which upgrades the schema',
  );
}

/** @throws MigrationFault if it can't become so */
function isCurrent(record: SchemaRecord, files: SchemaFiles): boolean {
  requireKnownSchema(record, files);
  return (
    record.migrations.length === files.migrations.length &&
    functionsDigest(record.functions) === functionsDigest(files.functions)
  );
}

async function apply(
  tx: SqlRunner,
  { migrations, functions }: SchemaFiles,
  record: SchemaRecord,
): Promise<AppliedFiles> {
  const missing = migrations.slice(record.migrations.length);
  for (const { name, sha256, sql } of missing) {
    await tx.query(sql);
    await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  }
  // A migration may have dropped a function to change its dependencies.
  const changed = missing.length > 0 ? functions : changedFunctions(functions, record);
  const isSame = functionsDigest(record.functions) === functionsDigest(functions);
  if (changed.length > 0 || !isSame) await applyFunctions(tx, changed, { functions, applied: record.functions });
  return { migrations: missing.map(({ name }) => name), functions: changed.map(({ name }) => name) };
}

function changedFunctions(functions: readonly SqlFile[], record: SchemaRecord): readonly SqlFile[] {
  const applied = new Map(record.functions.map(({ name, sha256 }) => [name, sha256]));
  return functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}
