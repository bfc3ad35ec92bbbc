import { recordAudit } from '../../audit/audit.ts';
import { actorName } from '../../../domain/actor.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { assert } from '../../../lib/assert.ts';
import type { Sql } from '../../../lib/sql.ts';
import { findTopUp, type TopUp } from '../top-ups.ts';
import { hashOfCode, readCode } from './code-text.ts';
import { newId } from '../../../lib/uuid7.ts';

interface RedeemedRow {
  readonly outcome: 'redeemed' | 'repeated' | 'unknown' | 'used' | 'expired' | 'closed';
  readonly topUpId: string | null;
}

/**
 * Redeems a code: its credit is the workspace's, as a paid top-up. A code is redeemed once; the workspace that has redeemed
 * it gets the same top-up again.
 */
export async function redeemCode(
  sql: Sql,
  scope: WorkspaceScope,
  typed: string,
): Promise<(TopUp & { readonly repeated: boolean }) | Refusal> {
  const code = readCode(typed);
  if (code === null) {
    const message = 'This is not a redemption code: compare it with what you typed. A code has 16 letters and digits.';
    return refuse('INVALID_REQUEST', message, { param: 'code' });
  }
  const id = newId();
  const redeemed = await sql.transaction(async (tx) => {
    // The purse's row is held by the last statement alone, so the audit event comes before it, and only if it will succeed.
    const [open] = await tx.query(
      `select from redemption_codes c join redemption_batches b on b.id = c.batch_id
         join workspaces w on w.id = $2 and w.closing_at is null
       where c.code_sha256 = $1 and c.redeemed_at is null and b.expires_at > now() for no key update of c for share of w`,
      [hashOfCode(code), scope.workspaceId],
    );
    if (open !== undefined) {
      const target = { kind: 'top_up', id };
      await recordAudit(tx, scope, { action: 'code.redeem', target, after: { code: `…${code.slice(-4)}` } });
    }
    const [row] = await tx.query<RedeemedRow>('select outcome, top_up as "topUpId" from redeem_code($1, $2, $3, $4)', [
      hashOfCode(code),
      scope.workspaceId,
      id,
      actorName(scope.act.actor),
    ]);
    assert(row !== undefined, 'a code is answered');
    return row;
  });
  const { outcome, topUpId } = redeemed;
  if (outcome !== 'redeemed' && outcome !== 'repeated') return refused(outcome);
  const topUp = topUpId === null ? null : await findTopUp(sql, scope, topUpId);
  assert(topUp !== null, 'a redeemed code has a top-up');
  return { ...topUp, repeated: outcome === 'repeated' };
}

function refused(outcome: 'unknown' | 'used' | 'expired' | 'closed'): Refusal {
  if (outcome === 'unknown') return refuse('NOT_FOUND', 'There is no such redemption code.', { param: 'code' });
  const message = {
    used: 'This code has been redeemed already.',
    expired: 'This code has expired.',
    closed: 'The workspace has been closed, and takes no more credit. The code can be redeemed for another one.',
  }[outcome];
  return refuse('CONFLICT', message, { param: 'code' });
}
