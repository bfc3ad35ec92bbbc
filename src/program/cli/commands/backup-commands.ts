import { createWriteStream, existsSync } from 'node:fs';
import { access, constants, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { loadConfig } from '../../../config/load-config.ts';
import { CliFailure } from '../cli-failure.ts';
import { INSTANCE_COMMANDS } from '../../../control/operations/instance-commands.ts';
import { globalsOf, type CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { example } from '../example.ts';

/** `backup FILE` of the running instance, and `restore FILE` while none runs. */
export function addBackupCommands(program: Command, context: CliContext): void {
  new DeclaredCommands(program, context, INSTANCE_COMMANDS).run('backup', async ({ given, options }) => {
    const file = resolve(context.surroundings.cwd, given.file);
    if (given.overwrite !== true && existsSync(file)) {
      throw new CliFailure(`${file} exists already: name another file, or say --overwrite`);
    }
    const bytes = await save(await context.connect(options).downloadBackup(), file);
    context.print(options, { file, bytes }, `Wrote ${bytes} bytes to ${file}.\n`);
  });

  program
    .command('restore')
    .summary('fill an empty data directory from a backup')
    .argument('<file>')
    .addHelpText('after', example('restore faregate.backup --data ./restored'))
    .action(async (name: string, _own: unknown, command: Command) => {
      const options = globalsOf(command);
      const file = resolve(context.surroundings.cwd, name);
      await access(file, constants.R_OK).catch((cause: unknown) => {
        throw new CliFailure(`${file} cannot be read (${codeOf(cause)})`, { cause });
      });
      await context.parts.restore(loadConfig(context.configSources(options)), file);
      const data = options.data === undefined ? '' : ` --data ${options.data}`;
      context.print(options, { ok: true, file }, `Restored ${file}; start it with "faregate start${data}".\n`);
    });
}

/**
 * Writes the whole file or none: an incomplete backup must not look like a complete one. Readable by its owner only.
 */
async function save(bytes: ReadableStream<Uint8Array>, file: string): Promise<number> {
  const partial = `${file}.partial`;
  try {
    await pipeline(Readable.fromWeb(bytes), createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw new CliFailure(`the backup could not be written to ${file} (${codeOf(cause)}); no file was left`, { cause });
  }
  return (await stat(file)).size;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection was lost';
}
