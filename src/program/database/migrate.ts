import { setTimeout as sleep } from 'node:timers/promises';
import type { UpgradePlan } from '../../control/doctor/upgrade-plan.ts';
import { DatabaseUnavailable, type SqlRunner } from '../../lib/sql.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';
import { applyFunctions } from './apply-functions.ts';
import type { Database } from './pool.ts';
import { mixProblem, runningProcesses } from './running-versions.ts';
import { createSchema, enterInProcedures, hasStrayProcedures } from './named-schema.ts';
import { functionsDigest, readSchemaFiles, schemaDirectory, type SchemaFiles, type SqlFile } from './schema-files.ts';
import {
  MigrationFault,
  readSchemaRecord,
  recordSchema,
  SCHEMA_RECORD,
  type SchemaRecord,
  standingOf,
} from './schema-record.ts';
import { statementsOf } from './statements.ts';

// Upgrades a database to the schema of this program: applies the files of migrations/ by number, each once and never
// backwards, then the changed functions. All of it is one transaction under a lock that ends with it, so the database
// always has the schema of one version, programs that start together take turns, and a pooler in transaction mode may
// be used. Programs of the former release go on serving.

const lockNumber = 4_610_273_001n;
const statementMsMax = 600_000;
/** On a busy machine there may be seconds between two of its hundreds of statements. */
const idleMsMax = 30_000;
/**
 * How long a migration waits for a table. What comes after it waits behind it, requests of running programs too; so it gives
 * up soon, lets them pass, and tries again.
 */
const lockMsMax = 500;
const pauseMs = 500;

/** The names of the files that were applied. */
export interface AppliedFiles {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
}

const NOTHING: AppliedFiles = { migrations: [], functions: [] };

export interface MigrateOptions {
  /** Of the instance whose data directory this process holds. */
  readonly instanceId?: string | null;
  /** Where the files are. */
  readonly directory?: string;
  /** How long tables that others hold are waited for. */
  readonly contendedMsMax?: number;
}

/**
 * Applies missing migrations and changed functions, if the server is supported. A newer schema on which this program may
 * serve is left as it is.
 * @throws MigrationFault if an applied migration was edited, the database is newer, or a version serves on it that can't
 *   serve beside this one; DatabaseUnsupported; SqlFault; DatabaseUnavailable
 */
export async function migrate(
  db: Database,
  { instanceId = null, directory = schemaDirectory, contendedMsMax = statementMsMax }: MigrateOptions = {},
): Promise<AppliedFiles> {
  const files = await readSchemaFiles(directory);
  // Side by side, on the connections that a start needs next: a slow database takes seconds for each answer.
  const [present] = await Promise.all([readSchemaRecord(db), db.ping(), db.ping()]);
  // Programs that start together on a slow database must not take turns for nothing.
  if (standingOf(present, files) !== 'behind' && !(await hasStrayProcedures(db, db.schema))) return NOTHING;
  return await untilFree(contendedMsMax, () =>
    db.transaction(
      async (tx) => {
        await createSchema(tx, db.schema, lockNumber);
        await takeTransactionLock(tx, lockNumber);
        // It also learns of tables that another program has made while this one waited.
        for (const statement of statementsOf(SCHEMA_RECORD)) await tx.query(statement);
        const record = await readSchemaRecord(tx);
        const applied =
          standingOf(record, files) === 'behind' ? await upgrade(tx, files, { record, instanceId }) : NOTHING;
        await enterInProcedures(tx, db.schema);
        return applied;
      },
      { statementMsMax, idleMsMax, settings: { lock_timeout: lockMsMax } },
    ),
  );
}

/** Tries again while another transaction has what this one needs. */
async function untilFree<Result>(msMax: number, work: () => Promise<Result>): Promise<Result> {
  const deadlineMs = performance.now() + msMax;
  for (;;) {
    try {
      return await work();
    } catch (fault) {
      const isContended = fault instanceof DatabaseUnavailable && fault.reason === 'contended';
      if (!isContended || performance.now() > deadlineMs) throw fault;
    }
    await sleep(pauseMs);
  }
}

/**
 * What `migrate` would do, without doing it. @throws MigrationFault as it would about the database alone; SqlFault;
 * DatabaseUnavailable
 */
export async function planUpgrade(
  db: SqlRunner,
  { instanceId = null, directory = schemaDirectory }: Pick<MigrateOptions, 'instanceId' | 'directory'> = {},
): Promise<UpgradePlan> {
  const files = await readSchemaFiles(directory);
  const record = await readSchemaRecord(db);
  const standing = standingOf(record, files);
  const running = await runningProcesses(db, instanceId);
  const facts = { version: files.version, standing, programs: record.programs.map(({ version }) => version), running };
  if (standing !== 'behind') return { ...facts, migrations: [], functions: [], problem: null };
  const { missing, changed } = pending(files, record);
  return {
    ...facts,
    migrations: missing.map(({ name }) => name),
    functions: changed.map(({ name }) => name),
    problem: mixProblem(running, files),
  };
}

/**
 * Checks that this program may serve on the database's schema, without changing it. @throws MigrationFault if it may not;
 * DatabaseUnavailable, SqlFault
 */
export async function requireServableSchema(db: SqlRunner, directory: string = schemaDirectory): Promise<void> {
  const files = await readSchemaFiles(directory);
  const record = await readSchemaRecord(db);
  if (standingOf(record, files) !== 'behind') return;
  throw new MigrationFault(
    'the database has the schema of an older version of this program: stop the instance and start it, which upgrades the schema',
  );
}

async function upgrade(
  tx: SqlRunner,
  files: SchemaFiles,
  { record, instanceId }: { readonly record: SchemaRecord; readonly instanceId: string | null },
): Promise<AppliedFiles> {
  const problem = mixProblem(await runningProcesses(tx, instanceId), files);
  if (problem !== null) throw new MigrationFault(problem);
  const { missing, changed } = pending(files, record);
  for (const { sql } of missing) for (const statement of statementsOf(sql)) await tx.query(statement);
  const isSame = functionsDigest(record.functions) === functionsDigest(files.functions);
  if (changed.length > 0 || !isSame) await applyFunctions(tx, changed, { ...files, applied: record.functions });
  await recordSchema(tx, files);
  return { migrations: missing.map(({ name }) => name), functions: changed.map(({ name }) => name) };
}

/** What has to be applied. A migration may drop a function to change its dependencies, so all functions follow it. */
function pending(
  { migrations, functions }: SchemaFiles,
  record: SchemaRecord,
): { readonly missing: readonly SqlFile[]; readonly changed: readonly SqlFile[] } {
  const missing = migrations.slice(record.migrations.length);
  const applied = new Map(record.functions.map(({ name, sha256 }) => [name, sha256]));
  const changed = functions.filter(({ name, sha256 }) => applied.get(name) !== sha256);
  return { missing, changed: missing.length > 0 ? functions : changed };
}
