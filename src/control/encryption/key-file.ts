import { link, readFile, rename } from 'node:fs/promises';
import { writeWhole } from '../../lib/whole-file.ts';
import { ADD_A_KEY } from './given-keys.ts';
import { type KeyEncryption, KeyEncryptionFault, RotationRefused, type WrappedKey } from './key-encryption.ts';
import { LocalKeys, newKeyText } from './local-keys.ts';

/** The key-encryption key in a file, which the program makes and rotates. It is read again for a key that is not known. */
export class KeyFile implements KeyEncryption {
  readonly source: string;
  readonly #path: string;
  #keys: LocalKeys | null = null;

  constructor(path: string) {
    this.source = path;
    this.#path = path;
  }

  async make(): Promise<void> {
    if ((await this.#read()) !== null) return;
    await this.#write(`${newKeyText()}\n`, link);
    await this.#read();
  }

  async wrap(dataKeyId: string, dataKey: Buffer): Promise<WrappedKey> {
    // Another process of this instance may have rotated the key since.
    const keys = await this.#read();
    if (keys === null) throw new KeyEncryptionFault(`the key file ${this.#path} does not exist: put it back`);
    return keys.wrap(dataKeyId, dataKey);
  }

  async unwrap(dataKeyId: string, wrapped: WrappedKey): Promise<Buffer | null> {
    const known = this.#keys?.unwrap(dataKeyId, wrapped) ?? null;
    return known ?? (await this.#read())?.unwrap(dataKeyId, wrapped) ?? null;
  }

  async beginRotation(isShared: boolean): Promise<void> {
    const keys = await this.#read();
    if (keys === null) throw new KeyEncryptionFault(`the key file ${this.#path} does not exist: put it back`);
    // An interrupted rotation continues.
    if (keys.count > 1) return;
    if (isShared) throw new RotationRefused(`Other instances may use this database. In ${this.#path}, ${ADD_A_KEY}.`);
    await this.#write(`${newKeyText()}\n${await readFile(this.#path, 'utf8')}`, rename);
    await this.#read();
  }

  async endRotation(): Promise<void> {
    const [first = ''] = (await readFile(this.#path, 'utf8')).trim().split(/[\s,]+/);
    await this.#write(`${first}\n`, rename);
    await this.#read();
  }

  /** The keys of the file; null if there is none. @throws KeyEncryptionFault */
  async #read(): Promise<LocalKeys | null> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return null;
      throw new KeyEncryptionFault(`the key file ${this.#path} can't be read (${codeOf(cause)})`, { cause });
    }
    return (this.#keys = LocalKeys.parse(text, `the key file ${this.#path}`));
  }

  /** `place`: how the file comes into its place. */
  async #write(content: string, place: (draft: string, path: string) => Promise<void>): Promise<void> {
    try {
      await writeWhole(this.#path, content, place);
    } catch (cause) {
      // Another process has made it in the same moment.
      if (codeOf(cause) === 'EEXIST') return;
      throw new KeyEncryptionFault(`the key file ${this.#path} can't be written (${codeOf(cause)})`, { cause });
    }
  }
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown error';
}
