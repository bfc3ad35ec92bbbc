import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';

const COPY_ADVICE =
  '\nAn earlier copy of the key file is out of date: copy the file again, and keep the copy apart from backups.\n';

function dataKeys(count: number): string {
  return `${count} data ${count === 1 ? 'key' : 'keys'}`;
}

/** `secrets rotate`: the key that encrypts the database's secrets. */
export function addSecretsCommands(program: Command, context: CliContext): void {
  const secrets = program.command('secrets').summary("the key that encrypts the database's secrets");

  secrets
    .command('rotate')
    .summary('replace the key')
    .description(
      'Wraps all data keys by a new key, and drops the former one from its file. A rotation that was broken off goes on when it is run again.',
    )
    .option('--give-up-lost', 'give up secrets whose key is lost, instead')
    .addHelpText('after', example('secrets rotate'))
    .action(async (own: { giveUpLost?: true }, command: Command) => {
      const options = globalsOf(command);
      const rotated = await context.connect(options).rotateSecretsKey({ give_up_lost: own.giveUpLost === true });
      const text =
        own.giveUpLost === true
          ? `Gave up ${dataKeys(rotated.lost)}; new secrets are encrypted by a fresh one.\n`
          : `Wrapped ${dataKeys(rotated.rewrapped)} by the new key.\n${COPY_ADVICE}`;
      context.print(options, rotated, text);
    });
}
