import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AdminClient } from '../../../control/admin/client.ts';
import { AdminUnreachable } from '../../../control/admin/client/send.ts';
import { CliFailure } from '../cli-failure.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';

const POLL_MS = 200;
/** A worker that ends may close one of this command's connections, never several in a row. */
const LOST_MAX = 5;

/** `restart`: a rolling restart of the workers. */
export function addRestartCommand(program: Command, context: CliContext): void {
  program
    .command('restart')
    .summary('replace the workers one by one')
    .description('Replaces the workers of the running instance one by one. No request fails.')
    .addHelpText('after', example('restart'))
    .action(async (_own: unknown, command: Command) => {
      const options = globalsOf(command);
      const client = context.connect(options);
      await client.beginRestart();
      const { workers, replaced, problem } = await untilDone(client);
      if (problem !== null) {
        throw new CliFailure(`${replaced} of ${workers} workers were replaced before the restart failed: ${problem}`);
      }
      context.print(options, { workers, replaced }, `Replaced ${replaced} workers.\n`);
    });
}

type Restart = Awaited<ReturnType<AdminClient['showRestart']>>;

async function untilDone(client: AdminClient): Promise<Restart> {
  for (let lost = 0; ;) {
    try {
      const restart = await client.showRestart();
      if (!restart.running) return restart;
      lost = 0;
    } catch (fault) {
      if (!(fault instanceof AdminUnreachable) || ++lost === LOST_MAX) throw fault;
    }
    await sleep(POLL_MS);
  }
}
