import crypto, { randomBytes, timingSafeEqual } from 'node:crypto';

// Argon2id hashes of passwords, in the usual text form: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Computing one takes
// tens of milliseconds, so only the password thread does it.

/** What a hash costs: KiB of memory, passes over it, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

export const HASH_COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{16,128})\$([\w+/]{16,128})$/;

interface ParsedHash extends HashCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function parse(text: string): ParsedHash | null {
  const [, memory, passes, parallelism, salt = '', hash = ''] = FORM.exec(text) ?? [];
  if (memory === undefined) return null;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

interface Argon2Parameters extends HashCost {
  readonly message: Buffer;
  readonly nonce: Buffer;
  readonly tagLength: number;
}

type Argon2id = (parameters: Argon2Parameters) => Buffer;

/** Argon2id in JavaScript, for a Node that has none: before 24.7. It takes five times as long. */
export async function loadArgon2id(): Promise<Argon2id> {
  const { argon2id } = await import('@noble/hashes/argon2.js');
  return ({ message, nonce, memory, passes, parallelism, tagLength }) =>
    Buffer.from(argon2id(message, nonce, { m: memory, t: passes, p: parallelism, dkLen: tagLength }));
}

const argon2id: Argon2id =
  'argon2Sync' in crypto ? (parameters) => crypto.argon2Sync('argon2id', parameters) : await loadArgon2id();

function compute(password: string, { memory, passes, parallelism }: HashCost, salt: Buffer, length: number): Buffer {
  // The same letters typed on different keyboards may be composed differently.
  const message = Buffer.from(password.normalize('NFC'));
  return argon2id({ message, nonce: salt, memory, passes, parallelism, tagLength: length });
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/** Hashes a password with a new salt. Takes tens of milliseconds. */
export function hashPassword(password: string, cost: HashCost = HASH_COST): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = compute(password, cost, salt, HASH_BYTES);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Whether it is the password of the hash. Takes as long as hashing; for a hash of another form, too. */
export function isPassword(password: string, hash: string): boolean {
  const parsed = parse(hash);
  if (parsed === null) {
    compute(password, HASH_COST, Buffer.alloc(SALT_BYTES), HASH_BYTES);
    return false;
  }
  return timingSafeEqual(compute(password, parsed, parsed.salt, parsed.hash.length), parsed.hash);
}

/** Whether the hash was made at another cost than hashes are made at now. */
export function isOutdated(hash: string, cost: HashCost = HASH_COST): boolean {
  const parsed = parse(hash);
  if (parsed === null) return true;
  return parsed.memory !== cost.memory || parsed.passes !== cost.passes || parsed.parallelism !== cost.parallelism;
}
