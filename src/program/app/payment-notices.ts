import { raiseAutoTopUpStop } from '../../control/alerts/auto-top-up-stops.ts';
import { reportClosedPayments } from '../../control/alerts/closed-payment-alerts.ts';
import type { Config } from '../../config/config.ts';
import type { Sql } from '../../lib/sql.ts';
import type { AutoTopUpParts } from '../../control/payments/auto-top-ups.ts';
import { readClosedPayments, refundClosedPayments } from '../../control/payments/closed-payments.ts';
import type { Payments } from '../../control/payments/payments.ts';
import type { Log } from '../telemetry/log.ts';
import { notifyingOf } from './alerts.ts';

interface NoticeParts {
  readonly config: Pick<Config, 'mail'>;
  readonly log: Log;
}

/** Makes an alert of each stop of automatic top-ups, and a line in the log. */
export function stopNotices({ config, log }: NoticeParts): AutoTopUpParts['onNotice'] {
  const notifying = notifyingOf(config);
  return async (tx, notice) => {
    const isGiven = await raiseAutoTopUpStop(tx, notice, notifying);
    if (isGiven) log.warn({ event: 'auto_top_up_stopped', ...notice }, 'automatic top-ups of a workspace have stopped');
    return isGiven;
  };
}

/** Alerts the operator to payments that came for closed workspaces, and refunds them. */
export async function returnClosedPayments(
  config: Pick<Config, 'mail'>,
  { sql, payments, nowMs }: { readonly sql: Sql; readonly payments: Payments; readonly nowMs: number },
): Promise<void> {
  const closed = await readClosedPayments(sql);
  await reportClosedPayments(sql, closed, notifyingOf(config));
  await refundClosedPayments(payments, closed, nowMs);
}
