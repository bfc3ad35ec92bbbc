import type { Command } from 'commander';
import { INSTANCE_COMMANDS } from '../../../control/operations/instance-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { columnsText } from '../columns.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { pairs, plain, yesOrNo } from '../text-layout.ts';

/** `status|processes|settings`: what the running instance says of itself. */
export function addStatusCommands(program: Command, context: CliContext): void {
  const commands = new DeclaredCommands(program, context, INSTANCE_COMMANDS);
  commands.run('status', async ({ options }) => {
    const status = await context.connect(options).showStatus();
    const { version, ready, started_at: started, database, shard } = status;
    const facts = pairs(Object.entries({ version, ready: yesOrNo(ready), started, database, shard }));
    context.print(options, status, facts + status.problems.map(problemLine).join(''));
    if (!ready) context.complain('the instance is not ready');
  });
  commands.say('processes', ({ data }) =>
    columnsText(data, 'No process serves.', [
      ['PROCESS', 'name'],
      ['STATE', 'state'],
      ['STARTED', 'started_at'],
      ['LAST HEARTBEAT', 'heartbeat_at'],
      ['EPOCH', 'epoch'],
      ['INSTANCE', 'instance_id'],
    ]),
  );
  commands.say('settings', ({ settings, problem }) => {
    const listed = columnsText(settings, 'There are no settings.', [
      ['SETTING', 'name'],
      ['VALUE', 'value'],
      ['FROM', 'origin'],
      ['AT THE NEXT START', 'waiting'],
    ]);
    return listed + (problem === null ? '' : problemLine(problem));
  });
}

function problemLine(problem: string): string {
  return `Problem: ${plain(problem)}\n`;
}
