import type { Sql } from '../../src/lib/sql.ts';
import type { Account } from './accounts.ts';

/** Moves a workspace's receipts apart, over so many days until now, before they are counted. */
export async function spreadReceipts(sql: Sql, { workspace }: Account, days: number): Promise<void> {
  await sql.query(
    `update receipts set admitted_at = now() - $2::int * interval '1 day' * random() where workspace_id = $1`,
    [workspace.id, days],
    { statementMsMax: 120_000 },
  );
}
