import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { CountedReceipts } from './receipt-counts.ts';

/** Which move. */
interface MoveName {
  readonly id: string;
  readonly workspaceId: string;
}

/** How far the copy of a move has come. Transactions have numbers of one server: on another one the copy begins once more. */
export interface MoveProgress {
  readonly server: string;
  /** What was changed before this transaction is there; null: nothing is. */
  readonly since: string | null;
  /** The slices of what was changed before `until` that are under way: the next one is of this table. */
  readonly slices: { readonly until: string; readonly table: string; readonly after: readonly string[] | null } | null;
  readonly counted: CountedReceipts | null;
}

export async function readProgress(sql: SqlRunner, { id, workspaceId }: MoveName): Promise<MoveProgress> {
  const [row] = await sql.query<{ progress: Partial<MoveProgress>; server: string }>(
    `select progress, (select system_identifier::text from pg_control_system()) as server
     from workspace_moves where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  assert(row !== undefined, 'a move is there until it has ended');
  const { progress, server } = row;
  return progress.server === server ? (progress as MoveProgress) : { server, since: null, slices: null, counted: null };
}

export async function saveProgress(
  sql: SqlRunner,
  { id, workspaceId }: MoveName,
  progress: MoveProgress | null,
): Promise<void> {
  await sql.query('update workspace_moves set progress = $3::jsonb where workspace_id = $1 and id = $2', [
    workspaceId,
    id,
    JSON.stringify(progress ?? {}),
  ]);
}
