import type { Command } from 'commander';
import { configJsonSchema } from '../../config/file-schema.ts';
import { loadConfig } from '../../config/load-config.ts';
import { describeConfig, printConfig } from '../../config/print-config.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';

/** `config check|print|schema`: what the configuration says, without a running instance. */
export function addConfigCommands(program: Command, context: CliContext): void {
  const config = program.command('config').summary('check and print the configuration');

  config
    .command('check')
    .summary('check the configuration')
    .description('Checks the configuration; a mistake is one line with its place and its remedy.')
    .action((_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const { file, providers, models } = loadConfig(context.configSources(options));
      const counts = `${count(providers.length, 'provider')}, ${count(models.length, 'model')}`;
      context.print(
        options,
        { ok: true, file, providers: providers.length, models: models.length },
        file === null ? 'No config file: defaults apply.\n' : `${file} is right: ${counts}.\n`,
      );
    });

  config
    .command('print')
    .summary('print the configuration in effect')
    .description('Prints the configuration in effect, flags and environment included, secrets hidden.')
    .action((_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const loaded = loadConfig(context.configSources(options));
      context.print(options, describeConfig(loaded), printConfig(loaded));
    });

  config
    .command('schema')
    .summary('print the JSON Schema of the config file')
    .description('Prints the JSON Schema of the config file, for editors.')
    .action((_own: unknown, command: Command) => {
      const schema = configJsonSchema();
      context.print(globalsOf(command), schema, `${JSON.stringify(schema, null, 2)}\n`);
    });
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}
