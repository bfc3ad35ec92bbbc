import { FIRST_SHARD, KEY_ID_LENGTH } from '../../domain/key.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { versionConflict } from '../audit/versions.ts';
import type { Place } from '../encryption/envelope.ts';
import type { Keyring } from '../encryption/keyring.ts';

// The other cells that this one knows, as the database has them. There are 3,843 at most, one for each other shard.

/** Another cell. */
export interface Cell {
  readonly shard: string;
  /** Where its admin API and its API are, without a slash at the end. */
  readonly url: string;
  /** An operator's token of that cell. */
  readonly encryptedToken: Buffer;
  readonly version: number;
  readonly addedAt: Date;
}

const COLUMNS = 'shard, url, encrypted_token as "encryptedToken", version, added_at as "addedAt"';

/** The place of a cell's token. */
export function tokenPlace(shard: string): Place {
  return { table: 'cells', column: 'encrypted_token', row: shard };
}

/** All other cells, in the order of their shards. @throws DatabaseUnavailable */
export async function listCells(sql: SqlRunner): Promise<readonly Cell[]> {
  return await sql.query<Cell>(`select ${COLUMNS} from cells order by shard`);
}

/** The cell with this shard; null if this one does not know it. @throws DatabaseUnavailable */
export async function findCell(sql: SqlRunner, shard: string): Promise<Cell | null> {
  const [cell] = await sql.query<Cell>(`select ${COLUMNS} from cells where shard = $1`, [shard]);
  return cell ?? null;
}

/** Where the cells are that this one knows, by their shards. @throws DatabaseUnavailable */
export async function cellUrls(sql: SqlRunner): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<Pick<Cell, 'shard' | 'url'>>('select shard, url from cells');
  return new Map(rows.map(({ shard, url }) => [shard, url]));
}

/** A cell as it is to be known, with its token in clear. */
export interface CellChange {
  readonly shard: string;
  readonly url: string;
  readonly token: string;
  /** The version that it is expected to have, zero: none; null: any. */
  readonly version: number | null;
}

/** Adds a cell, or changes its address and token. @throws KeyEncryptionFault, DatabaseUnavailable */
export async function storeCell(
  { sql, keyring }: { readonly sql: Sql; readonly keyring: Keyring },
  operator: OperatorScope,
  { shard, url, token, version }: CellChange,
): Promise<Cell | Refusal> {
  const encrypted = await keyring.encrypt(tokenPlace(shard), Buffer.from(token));
  return await makeChange(sql, async (tx) => {
    const former = await lockCell(tx, shard);
    const conflict = versionConflict(former?.version ?? 0, version);
    if (conflict !== null) return conflict;
    const [cell] = await tx.query<Cell>(
      `insert into cells as former (shard, url, encrypted_token) values ($1, $2, $3)
       on conflict (shard) do update set url = excluded.url, encrypted_token = excluded.encrypted_token,
         version = former.version + 1
       returning ${COLUMNS}`,
      [shard, url, encrypted],
    );
    if (cell === undefined) throw new Error('an upsert returns its row');
    await announce(tx, shard);
    const target = { kind: 'cell', id: shard };
    await recordAudit(
      tx,
      operator,
      former === null
        ? { action: 'cell.create', target, after: { url } }
        : { action: 'cell.update', target, before: { url: former.url }, after: { url, token_changed: true } },
    );
    return cell;
  });
}

/** Forgets a cell. Refused while a workspace of this cell lives there, or keys of that cell have their workspace here. */
export async function removeCell(
  sql: Sql,
  operator: OperatorScope,
  { shard, version }: Pick<CellChange, 'shard' | 'version'>,
): Promise<Cell | Refusal> {
  return await makeChange(sql, async (tx) => {
    const former = await lockCell(tx, shard);
    if (former === null) return refuse('NOT_FOUND', `This cell knows no cell with the shard ${shard}.`);
    const conflict = versionConflict(former.version, version);
    if (conflict !== null) return conflict;
    const used = await refusalOfUse(tx, shard);
    if (used !== null) return used;
    await tx.query('delete from cells where shard = $1', [shard]);
    await announce(tx, shard);
    const before = { url: former.url };
    await recordAudit(tx, operator, { action: 'cell.delete', target: { kind: 'cell', id: shard }, before });
    return former;
  });
}

async function refusalOfUse(tx: SqlRunner, shard: string): Promise<Refusal | null> {
  const [moved] = await tx.query<{ readonly name: string }>(
    'select name from workspaces where moved_to = $1 order by name limit 1',
    [shard],
  );
  if (moved !== undefined) {
    return refuse(
      'CONFLICT',
      `The workspace "${moved.name}" has moved there: its requests are forwarded to that cell.`,
    );
  }
  const [key] = await tx.query<{ readonly name: string }>(
    `select w.name from keys k join workspaces w on w.id = k.workspace_id
     where case length(k.public_id) when $2 then $3 else left(k.public_id, length($3)) end = $1 and w.moved_to is null
     limit 1`,
    [shard, KEY_ID_LENGTH, FIRST_SHARD],
  );
  if (key === undefined) return null;
  return refuse('CONFLICT', `The workspace "${key.name}" has come from there: its keys are those of that cell.`);
}

async function lockCell(tx: SqlRunner, shard: string): Promise<Cell | null> {
  // Those who add the same one at the same time have no row to wait for.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, lock_number(0)))`, [`cell ${shard}`]);
  const [cell] = await tx.query<Cell>(`select ${COLUMNS} from cells where shard = $1 for update`, [shard]);
  return cell ?? null;
}

async function announce(tx: SqlRunner, shard: string): Promise<void> {
  await tx.query(`insert into changes (kind, subject_id) values ('cell', $1)`, [shard]);
}
