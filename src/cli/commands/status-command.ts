import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { pairs, plain } from '../text-layout.ts';

/** `status`: whether the instance is ready, and what it has to report. */
export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .summary('show whether the instance is ready, and its problems')
    .addHelpText('after', example('status --json'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const status = await context.connect(options).status();
      const facts = pairs([
        ['version', status.version],
        ['ready', status.ready ? 'yes' : 'no'],
        ['started', status.started_at],
        ['database', status.database],
      ]);
      const problems = status.problems.map((problem) => `Problem: ${plain(problem)}\n`).join('');
      context.print(options, status, facts + problems);
      if (!status.ready) context.complain('the instance is not ready');
    });
}
