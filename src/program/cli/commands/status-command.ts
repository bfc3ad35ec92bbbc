import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';
import { pairs, plain, table } from '../text-layout.ts';

/** `processes`: which processes serve. */
export function addProcessesCommand(program: Command, context: CliContext): void {
  program
    .command('processes')
    .summary('list the processes that serve on the database, of all instances')
    .addHelpText('after', example('processes'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const processes = await context.connect(options).listProcesses();
      const headings = ['PROCESS', 'STATE', 'STARTED', 'LAST HEARTBEAT', 'EPOCH', 'INSTANCE'];
      const rows = processes.data.map((each) => [
        each.name,
        each.state,
        each.started_at,
        each.heartbeat_at,
        each.epoch,
        each.instance_id,
      ]);
      context.print(options, processes, table(headings, rows, 'No process serves.'));
    });
}

/** `status`: whether the instance is ready, and what it has to report. */
export function addStatusCommand(program: Command, context: CliContext): void {
  program
    .command('status')
    .summary('show whether the instance is ready, and its problems')
    .addHelpText('after', example('status --json'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const status = await context.connect(options).showStatus();
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
