import { recordAudit } from '../audit/audit.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';

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
    const scope = scopeOf(id);
    await sql.transaction(async (tx) => {
      const [row] = await tx.query<{ ended: boolean }>('select refund_closing($1, $2) as ended', [id, JOB.actor.name]);
      if (row?.ended !== true) return;
      ended += 1;
      await recordAudit(tx, scope, { action: 'workspace.refund_and_archive', target: { kind: 'workspace', id, name } });
    });
  }
  return ended;
}

/** An archived workspace with credit that can't be spent. Payments being refunded through their provider are left out. */
export interface ClosedCredit {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** Nano-USD. */
  readonly credit: NanoUsd;
}

/** Those workspaces, the most credit first. */
export async function readClosedCredit(sql: SqlRunner): Promise<readonly ClosedCredit[]> {
  return await sql.query<ClosedCredit>(
    `select workspace_id as "workspaceId", workspace_name as "workspaceName", credit_nano_usd as credit
     from closed_credit() order by credit_nano_usd desc, workspace_id limit ${WORKSPACES_MAX}`,
  );
}

/**
 * Refunds credit that a workspace holds although it was closed, whatever posted it. Returns how many had some.
 * @throws DatabaseUnavailable, SqlFault
 */
export async function refundClosedCredit(sql: Sql): Promise<number> {
  let refunded = 0;
  for (const { workspaceId: id, workspaceName: name } of await readClosedCredit(sql)) {
    await sql.transaction(async (tx) => {
      const [row] = await tx.query<{ refunded: boolean }>('select refund_closed($1, $2) as refunded', [
        id,
        JOB.actor.name,
      ]);
      if (row?.refunded !== true) return;
      refunded += 1;
      await recordAudit(tx, scopeOf(id), { action: 'workspace.refund', target: { kind: 'workspace', id, name } });
    });
  }
  return refunded;
}

function scopeOf(workspaceId: string): WorkspaceScope {
  const scope = authorise(JOB, 'workspace:close', workspaceId);
  assert(!isRefusal(scope), 'a job may do everything');
  return scope;
}
