import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

// One value encrypted by AES-256-GCM: a version, the id of the data key, the nonce, the ciphertext and its tag. The associated
// data names the place of the value, so that a ciphertext that is moved to another row or column can't be decrypted there.

const VERSION = 1;
const ID_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES + NONCE_BYTES;
const CIPHER = 'aes-256-gcm';
/** Less than a millisecond. */
const SLICE_BYTES = 2 ** 19;

export const KEY_BYTES = 32;

/** An encrypted column of a row. */
export interface Place {
  readonly table: string;
  readonly column: string;
  /** The primary key of the row, as text. */
  readonly row: string;
}

/** A value that isn't what was encrypted for its place: damaged, moved, or of another format. */
export class CiphertextFault extends Error {
  override readonly name = 'CiphertextFault';
}

/** A key of a database's values, and the id by which ciphertexts name it. */
export interface DataKey {
  /** A UUID. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** Encrypts a value, which may come in pieces, for its place. */
export function encryptValue(key: DataKey, place: Place, ...pieces: readonly Buffer[]): Buffer {
  return runThrough(encrypting(key, place, pieces));
}

/** The same without holding up the event loop, however long the value is. */
export async function encryptLong(key: DataKey, place: Place, ...pieces: readonly Buffer[]): Promise<Buffer> {
  return await runInTurns(encrypting(key, place, pieces));
}

/** Pauses after each slice. */
function* encrypting(key: DataKey, place: Place, pieces: readonly Buffer[]): Generator<void, Buffer> {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head[0] = VERSION;
  head.write(key.id.replaceAll('-', ''), 1, 'hex');
  randomFillSync(head, 1 + ID_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, head.subarray(1 + ID_BYTES));
  cipher.setAAD(associatedData(head, place));
  const parts = [head];
  for (const slice of slicesOf(pieces)) {
    parts.push(cipher.update(slice));
    if (slice.length === SLICE_BYTES) yield;
  }
  cipher.final();
  return Buffer.concat([...parts, cipher.getAuthTag()]);
}

/** The id of the data key that a ciphertext names. @throws CiphertextFault */
export function dataKeyOf(ciphertext: Buffer): string {
  if (ciphertext.length < HEAD_BYTES + TAG_BYTES || ciphertext[0] !== VERSION) {
    throw new CiphertextFault('an encrypted value has a format that this program does not know');
  }
  const hex = ciphertext.toString('hex', 1, 1 + ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Decrypts the value of a place. @throws CiphertextFault if it was not encrypted for it by this key */
export function decryptValue(key: DataKey, place: Place, ciphertext: Buffer): Buffer {
  return runThrough(decrypting(key, place, ciphertext));
}

/** The same without holding up the event loop, however long the value is. @throws CiphertextFault */
export async function decryptLong(key: DataKey, place: Place, ciphertext: Buffer): Promise<Buffer> {
  return await runInTurns(decrypting(key, place, ciphertext));
}

/** Pauses after each slice. */
function* decrypting(key: DataKey, place: Place, ciphertext: Buffer): Generator<void, Buffer> {
  const head = ciphertext.subarray(0, HEAD_BYTES);
  const decipher = createDecipheriv(CIPHER, key.bytes, head.subarray(1 + ID_BYTES));
  decipher.setAAD(associatedData(head, place));
  decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
  const parts: Buffer[] = [];
  for (const slice of slicesOf([ciphertext.subarray(HEAD_BYTES, -TAG_BYTES)])) {
    parts.push(decipher.update(slice));
    if (slice.length === SLICE_BYTES) yield;
  }
  try {
    decipher.final();
  } catch (cause) {
    throw new CiphertextFault(`${place.table}.${place.column} of ${place.row} was changed, or moved from elsewhere`, {
      cause,
    });
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}

function* slicesOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
  }
}

function runThrough(work: Generator<void, Buffer>): Buffer {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

async function runInTurns(work: Generator<void, Buffer>): Promise<Buffer> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await turn();
  }
}

function associatedData(head: Buffer, { table, column, row }: Place): Buffer {
  return Buffer.from(`faregate ${head[0]} ${table}.${column} ${row}`);
}
