import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import { type DataKey, dataKeyOf, decryptLong, encryptValue, KEY_BYTES, type Place } from './envelope.ts';
import { type KeyEncryption, KeyEncryptionFault } from './key-encryption.ts';

/** Until a data key is replaced: far fewer values than random nonces allow, which is 2^32. */
const RENEWAL = `interval '7 days'`;
const LOOK_EVERY_MS = 3_600_000;
/** A program may be asked while the table is locked. */
const LOCKED = { idleMsMax: 60_000 };

const COLUMNS = 'id, wrapped_by as "wrappedBy", wrapped as bytes';
const NEWEST = `select ${COLUMNS}, created_at < now() - ${RENEWAL} as "isOld" from data_keys
  where lost_at is null order by created_at desc, id limit 1`;

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
  #looking: Promise<DataKey> | null = null;

  constructor(sql: Sql, encryption: KeyEncryption, clock: Pick<Clock, 'monotonicMs'>) {
    this.#sql = sql;
    this.#encryption = encryption;
    this.#clock = clock;
  }

  /** The key to encrypt by. It is in memory, but for the first time. @throws KeyEncryptionFault, DatabaseUnavailable */
  async present(): Promise<DataKey> {
    if (this.#present === null) return await this.#look();
    // Nobody waits for its renewal, and the former one still counts.
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
    await this.#encryption.beginRotation(isShared);
    const rewrapped = await this.#rewrap(this.#sql);
    // Another process may have made a data key in between, by the former key.
    return await this.#sql.transaction(async (tx) => {
      await lockDataKeys(tx);
      const late = await this.#rewrap(tx);
      await this.#encryption.endRotation();
      return rewrapped + late;
    }, LOCKED);
  }

  /**
   * Gives up the data keys that can't be unwrapped, so that new values are encrypted by a fresh one. What they have encrypted
   * can be decrypted again if their key is found. Returns their number. @throws KeyEncryptionFault, DatabaseUnavailable
   */
  async giveUpLost(): Promise<number> {
    const rows = await this.#sql.query<DataKeyRow>(`select ${COLUMNS} from data_keys where lost_at is null`);
    const lost: string[] = [];
    for (const row of rows) {
      const isKnown = this.#known.has(row.id) || (await this.#encryption.unwrap(row.id, row)) !== null;
      if (!isKnown) lost.push(row.id);
    }
    await this.#sql.query('update data_keys set lost_at = now() where id = any ($1)', [lost]);
    this.#present = null;
    await this.present();
    return lost.length;
  }

  async #rewrap(sql: SqlRunner): Promise<number> {
    const rows = await sql.query<DataKeyRow>(`select ${COLUMNS} from data_keys where lost_at is null order by id`);
    let changed = 0;
    for (const row of rows) {
      const { bytes } = await this.#unwrap(row);
      const next = await this.#encryption.wrap(row.id, bytes);
      if (next.wrappedBy === row.wrappedBy) continue;
      await sql.query('update data_keys set wrapped_by = $2, wrapped = $3 where id = $1', [
        row.id,
        next.wrappedBy,
        next.bytes,
      ]);
      changed += 1;
    }
    return changed;
  }

  async #look(): Promise<DataKey> {
    this.#looking ??= this.#newest().finally(() => (this.#looking = null));
    return await this.#looking;
  }

  async #newest(): Promise<DataKey> {
    this.#lookedMs = this.#clock.monotonicMs();
    const [newest] = await this.#sql.query<DataKeyRow & { readonly isOld: boolean }>(NEWEST);
    const isFresh = newest !== undefined && !newest.isOld;
    return (this.#present = isFresh ? await this.#unwrap(newest) : await this.#renew());
  }

  /** The newest key, or one that is made: by one process, whose key-encryption key is that of the former data keys. */
  async #renew(): Promise<DataKey> {
    return await this.#sql.transaction(async (tx) => {
      await lockDataKeys(tx);
      const [newest] = await tx.query<DataKeyRow & { readonly isOld: boolean }>(NEWEST);
      if (newest === undefined) await this.#encryption.make();
      else {
        const key = await this.#unwrap(newest);
        if (!newest.isOld) return key;
      }
      const key = { id: randomUUID(), bytes: randomBytes(KEY_BYTES) };
      const { wrappedBy, bytes } = await this.#encryption.wrap(key.id, key.bytes);
      await tx.query('insert into data_keys (id, wrapped_by, wrapped) values ($1, $2, $3)', [key.id, wrappedBy, bytes]);
      this.#known.set(key.id, key);
      return key;
    }, LOCKED);
  }

  async #find(id: string): Promise<DataKey> {
    const [row] = await this.#sql.query<DataKeyRow>(`select ${COLUMNS} from data_keys where id = $1`, [id]);
    if (row === undefined) throw new KeyEncryptionFault(`the database has no data key ${id}`);
    return await this.#unwrap(row);
  }

  async #unwrap(row: DataKeyRow): Promise<DataKey> {
    const known = this.#known.get(row.id);
    if (known !== undefined) return known;
    const bytes = await this.#encryption.unwrap(row.id, row);
    if (bytes === null) {
      throw new KeyEncryptionFault(
        `they are encrypted by the key ${row.wrappedBy}, which is not in ${this.#encryption.source}: put the key of this database there and start again, or see "Keys of secrets" in docs/operating.md if it is lost`,
      );
    }
    const key = { id: row.id, bytes };
    this.#known.set(row.id, key);
    return key;
  }
}

/** Readers don't wait. */
async function lockDataKeys(tx: SqlRunner): Promise<void> {
  await tx.query('lock table data_keys in share row exclusive mode');
}
