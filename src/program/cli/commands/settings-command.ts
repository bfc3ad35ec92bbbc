import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { plain, table } from '../text-layout.ts';

/** `settings`: what is in force in the running instance. */
export function addSettingsCommand(program: Command, context: CliContext): void {
  program
    .command('settings')
    .summary('show the settings in force, and those that wait for a restart')
    .description(
      'Shows the settings in force in the running instance, where each comes from, and which others wait for a restart. Secrets are not shown.',
    )
    .addHelpText('after', example('settings'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const shown = await context.connect(options).showSettings();
      const rows = shown.settings.map(({ name, value, origin, waiting }) => [name, value, origin, waiting ?? '']);
      const settings = table(['SETTING', 'VALUE', 'FROM', 'AT THE NEXT START'], rows, 'There are no settings.');
      const problem = shown.problem === null ? '' : `Problem: ${plain(shown.problem)}\n`;
      context.print(options, shown, settings + problem);
    });
}
