import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openDatabase } from '../../src/program/database/pool.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/program/process/embedded-postgres/embedded-postgres.ts';
import { STANDING_SERVER } from '../support/database.ts';
import { layCluster, SILENT_LOG } from '../support/prepared-cluster.ts';
import { setup, teardown } from '../support/scratch-root.ts';

// One server for all mutants, on which tests find a database with the mutant in it and make copies of that, as they do of the
// prepared one's. So a mutant costs no cluster of its own, only the tests that call what it changes.

const ROOT = join(import.meta.dirname, '..', '..');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** A mutant that makes tests hang is noticed by that. */
const RUN_MS_MAX = 600_000;

export interface TestRun {
  readonly passed: boolean;
  /** The first file whose tests failed; null if none did, or none could say so. */
  readonly failedFile: string | null;
  /** The functions that were called. */
  readonly called: ReadonlySet<string>;
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

export class MutantStage {
  readonly #postgres: EmbeddedPostgres;
  readonly #directory: string;
  #kill: () => void = () => undefined;

  private constructor(postgres: EmbeddedPostgres, directory: string) {
    this.#postgres = postgres;
    this.#directory = directory;
  }

  static async start(): Promise<MutantStage> {
    await setup();
    const directory = await mkdtemp(join(tmpdir(), 'mutants-'));
    await layCluster(directory);
    const dataDirectory = { path: directory, instanceId: randomUUID() };
    const stage = new MutantStage(await startEmbeddedPostgres({ dataDirectory, log: SILENT_LOG }), directory);
    await stage.#run('postgres', "alter system set track_functions = 'all'");
    await stage.#run('postgres', 'select pg_reload_conf()');
    return stage;
  }

  /** Runs these files of tests, one after the other until one fails, on databases in which this statement was executed. */
  async test(files: readonly string[], sql: string | null): Promise<TestRun> {
    const database = `mutant_${randomUUID().replaceAll('-', '')}`;
    await this.#run('postgres', `create database ${database} template ${this.#postgres.database}`);
    if (sql !== null) await this.#run(database, sql);
    const report = await this.#vitest(files, database);
    const called = await this.#calledFunctions();
    await this.#run('postgres', `drop database ${database} with (force)`);
    const failed = report?.testResults.find(({ status }) => status === 'failed');
    const passed = report !== null && failed === undefined && report.testResults.length === files.length;
    return { passed, failedFile: failed === undefined ? null : relative(ROOT, failed.name), called };
  }

  /** Ends a run of tests, too. */
  async stop(): Promise<void> {
    this.#kill();
    await this.#postgres.stop();
    await rm(this.#directory, { recursive: true, force: true });
    await teardown();
  }

  /** Null: the run was ended, or ended without a word. */
  async #vitest(files: readonly string[], database: string): Promise<Report | null> {
    const outputFile = join(this.#directory, 'report.json');
    const { socketDirectory, user } = this.#postgres;
    const options = ['--project=unit', '--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${outputFile}`];
    const child = spawn(process.execPath, [VITEST, 'run', ...options, ...files], {
      cwd: ROOT,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, [STANDING_SERVER]: JSON.stringify({ socketDirectory, user, database }) },
    });
    const ended = once(child, 'exit');
    this.#kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(this.#kill, RUN_MS_MAX);
    await ended;
    clearTimeout(timer);
    this.#kill = () => undefined;
    const report = await readFile(outputFile, 'utf8').catch(() => null);
    await rm(outputFile, { force: true });
    return report === null ? null : (JSON.parse(report) as Report);
  }

  /** What was called in the databases that tests have left, which are removed. */
  async #calledFunctions(): Promise<ReadonlySet<string>> {
    const left = await this.#run<{ name: string }>(
      'postgres',
      `select datname as name from pg_database where datname like 'test\\_%'`,
    );
    const called = new Set<string>();
    for (const { name } of left) {
      const rows = await this.#run<{ function: string }>(
        name,
        'select funcname as function from pg_stat_user_functions where calls > 0',
      );
      for (const row of rows) called.add(row.function);
      await this.#run('postgres', `drop database ${name} with (force)`);
    }
    return called;
  }

  async #run<Row extends object>(database: string, statement: string): Promise<readonly Row[]> {
    const { socketDirectory, user } = this.#postgres;
    const connection = { socketDirectory, user, database };
    const admin = openDatabase({ connection, connectionsMax: 1, applicationName: 'faregate-mutants' });
    try {
      return await admin.query<Row>(statement);
    } finally {
      await admin.close();
    }
  }
}
