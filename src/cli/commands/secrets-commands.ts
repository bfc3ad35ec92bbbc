import type { Command } from 'commander';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { example } from '../example.ts';

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
          ? `Gave up ${rotated.lost} data keys; new secrets are encrypted by a fresh one.\n`
          : `Wrapped ${rotated.rewrapped} data keys by the new key.\n`;
      context.print(options, rotated, text);
    });
}
