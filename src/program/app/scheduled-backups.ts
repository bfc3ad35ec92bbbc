import { access, constants, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BackupConfig } from '../../config/config.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { finishPartialFile, PARTIAL, writePartialFile } from '../../lib/partial-file.ts';
import { WorkFault } from '../../lib/work-fault.ts';
import type { BackupSource } from '../backup-files/backup-file.ts';
import { folderFault } from '../jobs/folder-fault.ts';
import type { VerifyAnswer } from './verify-entry.ts';

// Backups by a schedule. A file has its name once it is whole, durable and, if that is wanted, was restored on trial. Only then
// do older ones go.

const NAME = /^faregate-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
/** The ending of a backup's name if it could not be restored, or its ledger does not add up. */
const UNVERIFIED = '.unverified';

interface BackupParts {
  readonly config: BackupConfig;
  readonly nowMs: () => number;
  /** Begins a backup; refused while another one is written, or receipts are being sealed. */
  readonly begin: () => Promise<ReadableStream<Uint8Array> | Refusal>;
  readonly verify: (source: BackupSource) => Promise<VerifyAnswer>;
}

/** The file that was written. */
interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly verified: boolean;
}

/**
 * Writes a backup, and removes those beyond the number that is kept. Null: one can't be begun now.
 * @throws WorkFault, and what a stream fails with
 */
export async function writeScheduledBackup(
  parts: BackupParts,
): Promise<(WrittenBackup & Readonly<Record<string, unknown>>) | null> {
  const { config, nowMs } = parts;
  const { folder, keep, verifies } = config;
  const name = nameAt(nowMs());
  const file = join(folder, name);
  try {
    await access(folder, constants.W_OK);
    await removeAll(folder, (each) => each.endsWith(PARTIAL) && NAME.test(each.slice(0, -PARTIAL.length)));
    const written = await write(parts, `${file}${PARTIAL}`);
    if (written === null) return null;
    if (verifies) await verifyPartial(parts, file, written);
    await finishPartialFile(`${file}${PARTIAL}`, file);
    await prune(folder, { keep, newest: name, nowMs: nowMs() });
    return { file, bytes: (await stat(file)).size, verified: verifies };
  } catch (fault) {
    throw folderFault(fault, 'backup.folder', folder);
  }
}

function nameAt(timeMs: number): string {
  return `faregate-${new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
}

/** Writes the partial file; resolves with the identities that open it for verification, and are discarded after it. */
async function write(
  { config: { recipients, verifies }, begin }: BackupParts,
  partial: string,
): Promise<{ readonly identities: string | null } | null> {
  const { encrypt, identities } = await encryption(recipients, verifies);
  const bytes = await begin();
  if (isRefusal(bytes)) return null;
  await writePartialFile(partial, Readable.fromWeb(await encrypt(bytes)));
  return { identities };
}

async function encryption(recipients: readonly string[], verifies: boolean) {
  if (recipients.length === 0) {
    return { encrypt: (bytes: ReadableStream<Uint8Array>) => Promise.resolve(bytes), identities: null };
  }
  const { BackupFileFault, encryptionFor, newIdentity } = await import('../backup-files/backup-file.ts');
  const own = verifies ? await newIdentity() : null;
  try {
    const all = own === null ? recipients : [...recipients, own.recipient];
    return { encrypt: encryptionFor(all), identities: own?.identity ?? null };
  } catch (fault) {
    throw fault instanceof BackupFileFault
      ? new WorkFault(`backup.recipients: ${fault.message}`, { cause: fault })
      : fault;
  }
}

/** @throws WorkFault if the partial file can't be restored, or its ledger doesn't add up; then it has another name */
async function verifyPartial(
  { config: { folder }, verify }: BackupParts,
  file: string,
  { identities }: { readonly identities: string | null },
): Promise<void> {
  const partial = `${file}${PARTIAL}`;
  const found = await verify({ file: partial, identities });
  if ('differences' in found && found.differences === 0) return;
  await removeAll(folder, (each) => each.endsWith(UNVERIFIED) && NAME.test(each.slice(0, -UNVERIFIED.length)));
  await rename(partial, `${file}${UNVERIFIED}`);
  const why = 'problem' in found ? found.problem : `its ledger does not add up (${found.differences} differences)`;
  throw new WorkFault(
    `the backup ${file}${UNVERIFIED} was restored on trial, and failed: ${why}. No older backup was removed`,
  );
}

/**
 * Removes the oldest backups. The newest one stays whatever its name says, and those of times to come, which a wrong clock has
 * named, go first.
 */
async function prune(
  folder: string,
  { keep, newest, nowMs }: { readonly keep: number; readonly newest: string; readonly nowMs: number },
): Promise<void> {
  const others = (await readdir(folder)).filter((each) => NAME.test(each) && each !== newest);
  const now = nameAt(nowMs);
  const rank = (name: string): string => (name > now ? '' : name);
  const byAge = others.toSorted((a, b) => rank(b).localeCompare(rank(a)) || b.localeCompare(a));
  for (const name of byAge.slice(keep - 1)) await rm(join(folder, name), { force: true });
}

async function removeAll(folder: string, isMeant: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (isMeant(name)) await rm(join(folder, name), { force: true });
}
