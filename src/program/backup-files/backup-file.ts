import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';

// Files of backups, encrypted in the format of age for those who may read them: https://age-encryption.org/v1.

/** The file can't be read or encrypted. The message is one line with the reason and the remedy. */
export class BackupFileFault extends Error {
  override readonly name = 'BackupFileFault';
}

/** A backup's file and, if it is encrypted, the text of its identities file: one identity a line, and comments. */
export interface BackupSource {
  readonly file: string;
  readonly identities: string | null;
}

const ENCRYPTED = 'age-encryption.org/v1\n';
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;

/** A fresh identity, which reads what was encrypted for its recipient. */
export async function newIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** What encrypts bytes for all of these recipients: `age1…`. @throws BackupFileFault if one of them is none */
export function encryptionFor(
  recipients: readonly string[],
): (bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      const right = 'write what "faregate backup new-identity" prints, such as age1…';
      throw new BackupFileFault(`"${recipient.slice(0, 12)}…" is not a recipient; ${right}`, { cause });
    }
  }
  return (bytes) => encrypter.encrypt(bytes);
}

/** Opens a file for reading, and decrypts it if it is encrypted. @throws BackupFileFault */
export async function openBackup({ file, identities }: BackupSource): Promise<Readable> {
  if (!(await isEncrypted(file))) return createReadStream(file);
  if (identities === null) {
    throw new BackupFileFault('the backup is encrypted; name the file of an identity that opens it with --identity');
  }
  const decrypter = new Decrypter();
  const lines = identities
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => IDENTITY.test(line));
  if (lines.length === 0) throw new BackupFileFault('the file of --identity has no line AGE-SECRET-KEY-…');
  try {
    for (const line of lines) decrypter.addIdentity(line);
    const bytes = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
    return Readable.fromWeb(await decrypter.decrypt(bytes));
  } catch (cause) {
    throw new BackupFileFault('no identity of the file of --identity opens the backup, or its head is damaged', {
      cause,
    });
  }
}

async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ENCRYPTED.length), 0, ENCRYPTED.length, 0);
    return buffer.subarray(0, bytesRead).equals(Buffer.from(ENCRYPTED));
  } finally {
    await handle.close();
  }
}
