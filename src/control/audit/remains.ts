import type { SqlRunner } from '../../lib/sql.ts';

/**
 * Lets the transaction change what workspaces have left in this cell that live in another one: they arrive once more, or a person is
 * erased. All else is refused: keep_paused.sql.
 */
export async function changeRemains(tx: SqlRunner): Promise<void> {
  await tx.query(`select set_config('faregate.remains', 'on', true)`);
}
