import { Housekeeping } from '../jobs/housekeeping.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { orAfter } from '../../lib/pause.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Log } from '../telemetry/log.ts';
import { UsageFolding } from '../../control/usage/folding.ts';
import { buildUsage } from '../../control/usage/rebuilding.ts';

const INTERVAL_MS = 10_000;
/** For the slice that is being counted when the program stops. */
const LAST_SLICE_MS = 1_000;

/** Counts receipts in buckets of usage until the program stops. One process of an instance is enough for it. */
export function startUsageCounting(parts: {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): void {
  const { sql, pacer, log, closing } = parts;
  const clock = new SystemClock();
  const nowMs = (): number => clock.nowMs();
  const folding = new UsageFolding({ sql, pacer, nowMs });
  const count = async (): Promise<void> => {
    await buildUsage({ sql, nowMs });
    await folding.fold();
  };
  let counting: Promise<void> = Promise.resolve();
  const rota = new Housekeeping(
    clock,
    [() => (counting = count())],
    (fault) => log.warn({ err: fault }, 'usage could not be counted; will retry'),
    { intervalMs: INTERVAL_MS, firstMs: 0 },
  );
  rota.start();
  closing.defer(() => {
    rota.stop();
    return orAfter(
      clock,
      counting.catch(() => undefined),
      LAST_SLICE_MS,
    );
  });
}
