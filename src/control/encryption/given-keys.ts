import { type KeyEncryption, RotationRefused, type WrappedKey } from './key-encryption.ts';
import { LocalKeys } from './local-keys.ts';

/** What an operator does before a rotation of a key that other instances have, too. */
export const ADD_A_KEY =
  'write a new key in front of the present one, with a blank between them, for every instance of this database, start them again, and rotate then';

/** The key-encryption key of the environment, which is the same for all instances. */
export class GivenKeys implements KeyEncryption {
  readonly source: string;
  readonly #keys: LocalKeys;

  /** @throws KeyEncryptionFault */
  constructor(source: string, text: string) {
    this.source = source;
    this.#keys = LocalKeys.parse(text, source);
  }

  make(): Promise<void> {
    return Promise.resolve();
  }

  wrap(dataKeyId: string, dataKey: Buffer): Promise<WrappedKey> {
    return Promise.resolve(this.#keys.wrap(dataKeyId, dataKey));
  }

  unwrap(dataKeyId: string, wrapped: WrappedKey): Promise<Buffer | null> {
    return Promise.try(() => this.#keys.unwrap(dataKeyId, wrapped));
  }

  beginRotation(): Promise<void> {
    if (this.#keys.count > 1) return Promise.resolve();
    return Promise.reject(new RotationRefused(`${this.source} holds one key: ${ADD_A_KEY}.`));
  }

  /** The operator removes the previous key. */
  endRotation(): Promise<void> {
    return Promise.resolve();
  }
}
