import type { Command } from 'commander';
import { loadConfigApart } from '../../../config/load-config-apart.ts';
import { loadConfig, type ConfigFlags } from '../../../config/load-config.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';

/** `start`: serve until stopped. */
export function addStartCommand(program: Command, context: CliContext): void {
  program
    .command('start')
    .summary('serve the API')
    .description('Serves the API until it is stopped.')
    .option('--port <port>', 'port to listen on; 0 means any free one')
    .option('--host <host>', 'address to listen on')
    .option('--workers <number>', 'processes that share the port (default: 1)')
    .option(
      '--bootstrap',
      'create a first workspace, project and key if there is no workspace (the default without DATABASE_URL)',
    )
    .option('--no-bootstrap', 'create no first workspace, project and key')
    .addHelpText('after', example('start --port 8080 --workers 2'))
    .action(async (own: ConfigFlags, command: Command) => {
      const sources = context.configSources(globalsOf(command), own);
      await context.parts.start(loadConfig(sources), () => loadConfigApart(sources));
    });
}
