import { encryptLong, type Place } from '../encryption/envelope.ts';
import type { Keyring } from '../encryption/keyring.ts';

// Secrets on their way to another cell: decrypted by the keyring of the one, encrypted by that of the other before they reach its
// database. In between they are protected by the TLS of its admin API.

/** Encrypted columns of tables, and the column that names a row's place. */
const SECRETS: Readonly<Record<string, { readonly row: string; readonly columns: readonly string[] }>> = {
  authenticators: { row: 'user_id', columns: ['encrypted_secret'] },
  webhook_endpoints: { row: 'id', columns: ['encrypted_secret', 'encrypted_former_secret'] },
  workspace_access: { row: 'workspace_id', columns: ['encrypted_client_secret'] },
};

/** Of a kept response: its request's own items, its answer's items if it has some, and the answer whole. */
const PARTS = ['input', 'output', 'response'] as const;

type Row = Record<string, unknown>;

/** Whether rows of this table have secrets, so that they are read here. None of them has a number beyond 2^53. */
function hasSecrets(table: string): boolean {
  return table in SECRETS || table === 'stored_responses';
}

/** The row of a table with its secrets, if it has any, in clear, in base64. @throws CiphertextFault, KeyEncryptionFault, DatabaseUnavailable */
export async function openSecrets(keyring: Keyring, table: string, line: string): Promise<string> {
  if (!hasSecrets(table)) return line;
  const row = JSON.parse(line) as Row;
  const opened =
    table === 'stored_responses' ? await openResponse(keyring, row) : await openColumns(keyring, table, row);
  return JSON.stringify(opened);
}

/** The row with its secrets encrypted, as `openSecrets` returned it. @throws KeyEncryptionFault, DatabaseUnavailable */
export async function closeSecrets(keyring: Keyring, table: string, line: string): Promise<string> {
  if (!hasSecrets(table)) return line;
  const row = JSON.parse(line) as Row;
  const closed =
    table === 'stored_responses' ? await closeResponse(keyring, row) : await closeColumns(keyring, table, row);
  return JSON.stringify(closed);
}

async function openColumns(keyring: Keyring, table: string, row: Row): Promise<Row> {
  return await mapSecrets(table, row, async (place, text) =>
    (await keyring.decrypt(place, bytesOf(text))).toString('base64'),
  );
}

async function closeColumns(keyring: Keyring, table: string, row: Row): Promise<Row> {
  return await mapSecrets(table, row, async (place, text) =>
    hexOf(await keyring.encrypt(place, Buffer.from(text, 'base64'))),
  );
}

async function mapSecrets(table: string, row: Row, map: (place: Place, text: string) => Promise<string>): Promise<Row> {
  const { row: id, columns } = SECRETS[table] ?? { row: '', columns: [] };
  const mapped: Row = { ...row };
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'string') mapped[column] = await map({ table, column, row: String(row[id]) }, value);
  }
  return mapped;
}

async function openResponse(keyring: Keyring, row: Row): Promise<Row> {
  if (row['encrypted'] !== true) return row;
  const items = bytesOf(String(row['items']));
  const length = Number(row['input_length']);
  const stored = {
    input: items.subarray(0, length),
    output: items.subarray(length),
    response: bytesOf(String(row['response'])),
  };
  const opened: Row = { ...row, items: null, response: null };
  for (const part of PARTS) {
    const bytes = stored[part];
    opened[part] = bytes.length === 0 ? '' : (await keyring.decrypt(placeOf(part, row), bytes)).toString('base64');
  }
  return opened;
}

async function closeResponse(keyring: Keyring, { input, output, ...row }: Row): Promise<Row> {
  if (row['encrypted'] !== true) return row;
  const key = await keyring.present();
  const encrypt = async (part: (typeof PARTS)[number], text: unknown): Promise<Buffer> =>
    text === '' ? Buffer.alloc(0) : await encryptLong(key, placeOf(part, row), Buffer.from(String(text), 'base64'));
  const head = await encrypt('input', input);
  return {
    ...row,
    items: hexOf(Buffer.concat([head, await encrypt('output', output)])),
    input_length: head.length,
    response: hexOf(await encrypt('response', row['response'])),
  };
}

function placeOf(part: (typeof PARTS)[number], row: Row): Place {
  return { table: 'stored_responses', column: part, row: String(row['request_id']) };
}

/** Of PostgreSQL's text for bytes. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

function hexOf(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
