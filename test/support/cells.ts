import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Program, startProgram } from './program.ts';
import type { Tenant } from './tenant.ts';

/** The config of a cell that sells `small-chat`, which its sandbox answers. */
export const SANDBOX = `
providers: { built-in: { kind: sandbox } }
models:
  - id: small-chat
    routes: [{ provider: built-in, model: echo }]
    price: { input: "0.25", output: "2.00" }
    context_window: 100000
    max_output: 1000
`;

/** Starts a cell with an embedded database. `config`: all of its config file but the shard. The caller disposes of it. */
export async function startCell(shard: string, config: string): Promise<Program> {
  return await startProgram({ config: `database: { shard: "${shard}" }\n${config}` });
}

/** Starts the cells 00 and 01, which don't know each other yet, and which end with what is running. */
export async function startCells(running: AsyncDisposableStack, config: string): Promise<readonly [Program, Program]> {
  const start = async (shard: string): Promise<Program> => {
    const cell = await startCell(shard, config);
    running.defer(() => cell.dispose());
    return cell;
  };
  return await Promise.all([start('00'), start('01')]);
}

/** Has a cell know another one, by its command. */
export async function addCell(
  to: Program,
  shard: string,
  other: Pick<Program, 'url' | 'operatorToken'>,
): Promise<void> {
  const words = ['cell', 'add', shard, other.url, '--token-file', await tokenFile(to, other.operatorToken)];
  // The other cell has a second to answer, which a busy machine may take from it.
  await vi.waitFor(() => to.json(...words), { timeout: 60_000, interval: 100 });
}

/** A file in the data directory of a program with this token. */
export async function tokenFile({ data }: Pick<Program, 'data'>, token: string): Promise<string> {
  const file = join(data, 'other-cell.token');
  await writeFile(file, `${token}\n`);
  return file;
}

/**
 * Has a tenant's workspace live in another cell, by SQL alone: one with the same key there, and requests forwarded here. The cells
 * know each other.
 */
export async function moveBySql(
  { from, to, shard }: { readonly from: Program; readonly to: Program; readonly shard: string },
  { workspaceId, keyId }: Tenant,
): Promise<Tenant> {
  const there = await to.createTenant();
  const [at, other] = [await from.openDatabase(), await to.openDatabase()];
  const [key] = await at.query<{ id: string; publicId: string; sha256: Buffer; lastFour: string }>(
    'select id, public_id as "publicId", secret_sha256 as sha256, last_four as "lastFour" from keys where id = $1',
    [keyId],
  );
  if (key === undefined) throw new Error('a tenant has a key');
  await other.query(`update keys set id = $2, public_id = $3, secret_sha256 = $4, last_four = $5 where id = $1`, [
    there.keyId,
    key.id,
    key.publicId,
    key.sha256,
    key.lastFour,
  ]);
  await other.query('update purses set subject_id = $2 where subject_id = $1', [there.keyId, key.id]);
  await at.query('update workspaces set moved_to = $2 where id = $1', [workspaceId, shard]);
  await at.query(`insert into changes (kind, subject_id) values ('workspace', $1::uuid::text)`, [workspaceId]);
  await untilCurrent(from);
  return { ...there, keyId };
}

/** Has a cell find another one at this address. */
export async function pointCell(cell: Program, shard: string, url: string): Promise<void> {
  const sql = await cell.openDatabase();
  await sql.query('update cells set url = $2 where shard = $1', [shard, url]);
  await announce(cell, 'cell', shard);
}

/** Writes what the change feed reads of a change, and waits until the process has read it. */
export async function announce(cell: Program, kind: 'workspace' | 'key' | 'cell', id: string): Promise<void> {
  const sql = await cell.openDatabase();
  await sql.query('insert into changes (kind, subject_id) values ($1, $2)', [kind, id]);
  await untilCurrent(cell);
}

/** Waits until the process has read all changes so far: a key that is revoked behind them is refused. */
async function untilCurrent(cell: Program): Promise<void> {
  const { key, keyId } = await cell.createTenant({ credit: null });
  const headers = { authorization: `Bearer ${key}` };
  const status = async (): Promise<number> => (await fetch(`${cell.url}/v1/models`, { headers })).status;
  await vi.waitUntil(async () => (await status()) === 200, { timeout: 30_000, interval: 20 });
  await cell.admin.revokeKey(keyId);
  await vi.waitUntil(async () => (await status()) === 401, { timeout: 30_000, interval: 20 });
}
