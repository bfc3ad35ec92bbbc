import type { Config } from '../../config/config.ts';
import { finishClosing, refundClosedCredit } from '../../control/accounts/closing.ts';
import { postExpiries } from '../../control/ledger/expiring-grants.ts';
import { RecurringGrantPosting } from '../../control/ledger/recurring-grants.ts';
import { pruneChanges } from '../../gate/principals/changes.ts';
import { pruneNotices } from '../../control/alerts/outbox-store.ts';
import { pruneCreations } from '../../control/audit/once.ts';
import { pruneIdempotentRequests } from '../database/idempotency-store.ts';
import { ensureReceiptPartitions } from '../database/partitions.ts';
import { pruneRateLeases } from '../database/permit-store.ts';
import { pruneResponses } from '../database/response-store.ts';
import { pruneIdentity } from '../../control/identity/prune.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { pruneBriefPurses } from '../../control/ledger/brief-purses.ts';
import { pruneRefusals } from '../../control/refusals/refusal-store.ts';
import { pruneRouteHours } from '../../control/routes/route-hours.ts';
import type { Log } from '../telemetry/log.ts';

/** Runs regular maintenance of the database until the program stops. One process of an instance is enough. */
export function startHousekeeping(parts: {
  readonly config: Pick<Config, 'refusals'>;
  readonly sql: ControlSql;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): void {
  const { config, sql, log, closing } = parts;
  const clock = new SystemClock();
  const onFault = (fault: unknown): void => log.warn({ err: fault }, 'housekeeping failed; will retry');
  const rarely = new Housekeeping(
    clock,
    [
      () => ensureReceiptPartitions(sql, clock.nowMs()),
      () => pruneChanges(sql),
      () => pruneRateLeases(sql),
      () => pruneIdempotentRequests(sql),
      () => pruneIdentity(sql),
      () => pruneNotices(sql),
      () => pruneCreations(sql),
      () => pruneRefusals(sql, config.refusals.keepDays, clock.nowMs()),
      () => pruneRouteHours(sql),
      () => pruneResponses(sql),
      () => pruneBriefPurses(sql),
      () => refundClosedCredit(sql),
    ],
    onFault,
  );
  const often = new Housekeeping(clock, [() => finishClosing(sql)], onFault, { intervalMs: 5_000 });
  const recurring = new RecurringGrantPosting(sql, clock);
  const grants = new Housekeeping(clock, [() => recurring.post(), () => postExpiries(sql)], onFault, {
    intervalMs: 15_000,
  });
  for (const housekeeping of [rarely, often, grants]) {
    housekeeping.start();
    closing.defer(() => housekeeping.stop());
  }
}
