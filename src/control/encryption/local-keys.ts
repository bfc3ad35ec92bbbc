import { createHash, randomBytes } from 'node:crypto';
import { decryptValue, encryptValue, KEY_BYTES, type Place } from './envelope.ts';
import { KeyEncryptionFault, type WrappedKey } from './key-encryption.ts';

const KEY_TEXT = /^(?:[0-9a-f]{64}|[\w-]{43}|[A-Za-z0-9+/]{43}=)$/i;
const KEY_RIGHT =
  'write 32 random bytes in base64, such as the output of "openssl rand -base64 32"; a former key may follow, behind a blank';

interface LocalKey {
  /** What data keys name it by: part of its hash. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** Key-encryption keys in memory: the first wraps, all unwrap. */
export class LocalKeys {
  readonly #keys: readonly [LocalKey, ...LocalKey[]];

  private constructor(keys: readonly [LocalKey, ...LocalKey[]]) {
    this.#keys = keys;
  }

  /** Reads keys in base64 or hex with blanks, commas or lines between them. @throws KeyEncryptionFault that names `source` */
  static parse(text: string, source: string): LocalKeys {
    const texts = text.split(/[\s,]+/).filter((each) => each !== '');
    const [first, ...others] = texts.map((each) => readKey(each, source));
    if (first === undefined) throw new KeyEncryptionFault(`${source} holds no key: ${KEY_RIGHT}`);
    return new LocalKeys([first, ...others]);
  }

  get present(): string {
    return this.#keys[0].id;
  }

  get count(): number {
    return this.#keys.length;
  }

  wrap(dataKeyId: string, dataKey: Buffer): WrappedKey {
    const [{ id, bytes }] = this.#keys;
    return { wrappedBy: id, bytes: encryptValue({ id: dataKeyId, bytes }, placeOf(dataKeyId, id), dataKey) };
  }

  /** Null: it was wrapped by none of these. @throws CiphertextFault */
  unwrap(dataKeyId: string, { wrappedBy, bytes: wrapped }: WrappedKey): Buffer | null {
    const key = this.#keys.find(({ id }) => id === wrappedBy);
    if (key === undefined) return null;
    return decryptValue({ id: dataKeyId, bytes: key.bytes }, placeOf(dataKeyId, wrappedBy), wrapped);
  }
}

/** A new key as text. */
export function newKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

function placeOf(dataKeyId: string, wrappedBy: string): Place {
  return { table: 'data_keys', column: `wrapped by ${wrappedBy}`, row: dataKeyId };
}

function readKey(text: string, source: string): LocalKey {
  if (!KEY_TEXT.test(text)) throw new KeyEncryptionFault(`${source} holds something that is no key: ${KEY_RIGHT}`);
  const bytes = Buffer.from(text, text.length === 64 ? 'hex' : 'base64');
  const id = createHash('sha256').update('faregate key-encryption key ').update(bytes).digest('hex').slice(0, 16);
  return { id, bytes };
}
