import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../audit/audit.ts';
import { isRefusal } from '../domain/refusals.ts';
import { authorise } from '../domain/workspace-scope.ts';
import { assert } from '../lib/assert.ts';
import type { Sql } from '../lib/sql.ts';

const JOB = { actor: { kind: 'job', name: 'closing' }, address: null, requestId: null } as const;
const WORKSPACES_MAX = 20;

/**
 * Ends the workspaces that were closed and whose requests have all been charged: refunds what is left of their credit and
 * archives them. Of the others it calls the leases back, and they wait for the next time. Returns how many ended.
 * @throws DatabaseUnavailable, SqlFault
 */
export async function finishClosing(sql: Sql): Promise<number> {
  const waiting = await sql.query<{ id: string; name: string }>(
    `select id, name from workspaces where closing_at is not null and archived_at is null
     order by closing_at limit $1`,
    [WORKSPACES_MAX],
  );
  let ended = 0;
  for (const { id, name } of waiting) {
    const scope = authorise(JOB, 'workspace:close', id);
    assert(!isRefusal(scope), 'a job may do everything');
    await sql.transaction(async (tx) => {
      const [row] = await tx.query<{ ended: boolean }>('select refund_closing($1, $2, $3, $4) as ended', [
        id,
        randomUUIDv7(),
        randomUUIDv7(),
        JOB.actor.name,
      ]);
      if (row?.ended !== true) return;
      ended += 1;
      await recordAudit(tx, scope, { action: 'workspace.refund_and_archive', target: { kind: 'workspace', id, name } });
    });
  }
  return ended;
}
