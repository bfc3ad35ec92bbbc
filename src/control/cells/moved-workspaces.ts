import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** The refusal of a change to a workspace that lives in another cell; null if it lives here. @throws DatabaseUnavailable */
export async function refusalOfMoved(sql: SqlRunner, workspaceId: string): Promise<Refusal | null> {
  const [cell] = await sql.query<{ readonly shard: string; readonly url: string }>(
    'select cells.shard, cells.url from workspaces join cells on cells.shard = workspaces.moved_to where workspaces.id = $1',
    [workspaceId],
  );
  if (cell === undefined) return null;
  return refuse('WORKSPACE_MOVED', `This workspace lives in the cell ${cell.shard} now: ${cell.url}.`);
}
