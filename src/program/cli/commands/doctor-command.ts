import type { Command } from 'commander';
import type { Config } from '../../../config/config.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { createAdminClient } from '../../../control/admin/client.ts';
import { checkDatabaseAddress, checkRuntime, examine } from '../../../control/doctor/checks.ts';
import { type Finding, textOf, warn } from '../../../control/doctor/finding.ts';
import { schemaFinding, schemaProblem } from '../../../control/doctor/upgrade-plan.ts';
import { openFilesMax } from '../../../lib/open-files.ts';
import { globalsOf, type CliContext, type GlobalOptions, type ProgramParts } from '../cli-context.ts';
import { example } from '../example.ts';
import { examineInstance } from '../instance-check.ts';
import { locateInstance } from '../instance.ts';
import { plain } from '../text-layout.ts';
import { faultMessage } from '../../../lib/fault-message.ts';

/** `doctor`: checks everything that an instance needs in order to run. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .summary('check the instance and its surroundings, with advice for each problem')
    .addHelpText('after', example('doctor'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const findings = await examineAll(options, context);
      const failed = findings.filter(({ status }) => status === 'fail');
      context.print(options, { ok: failed.length === 0, findings }, findings.map(lineOf).join(''));
      if (failed.length > 0) context.complain(`doctor: ${failed.map(({ check }) => check).join(', ')} failed`);
    });
}

const CORRECT = 'correct it; "faregate config check" shows more';

/** The findings of the running instance; if none answers, those that an instance started here would have. */
async function examineAll(options: GlobalOptions, context: CliContext): Promise<readonly Finding[]> {
  const config = attempt(() => loadConfig(context.configSources(options)));
  const directory = attempt(() => context.dataDirectory(options));
  if (typeof directory === 'string') return [checkRuntime(process.versions.node), configFinding(config)];
  const instance = attempt(() => locateInstance(options, context.surroundings.env, directory.value));
  if (typeof instance === 'string')
    return [
      { check: 'instance', status: 'warn', message: instance, advice: null },
      ...(await examineHere(directory.value, config, context)),
    ];
  const { finding, found } = await examineInstance(createAdminClient(instance.value), instance.value.url);
  if (found === null) return [finding, ...(await examineHere(directory.value, config, context))];
  // The instance has an environment of its own: a configuration that fails to load here may be valid there.
  const readHere = typeof config === 'string' ? [warn('config here', config, CORRECT)] : [];
  return [finding, ...found, ...readHere];
}

async function examineHere(
  dataDirectory: string,
  config: AttemptResult<Config>,
  { parts }: CliContext,
): Promise<readonly Finding[]> {
  const value = typeof config === 'string' ? null : config.value;
  const findings = await examine({
    config: configFinding(config),
    dataDirectory,
    openFilesMax: openFilesMax(),
    connectionsMax: value?.server.connectionsMax ?? null,
    database: value === null ? null : checkDatabaseAddress(value.database.url),
  });
  const isReachable = findings.some(({ check, status }) => check === 'database' && status === 'ok');
  // An embedded database runs with the instance alone.
  if (value === null || value.database.url === null || !isReachable) return findings;
  return [...findings, await checkSchema(value, parts)];
}

/** What a start would do with the schema of the database. */
async function checkSchema(config: Config, parts: Pick<ProgramParts, 'planUpgrade'>): Promise<Finding> {
  try {
    return schemaFinding(await parts.planUpgrade(config));
  } catch (error) {
    return schemaProblem(textOf(error));
  }
}

/** The value, or the message of the thrown error. */
type AttemptResult<Value> = { readonly value: Value } | string;

function attempt<Value>(make: () => Value): AttemptResult<Value> {
  try {
    return { value: make() };
  } catch (error) {
    return faultMessage(error);
  }
}

function configFinding(config: AttemptResult<Config>): Finding {
  if (typeof config === 'string')
    return {
      check: 'config',
      status: 'fail',
      message: config,
      advice: CORRECT,
    };
  const { file } = config.value;
  return {
    check: 'config',
    status: 'ok',
    message: file === null ? 'no file: defaults apply' : `${file} is valid`,
    advice: null,
  };
}

function lineOf({ check, status, message, advice }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(14)}  ${plain(message)}${advice === null ? '' : `; ${plain(advice)}`}\n`;
}
