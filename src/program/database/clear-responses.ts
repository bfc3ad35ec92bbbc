import type { Keyring } from '../../control/encryption/keyring.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { encryptParts } from './kept-cipher.ts';

interface ClearRow {
  readonly request_id: string;
  readonly items: Buffer;
  readonly input_length: number;
  readonly response: Buffer;
}

/**
 * Encrypts responses that earlier versions have kept in clear, one at a time, since each may be as long as a body.
 * @throws KeyEncryptionFault, DatabaseUnavailable
 */
export async function encryptClearResponses(sql: Sql, keyring: Keyring): Promise<void> {
  while (await sql.transaction((tx) => encryptOne(tx, keyring)));
}

/** Returns whether there was one. */
async function encryptOne(tx: SqlRunner, keyring: Keyring): Promise<boolean> {
  const [row] = await tx.query<ClearRow>(
    `select request_id, items, input_length, response from stored_responses
     where not encrypted order by request_id limit 1 for update skip locked`,
  );
  if (row === undefined) return false;
  const { request_id: requestId, items, input_length: inputLength } = row;
  // Behind a comma.
  const output = items.subarray(inputLength + 1);
  const key = await keyring.present();
  const parts = { input: [items.subarray(0, inputLength)], output, response: row.response };
  const encrypted = await encryptParts(key, requestId, parts);
  await tx.query(
    `update stored_responses set items = $2, input_length = $3, response = $4, encrypted = true where request_id = $1`,
    [requestId, Buffer.concat([encrypted.input, encrypted.output]), encrypted.input.length, encrypted.response],
  );
  await tx.query(
    'update stored_response_items set starts_at = greatest(0, starts_at - $2::integer) where request_id = $1',
    [requestId, inputLength + 1],
  );
  return true;
}
