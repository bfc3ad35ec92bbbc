import type { NanoUsd } from '../../domain/money.ts';
import type { Sql } from '../../lib/sql.ts';
import { writeUsd } from './alert-text.ts';
import type { Crossing, Notifying } from './alerts.ts';
import { INSTANCE_ID } from './notice-owner.ts';
import { raiseInstanceAlerts } from './watch-instance.ts';

/** A payment for a closed workspace that has not gone back to the payer. */
interface UnreturnedPayment {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly topUpId: string;
  readonly amount: NanoUsd;
  readonly paidAt: Date;
}

/** Raises the operator's alerts about these payments, and ends those about payments that have gone back since. */
export async function reportClosedPayments(
  sql: Sql,
  payments: readonly UnreturnedPayment[],
  notifying: Notifying,
): Promise<void> {
  await sql.transaction(async (tx) => {
    await raiseInstanceAlerts(tx, 'payment_after_closing', payments.map(crossingOf), notifying);
    await tx.query(
      `update alerts set resolved_at = now() where workspace_id = $1 and kind = 'payment_after_closing'
         and resolved_at is null and not (subject_id, window_start) in (
           select id, paid_at from unnest($2::text[], $3::timestamptz[]) as p (id, paid_at)
         )`,
      [INSTANCE_ID, payments.map(({ workspaceId }) => workspaceId), payments.map(({ paidAt }) => paidAt.toISOString())],
    );
  });
}

function crossingOf({ workspaceId, workspaceName, topUpId, amount, paidAt }: UnreturnedPayment): Crossing {
  return {
    subjectKind: 'workspace',
    subjectId: workspaceId,
    subjectName: workspaceName,
    window: { start: paidAt, end: null },
    summary: `A payment of ${writeUsd(amount)} came for "${workspaceName}" after it was closed: top-up ${topUpId}.`,
    value: amount,
    limit: null,
  };
}
