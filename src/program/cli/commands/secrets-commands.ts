import type { Command } from 'commander';
import { INSTANCE_COMMANDS } from '../../../control/operations/instance-commands.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';

const COPY_ADVICE =
  '\nAn earlier copy of the key file is out of date: copy the file again, and keep the copy apart from backups.\n';

/** `secrets rotate`: the key that encrypts the database's secrets. */
export function addSecretsCommands(program: Command, context: CliContext): void {
  const secrets = program.command('secrets').summary("the key that encrypts the database's secrets");
  new DeclaredCommands(secrets, context, INSTANCE_COMMANDS).say('secrets rotate', ({ lost, rewrapped }, given) => {
    return given.give_up_lost
      ? `Gave up ${dataKeys(lost)}; new secrets are encrypted by a fresh one.\n`
      : `Wrapped ${dataKeys(rewrapped)} by the new key.\n${COPY_ADVICE}`;
  });
}

function dataKeys(count: number): string {
  return `${count} data ${count === 1 ? 'key' : 'keys'}`;
}
