import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import {
  CiphertextFault,
  type DataKey,
  dataKeyOf,
  decryptLong,
  encryptValue,
  KEY_BYTES,
  type Place,
} from './envelope.ts';
import { type KeyEncryption, KeyEncryptionFault } from './key-encryption.ts';

/** Until a data key is replaced: far fewer values than random nonces allow, which is 2^32. */
const RENEWAL = `interval '7 days'`;
const LOOK_EVERY_MS = 3_600_000;
/** During a rotation, another process may have wrapped a data key by the previous key. */
const ROUNDS_MAX = 5;
/** A program may be asked while the table is locked. */
const LOCKED = { idleMsMax: 60_000 };

const COLUMNS = 'id, wrapped_by as "wrappedBy", wrapped as bytes';
const NEWEST = `select ${COLUMNS}, created_at < now() - ${RENEWAL} as "isOld" from data_keys
  where lost_at is null order by created_at desc, id limit 1`;

/** After a failure. Many requests may need one key, and each would ask a program, or read a file. */
const REST_MS = 1_000;
const PRESENT = 'present';

/** One that has failed is the answer for a while. */
interface Search {
  readonly found: Promise<DataKey>;
  failedMs: number | null;
}

interface DataKeyRow {
  readonly id: string;
  readonly wrappedBy: string;
  readonly bytes: Buffer;
}

/**
 * Encrypts and decrypts values of the database, by data keys that lie in it wrapped. All processes of all instances use the
 * newest, and know the others by the ids in ciphertexts. Without the key-encryption key everything else goes on.
 */
export class Keyring {
  readonly #sql: Sql;
  readonly #encryption: KeyEncryption;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Unwrapped. A year adds some fifty. */
  readonly #known = new Map<string, DataKey>();
  #present: DataKey | null = null;
  #lookedMs = 0;
  /** By data key, or `PRESENT`: those that are being found, and those that could not be a moment ago. */
  readonly #searches = new Map<string, Search>();

  constructor(sql: Sql, encryption: KeyEncryption, clock: Pick<Clock, 'monotonicMs'>) {
    this.#sql = sql;
    this.#encryption = encryption;
    this.#clock = clock;
  }

