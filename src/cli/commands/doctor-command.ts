import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { openFilesMax } from '../../config/open-files.ts';
import { globalsOf, type CliContext, type GlobalOptions } from '../cli-context.ts';
import {
  checkDatabase,
  checkDataDirectory,
  checkDiskSpace,
  checkFsync,
  checkInstance,
  checkOpenFiles,
  checkRuntime,
  type Finding,
} from '../doctor-checks.ts';
import { locateInstance, type Instance } from '../instance.ts';
import { plain } from '../text-layout.ts';

/** `doctor`: looks at everything that must be right for an instance to run. */
export function addDoctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .summary('look for what is wrong, and say what to do')
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const findings = await examine(options, context);
      const failed = findings.filter(({ status }) => status === 'fail');
      context.print(options, { ok: failed.length === 0, findings }, findings.map(lineOf).join(''));
      if (failed.length > 0) context.complain(`doctor: ${failed.map(({ check }) => check).join(', ')} failed`);
    });
}

async function examine(options: GlobalOptions, context: CliContext): Promise<readonly Finding[]> {
  const runtime = checkRuntime(process.versions.node);
  const config = attempt(() => loadConfig(context.configSources(options)));
  const directory = attempt(() => context.dataDirectory(options));
  if (typeof directory === 'string') return [runtime, configFinding(config)];
  const instance = attempt(() => locateInstance(options, context.surroundings.env, directory.value));
  return [
    runtime,
    configFinding(config),
    await checkDataDirectory(directory.value),
    await checkDiskSpace(directory.value),
    await checkFsync(directory.value),
    ...(typeof config === 'string' ? [] : [checkOpenFiles(openFilesMax(), config.value.server.connectionsMax)]),
    await instanceFinding(instance),
    ...(typeof config === 'string' ? [] : [await checkDatabase(config.value.database.url)]),
  ];
}

/** The value, or the message of what was thrown instead. */
type Attempted<Value> = { readonly value: Value } | string;

function attempt<Value>(make: () => Value): Attempted<Value> {
  try {
    return { value: make() };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function configFinding(config: Attempted<Config>): Finding {
  if (typeof config === 'string')
    return {
      check: 'config',
      status: 'fail',
      message: config,
      advice: 'correct it; "faregate config check" tells more',
    };
  const { file } = config.value;
  return {
    check: 'config',
    status: 'ok',
    message: file === null ? 'no file: defaults apply' : `${file} is right`,
    advice: null,
  };
}

async function instanceFinding(instance: Attempted<Instance>): Promise<Finding> {
  if (typeof instance !== 'string') return checkInstance(instance.value);
  return { check: 'instance', status: 'warn', message: instance, advice: null };
}

function lineOf({ check, status, message, advice }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(14)}  ${plain(message)}${advice === null ? '' : `; ${plain(advice)}`}\n`;
}
