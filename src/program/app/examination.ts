import type { Config } from '../../config/config.ts';
import { checkSinkDirectory, examine } from '../../control/doctor/checks.ts';
import { fail, type Finding, ok, textOf, warn } from '../../control/doctor/finding.ts';
import { schemaFinding, schemaProblem } from '../../control/doctor/upgrade-plan.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { findWorkProblems, type PlannedWork } from '../../control/schedules/work-problems.ts';
import { findFailingSinks } from '../../control/sinks/sink-progress.ts';
import { planUpgrade } from '../database/migrate.ts';
import { MigrationFault } from '../database/schema-record.ts';
import type { Home } from '../process/data-directory.ts';
import type { GatewayStorage } from './storage.ts';

const ROUND_TRIP_MS_AMPLE = 250;

/** A serving process's checks of its surroundings: settings, limits, files and database. */
export async function examineProcess(parts: {
  readonly config: Config;
  readonly home: Home;
  readonly keyring: Pick<Keyring, 'problem'>;
  readonly planned: readonly PlannedWork[];
  readonly storage: GatewayStorage;
  readonly openFilesMax: number;
}): Promise<readonly Finding[]> {
  const { config, home, keyring, planned, storage, openFilesMax } = parts;
  const findings = await examine({
    config: ok('config', config.file === null ? 'no file: defaults apply' : `${config.file} is in force`),
    dataDirectory: home.path,
    openFilesMax,
    connectionsMax: config.server.connectionsMax,
    database: checkDatabase(storage),
  });
  const work = planned.length === 0 ? [] : [await checkScheduledWork(storage, planned)];
  const sinks = await checkSinks(config.sinks, storage);
  return [...findings, await checkSchema(storage), await checkSecrets(keyring), ...work, ...sinks];
}

/** Whether sinks take receipts and audit events, and files of theirs can be written. */
async function checkSinks(sinks: Config['sinks'], { control }: GatewayStorage): Promise<readonly Finding[]> {
  if (sinks.length === 0) return [];
  // An outage of the database is a finding of its own.
  const failing = await findFailingSinks(control).catch(() => []);
  return await Promise.all(
    sinks.map(async (sink) => {
      const found = failing.find((each) => each.sink === sink.name);
      if (found !== undefined)
        return fail(
          `sink ${sink.name}`,
          `it has failed since ${found.since.toISOString()}: ${found.fault}`,
          'examine it: receipts and audit events wait for it',
        );
      return sink.kind === 'file'
        ? await checkSinkDirectory(sink.name, sink.path)
        : ok(`sink ${sink.name}`, 'no delivery of receipts or audit events fails');
    }),
  );
}

/** Whether the database has this program's schema, or a newer one on which it may serve. */
async function checkSchema({ control }: GatewayStorage): Promise<Finding> {
  try {
    return schemaFinding(await planUpgrade(control));
  } catch (error) {
    if (error instanceof MigrationFault) return schemaProblem(error.message);
    return warn('schema', `unknown: ${textOf(error)}`, 'see the finding about the database');
  }
}

/** Whether the secrets in the database can be decrypted. */
async function checkSecrets(keyring: Pick<Keyring, 'problem'>): Promise<Finding> {
  try {
    const problem = await keyring.problem();
    return problem === null
      ? ok('secrets', 'the key of the secrets in the database is here')
      : fail('secrets', problem, 'give this instance the key of its database');
  } catch (error) {
    return warn('secrets', `unknown: ${textOf(error)}`, 'see the finding about the database');
  }
}

/** Whether backups are written and old records dropped when they are due. */
async function checkScheduledWork({ control }: GatewayStorage, planned: readonly PlannedWork[]): Promise<Finding> {
  const check = 'scheduled work';
  try {
    const problems = await findWorkProblems(control, planned, Date.now());
    if (problems.length > 0) return warn(check, problems.join(' '), 'mend it: the work is tried again by itself');
    return ok(check, `done when it is due: ${planned.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    return warn(check, `unknown: ${textOf(error)}`, 'see the finding about the database');
  }
}

/** Whether the database responds, and its response time. */
async function checkDatabase({ control, kind }: GatewayStorage): Promise<Finding> {
  const startedMs = performance.now();
  try {
    await control.query('select 1');
  } catch (error) {
    return fail('database', textOf(error), 'check that it runs and can be reached from the instance');
  }
  const ms = performance.now() - startedMs;
  const message = `${kind}: it responds within ${ms.toFixed(1)} ms`;
  return ms > ROUND_TRIP_MS_AMPLE
    ? warn('database', message, 'every charge waits for it: look for load on it or on the network')
    : ok('database', message);
}
