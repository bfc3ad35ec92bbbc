import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { Payments } from './payments.ts';

// Payments that arrive after their workspace was closed, such as by a page that was open. Nobody can spend their credit, so they
// are refunded in full, fee included.

const JOB = { actor: { kind: 'job', name: 'refund after closing' }, address: null, requestId: null } as const;
const PAYMENTS_MAX = 100;
const DAY_MS = 86_400_000;

/** A payment for a closed workspace that has not gone back to the payer, or not all of it. */
export interface ClosedPayment {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly topUpId: string;
  readonly provider: string;
  /** What was paid, fee and tax included. */
  readonly amount: NanoUsd;
  readonly paidAt: Date;
}

/** Those payments, the oldest first, so that each stays in the list until it has gone back. */
export async function readClosedPayments(sql: SqlRunner): Promise<readonly ClosedPayment[]> {
  return await sql.query<ClosedPayment>(
    `select workspace_id as "workspaceId", workspace_name as "workspaceName", top_up_id as "topUpId", provider,
       paid_nano_usd as amount, paid_at as "paidAt"
     from closed_payments() order by paid_at, top_up_id limit ${PAYMENTS_MAX}`,
  );
}

/**
 * Refunds these payments, where the configured provider has taken them. What fails is tried again for a day, and is the
 * operator's after that. Returns how many refunds the provider has made.
 */
export async function refundClosedPayments(
  payments: Pick<Payments, 'provider' | 'refund'>,
  closed: readonly ClosedPayment[],
  nowMs: number,
): Promise<number> {
  let made = 0;
  for (const { workspaceId, topUpId, provider, paidAt } of closed) {
    if (provider !== payments.provider || paidAt.getTime() < nowMs - DAY_MS) continue;
    const scope = authorise(JOB, 'payments:write', workspaceId);
    assert(!isRefusal(scope), 'a job has every permission');
    const refunded = await payments.refund(scope, topUpId, { amount: null, once: 'after-closing' });
    if (!isRefusal(refunded)) made += 1;
  }
  return made;
}
