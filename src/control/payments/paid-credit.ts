import type { NanoUsd } from '../../domain/money.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** What was paid for the workspace's credit and has not gone back to payers: the most that closing it refunds. */
export async function readPaidCredit(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<NanoUsd> {
  const [row] = await sql.query<{ paid: NanoUsd }>(
    `select greatest(0, coalesce(-sum(amount_nano_usd), 0))::bigint as paid
     from ledger_entries where workspace_id = $1 and account = 'payments'`,
    [workspaceId],
  );
  return row?.paid ?? 0n;
}