  /** The key to encrypt by. It is in memory, but for the first time. @throws KeyEncryptionFault, DatabaseUnavailable */
  async present(): Promise<DataKey> {
    if (this.#present === null) return await this.#look();
    // No caller waits for the renewal: the previous one is still valid.
    if (this.#clock.monotonicMs() - this.#lookedMs >= LOOK_EVERY_MS) this.#look().catch(() => undefined);
    return this.#present;
  }

  /** Encrypts a value for its place. @throws KeyEncryptionFault, DatabaseUnavailable */
  async encrypt(place: Place, plaintext: Buffer): Promise<Buffer> {
    return encryptValue(await this.present(), place, plaintext);
  }

  /** Decrypts the value of a place. @throws KeyEncryptionFault, CiphertextFault, DatabaseUnavailable */
  async decrypt(place: Place, ciphertext: Buffer): Promise<Buffer> {
    const id = dataKeyOf(ciphertext);
    return await decryptLong(this.#known.get(id) ?? (await this.#find(id)), place, ciphertext);
  }

  /** Why the database's secrets can't be used, for the operator; null if they can. @throws DatabaseUnavailable */
  async problem(): Promise<string | null> {
    try {
      await this.present();
      // One for each key-encryption key.
      const rows = await this.#sql.query<DataKeyRow>(
        `select distinct on (wrapped_by) ${COLUMNS} from data_keys where lost_at is null order by wrapped_by, created_at desc`,
      );
      for (const row of rows) await this.#unwrap(row);
      return null;
    } catch (fault) {
      if (fault instanceof KeyEncryptionFault) return `Secrets in the database can't be used: ${fault.message}.`;
      throw fault;
    }
  }

  /**
   * Wraps all data keys by a new key-encryption key, and drops the former one. What was broken off goes on when it is called
   * again; everything can be decrypted at each moment. Returns the number of data keys that were wrapped again.
   * `isShared`: whether other instances may use the database. @throws RotationRefused, KeyEncryptionFault, DatabaseUnavailable
   */
  async rotate(isShared: boolean): Promise<number> {
    // Under the lock, because two rotations would each write a file without the other's key.
    await this.#locked(() => this.#encryption.beginRotation(isShared));
    let rewrapped = await this.#rewrap(this.#sql);
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const late = await this.#locked(async (tx) => {
        const changed = await this.#rewrap(tx);
        // The previous key is dropped only if there was nothing left to wrap: this transaction's work isn't committed yet.
        if (changed === 0) await this.#encryption.endRotation();
        return changed;
      });
      if (late === 0) break;
      rewrapped += late;
    }
    return rewrapped;
  }

  /**
   * Gives up the data keys that can't be unwrapped, so that new values are encrypted by a fresh one. What they have encrypted
   * can be decrypted again if their key is found. Returns their number. @throws KeyEncryptionFault, DatabaseUnavailable
   */
  async giveUpLost(): Promise<number> {
    const [lost, present] = await this.#locked(async (tx) => {
      const rows = await tx.query<DataKeyRow>(`select ${COLUMNS} from data_keys where lost_at is null`);
      const unusable: string[] = [];
      for (const row of rows) if ((await this.#tryUnwrap(row)) === null) unusable.push(row.id);
      await tx.query('update data_keys set lost_at = now() where id = any ($1)', [unusable]);
      // Nothing is given up for a key-encryption key that wraps no other.
      return [unusable.length, await this.#renew(tx)];
    });
    this.#use(present);
    return lost;
  }

  async #rewrap(sql: SqlRunner): Promise<number> {
    const rows = await sql.query<DataKeyRow & { readonly isLost: boolean }>(
      `select ${COLUMNS}, lost_at is not null as "isLost" from data_keys order by id`,
    );
    let changed = 0;
    for (const row of rows) {
      // An abandoned load that found its key must not lose it again.
      const key = row.isLost ? await this.#tryUnwrap(row) : await this.#unwrap(row);
      if (key === null) continue;
      const next = await this.#encryption.wrap(row.id, key.bytes);
      if (next.wrappedBy === row.wrappedBy) continue;
      // Unless a later rotation has wrapped it.
      const updated = await sql.query(
        'update data_keys set wrapped_by = $2, wrapped = $3 where id = $1 and wrapped_by = $4 returning id',
        [row.id, next.wrappedBy, next.bytes, row.wrappedBy],
      );
      changed += updated.length;
    }
    return changed;
  }

  async #look(): Promise<DataKey> {
    return await this.#search(PRESENT, () => this.#newest());
  }

  async #newest(): Promise<DataKey> {
    this.#lookedMs = this.#clock.monotonicMs();
    const [newest] = await this.#sql.query<DataKeyRow & { readonly isOld: boolean }>(NEWEST);
    const isFresh = newest !== undefined && !newest.isOld;
    return this.#use(isFresh ? await this.#unwrap(newest) : await this.#locked((tx) => this.#renew(tx)));
  }

  /** The newest key, or a new one, made by a single process that has the key-encryption key of the existing data keys. */
  async #renew(tx: SqlRunner): Promise<DataKey> {
    const [newest] = await tx.query<DataKeyRow & { readonly isOld: boolean }>(NEWEST);
    if (newest === undefined) await this.#encryption.make();
    else {
      const key = await this.#unwrap(newest);
      if (!newest.isOld) return key;
    }
    const key = { id: randomUUID(), bytes: randomBytes(KEY_BYTES) };
    const { wrappedBy, bytes } = await this.#encryption.wrap(key.id, key.bytes);
    await tx.query('insert into data_keys (id, wrapped_by, wrapped) values ($1, $2, $3)', [key.id, wrappedBy, bytes]);
    return key;
  }

  /** One search for all who need the same key. */
  async #search(name: string, find: () => Promise<DataKey>): Promise<DataKey> {
    const former = this.#searches.get(name);
    const now = this.#clock.monotonicMs();
    if (former !== undefined && now - (former.failedMs ?? now) < REST_MS) return await former.found;
    const search: Search = { found: find(), failedMs: null };
    this.#searches.set(name, search);
    try {
      const key = await search.found;
      this.#searches.delete(name);
      return key;
    } catch (fault) {
      if (fault instanceof KeyEncryptionFault) search.failedMs = this.#clock.monotonicMs();
      else this.#searches.delete(name);
      throw fault;
    }
  }

  #use(key: DataKey): DataKey {
    this.#known.set(key.id, key);
    return (this.#present = key);
  }

  /** Runs a change of data keys alone, over all processes. Readers don't wait. */
  async #locked<Result>(work: (tx: SqlRunner) => Promise<Result>): Promise<Result> {
    return await this.#sql.transaction(async (tx) => {
      await tx.query('lock table data_keys in share row exclusive mode');
      return await work(tx);
    }, LOCKED);
  }

  async #find(id: string): Promise<DataKey> {
    const [row] = await this.#sql.query<DataKeyRow>(`select ${COLUMNS} from data_keys where id = $1`, [id]);
    if (row === undefined) throw new KeyEncryptionFault(`the database has no data key ${id}`);
    return await this.#unwrap(row);
  }

  async #unwrap(row: DataKeyRow): Promise<DataKey> {
    return this.#known.get(row.id) ?? (await this.#search(row.id, () => this.#unwrapUnknown(row)));
  }

  async #unwrapUnknown(row: DataKeyRow): Promise<DataKey> {
    const bytes = await this.#unwrapped(row);
    if (bytes === null) {
      throw new KeyEncryptionFault(
        `they are encrypted by the key ${row.wrappedBy}, which is not in ${this.#encryption.source}: put the key of this database there and start again, or see "Keys of secrets" in docs/operating.md if it is lost`,
      );
    }
    const key = { id: row.id, bytes };
    this.#known.set(row.id, key);
    return key;
  }

  /** Null: it can't be unwrapped, for any reason. */
  async #tryUnwrap(row: DataKeyRow): Promise<DataKey | null> {
    try {
      return await this.#unwrap(row);
    } catch (fault) {
      if (fault instanceof KeyEncryptionFault) return null;
      throw fault;
    }
  }

  async #unwrapped(row: DataKeyRow): Promise<Buffer | null> {
    try {
      return await this.#encryption.unwrap(row.id, row);
    } catch (cause) {
      if (!(cause instanceof CiphertextFault)) throw cause;
      throw new KeyEncryptionFault(`the data key ${row.id} is damaged in the database: restore it from a backup`, {
        cause,
      });
    }
  }
}
