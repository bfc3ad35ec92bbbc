import { existsSync } from 'node:fs';
import { access, constants, readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Command } from 'commander';
import { loadConfig } from '../../../config/load-config.ts';
import {
  BACKUP_FILE_COMMANDS,
  INSTANCE_COMMANDS,
  RESTORE_COMMANDS,
} from '../../../control/operations/instance-commands.ts';
import { writeWholeFile } from '../../../lib/partial-file.ts';
import type { BackupSource } from '../../backup-files/backup-file.ts';
import { CliFailure, codeOf } from '../cli-failure.ts';
import type { CliContext } from '../cli-context.ts';
import { DeclaredCommands } from '../declared-commands.ts';
import { ledgerReportText } from './ledger-report-text.ts';

/** `backup FILE` of the running instance; `backup verify|new-identity`, and `restore FILE` while none runs. */
export function addBackupCommands(program: Command, context: CliContext): void {
  const backup = new DeclaredCommands(program, context, INSTANCE_COMMANDS).run('backup', async ({ given, options }) => {
    const file = resolve(context.surroundings.cwd, given.file);
    if (given.overwrite !== true && existsSync(file)) {
      throw new CliFailure(`${file} exists already: name another file, or say --overwrite`);
    }
    const encrypt = await encryptionOf(given.recipients);
    const bytes = await save(await encrypt(await context.connect(options).downloadBackup()), file);
    context.print(options, { file, bytes }, `Wrote ${bytes} bytes to ${file}.\n`);
  });

  const files = new DeclaredCommands(backup, context, BACKUP_FILE_COMMANDS);
  files.run('backup verify', async ({ given, options }) => {
    const source = await sourceOf(given, context.surroundings);
    const report = await context.parts.verifyBackup(loadConfig(context.configSources(options)), source);
    context.print(options, report, ledgerReportText(report));
    if (!report.ok) context.complain('the ledger of the backup does not add up; keep an earlier backup');
  });
  files.run('backup new-identity', async ({ given, options }) => {
    const file = resolve(context.surroundings.cwd, given.file);
    const { newIdentity } = await import('../../backup-files/backup-file.ts');
    const { identity, recipient } = await newIdentity();
    await writeFile(file, `# recipient: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' }).catch(
      (cause: unknown) => {
        throw new CliFailure(
          `${file} cannot be written (${codeOf(cause, 'the connection was lost')}); name a file that is not there`,
          { cause },
        );
      },
    );
    context.print(options, { file, recipient }, `${recipient}\n`);
  });

  new DeclaredCommands(program, context, RESTORE_COMMANDS).run('restore', async ({ given, options }) => {
    const source = await sourceOf(given, context.surroundings);
    await context.parts.restore(loadConfig(context.configSources(options)), source);
    const data = options.data === undefined ? '' : ` --data ${options.data}`;
    const text = `Restored ${source.file}; start it with "faregate start${data}".\n`;
    context.print(options, { ok: true, file: source.file }, text);
  });
}

async function encryptionOf(recipients: readonly string[] = []) {
  if (recipients.length === 0) return (bytes: ReadableStream<Uint8Array>) => Promise.resolve(bytes);
  const { encryptionFor } = await import('../../backup-files/backup-file.ts');
  return encryptionFor(recipients);
}

async function sourceOf(
  { file, identity }: { readonly file: string; readonly identity?: string | undefined },
  { cwd }: { readonly cwd: string },
): Promise<BackupSource> {
  const path = resolve(cwd, file);
  await access(path, constants.R_OK).catch(unreadable(path));
  if (identity === undefined) return { file: path, identities: null };
  const named = resolve(cwd, identity);
  return { file: path, identities: await readFile(named, 'utf8').catch(unreadable(named)) };
}

function unreadable(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new CliFailure(`${path} cannot be read (${codeOf(cause, 'the connection was lost')})`, { cause });
  };
}

/** Writes the whole file or none: an incomplete backup must not look like a complete one. */
async function save(bytes: ReadableStream<Uint8Array>, file: string): Promise<number> {
  try {
    await writeWholeFile(file, Readable.fromWeb(bytes));
  } catch (cause) {
    throw new CliFailure(
      `the backup could not be written to ${file} (${codeOf(cause, 'the connection was lost')}); no file was left`,
      { cause },
    );
  }
  return (await stat(file)).size;
}
