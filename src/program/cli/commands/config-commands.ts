import type { Command } from 'commander';
import { configJsonSchema } from '../../../config/file-schema.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { describeConfig, printConfig } from '../../../config/print-config.ts';
import { counted } from '../../../lib/counted.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { configWarnings } from '../config-warnings.ts';
import { findingOf, type ProviderFinding } from '../provider-findings.ts';
import { plain } from '../text-layout.ts';

/** `config check|print|schema`: the configuration; no running instance is needed. */
export function addConfigCommands(program: Command, context: CliContext): void {
  const config = program.command('config').summary('check and print the configuration');

  config
    .command('check')
    .summary('check the configuration')
    .description('Checks the configuration. Reports a mistake in one line, with its place and how to correct it.')
    .option('--probe', 'check that each provider accepts the key and has the models of the routes; free of charge')
    .addHelpText('after', example('config check --probe'))
    .action(async (own: { probe?: boolean }, command: Command) => {
      const options = globalsOf(command);
      const loaded = loadConfig(context.configSources(options));
      const { file, providers, models } = loaded;
      const counts = `${counted(providers, 'provider')}, ${counted(models, 'model')}`;
      const verdict = file === null ? 'No config file: defaults apply.\n' : `${file} is valid: ${counts}.\n`;
      const warnings = await configWarnings(loaded, context, options);
      const facts = { file, providers: providers.length, models: models.length, warnings };
      const text = verdict + warnings.map((warning) => `${plain(warning)}\n`).join('');
      if (own.probe !== true) {
        context.print(options, { ok: true, ...facts }, text);
        return;
      }
      const findings = (await context.parts.probe(loaded)).map(findingOf);
      const failed = findings.filter(({ status }) => status === 'fail');
      const probes = findings.map(({ probe, status, message }) => ({ ...probe, status, message }));
      context.print(options, { ok: failed.length === 0, ...facts, probes }, text + findings.map(lineOf).join(''));
      if (failed.length === 0) return;
      context.complain(`config: requests will fail at ${failed.map(({ probe }) => probe.provider).join(', ')}`);
    });

  config
    .command('print')
    .summary('print the configuration in effect')
    .description('Prints the configuration in effect, flags and environment included, secrets hidden.')
    .addHelpText('after', example('config print'))
    .action((_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const loaded = loadConfig(context.configSources(options));
      context.print(options, describeConfig(loaded), printConfig(loaded));
    });

  config
    .command('schema')
    .summary('print the JSON Schema of the config file')
    .description('Prints the JSON Schema of the config file, for editors.')
    .addHelpText('after', example('config schema'))
    .action((_own: unknown, command: Command) => {
      const schema = configJsonSchema();
      context.print(globalsOf(command), schema, `${JSON.stringify(schema, null, 2)}\n`);
    });
}

function lineOf({ status, probe, message }: ProviderFinding): string {
  return `${status.padEnd(4)}  ${probe.provider.padEnd(14)}  ${plain(message)}\n`;
}
