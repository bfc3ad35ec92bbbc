import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { encryptValue, type Place } from './envelope.ts';
import type { Keyring } from './keyring.ts';

const ROWS_PER_SLICE = 100;

/** A column that is encrypted, and the one in which earlier versions wrote the same value in clear. */
export interface EncryptedColumn {
  readonly table: string;
  /** It identifies the row. */
  readonly rowColumn: string;
  readonly column: string;
  readonly clearColumn: string;
}

/** A value as it was read: encrypted, or still in clear. */
export interface ReadValue {
  readonly encrypted: Buffer | null;
  readonly clear: Buffer | string | null;
}

/** The place of a row's value in a column. */
export function placeIn({ table, column }: EncryptedColumn, row: string): Place {
  return { table, column, row };
}

/** The value of a row; null if it has none. @throws KeyEncryptionFault, CiphertextFault, DatabaseUnavailable */
export async function readEncrypted(
  keyring: Keyring,
  place: Place,
  { encrypted, clear }: ReadValue,
): Promise<Buffer | null> {
  if (encrypted !== null) return await keyring.decrypt(place, encrypted);
  return clear === null ? null : Buffer.from(clear);
}

/**
 * Encrypts what earlier versions have written in clear, and erases it there, some rows at a time.
 * @throws KeyEncryptionFault, DatabaseUnavailable
 */
export async function encryptClearValues(
  sql: Sql,
  keyring: Keyring,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  for (const column of columns) {
    let found = ROWS_PER_SLICE;
    while (found === ROWS_PER_SLICE) found = await sql.transaction((tx) => encryptSlice(tx, keyring, column));
  }
}

async function encryptSlice(tx: SqlRunner, keyring: Keyring, of: EncryptedColumn): Promise<number> {
  const { table, rowColumn, column, clearColumn } = of;
  const rows = await tx.query<{ id: string; clear: Buffer | string }>(
    `select ${rowColumn}::text as id, ${clearColumn} as clear from ${table}
     where ${clearColumn} is not null limit ${ROWS_PER_SLICE} for update skip locked`,
  );
  if (rows.length === 0) return 0;
  const key = await keyring.present();
  const values = rows.map(({ id, clear }) => encryptValue(key, placeIn(of, id), Buffer.from(clear)));
  await tx.query(
    `update ${table} set ${column} = value, ${clearColumn} = null
     from unnest($1::uuid[], $2::bytea[]) as encrypted (id, value) where ${table}.${rowColumn} = encrypted.id`,
    [rows.map(({ id }) => id), values],
  );
  return rows.length;
}
