import { type Sql, type SqlRunner, UNHURRIED } from '../../lib/sql.ts';
import { formatUsd } from '../../domain/money.ts';
import { readClosedPayments } from './closed-payments.ts';
import { applyPaymentEvent } from './payment-facts.ts';
import { lastReconciliation } from './reconciliation.ts';

/** Unpaid pages end after 23 hours; they are ended here if the provider has not reported it by then. */
const EXPIRY = `interval '26 hours'`;
const EXPIRED_MAX = 1_000;

/** Ends top-ups that were not paid in time. A payment that still arrives is credited. */
export async function expireTopUps(sql: Sql): Promise<void> {
  const rows = await sql.query<{ topUpId: string; workspaceId: string; provider: string }>(
    `select id as "topUpId", workspace_id as "workspaceId", provider from top_ups
     where state = 'pending' and origin = 'checkout' and created_at < now() - ${EXPIRY} order by id limit ${EXPIRED_MAX}`,
  );
  for (const { provider, ...about } of rows) {
    const fact = { kind: 'expired', origin: 'checkout', ...about } as const;
    await applyPaymentEvent(sql, { provider, id: `expiry:${about.topUpId}`, fact });
  }
}

/** Deletes events that no provider sends again, refunds and disputes of other products, and old comparisons. */
export async function prunePayments(sql: Sql): Promise<void> {
  const statements = [
    `delete from payment_events where received_at < now() - interval '90 days' and outcome <> 'mismatch'`,
    `delete from payment_events where received_at < now() - interval '400 days'`,
    `delete from payment_reversals where top_up_id is null and created_at < now() - interval '90 days'`,
    `delete from payment_reconciliations where night < now() - interval '400 days'`,
  ];
  for (const statement of statements) await sql.query(statement, [], UNHURRIED);
}

/** Problems with payments for the operator, a sentence each. */
export async function paymentProblems(sql: SqlRunner): Promise<readonly string[]> {
  const problems: string[] = [];
  const [mismatches] = await sql.query<{ count: bigint; id: string; detail: string }>(
    `select count(*) as count, (array_agg(id order by received_at desc))[1] as id,
       (array_agg(detail order by received_at desc))[1] as detail
     from payment_events where outcome = 'mismatch' and received_at > now() - interval '7 days' having count(*) > 0`,
  );
  if (mismatches !== undefined) {
    const { count, id, detail } = mismatches;
    problems.push(
      `${count} payment events of the last week contradict their top-ups or can't be read, and gave no credit; the last is ${id}: ${detail}.`,
    );
  }
  const closed = await readClosedPayments(sql);
  const [oldest] = closed;
  if (oldest !== undefined) {
    problems.push(
      `${closed.length} payments came for workspaces that had been closed, and have not gone back to their payers; the oldest is top-up ${oldest.topUpId} of ${formatUsd(oldest.amount)} USD.`,
    );
  }
  const last = await lastReconciliation(sql);
  if (last !== null && last.differenceCount > 0n) {
    problems.push(
      `The comparison with ${last.provider} at ${last.startedAt.toISOString()} found ${last.differenceCount} differences; the first: ${last.differences[0] ?? ''}`,
    );
  }
  return problems;
}
