/** A data key as it lies in the database. */
export interface WrappedKey {
  /** The id of the key-encryption key that unwraps it. */
  readonly wrappedBy: string;
  readonly bytes: Buffer;
}

/** The key-encryption key can't be used: it is missing, or its program failed. The message is one line with the remedy. */
export class KeyEncryptionFault extends Error {
  override readonly name = 'KeyEncryptionFault';
}

/** A rotation that can't begin. The message says what to do first. */
export class RotationRefused extends Error {
  override readonly name = 'RotationRefused';
}

/** Where the key-encryption key is: in a file, in the environment, or behind a program. It wraps data keys. */
export interface KeyEncryption {
  /** How people know it, such as the path of the file. */
  readonly source: string;
  /** Makes the key of a database that has no data keys yet, if it is made here at all. @throws KeyEncryptionFault */
  make(): Promise<void>;
  /** Wraps a data key by the present key-encryption key. @throws KeyEncryptionFault */
  wrap(dataKeyId: string, dataKey: Buffer): Promise<WrappedKey>;
  /** Unwraps a data key. Null: the key-encryption key is not known here. @throws KeyEncryptionFault */
  unwrap(dataKeyId: string, wrapped: WrappedKey): Promise<Buffer | null>;
  /**
   * Prepares a new current key; the previous one is kept. `isShared`: whether other instances may use the database.
   * @throws RotationRefused, KeyEncryptionFault
   */
  beginRotation(isShared: boolean): Promise<void>;
  /** Drops previous keys, once no data key is wrapped by them. @throws KeyEncryptionFault */
  endRotation(): Promise<void>;
}
