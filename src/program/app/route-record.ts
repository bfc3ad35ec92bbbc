import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { throttle } from '../../lib/throttle.ts';
import { RouteCounter } from '../../control/routes/route-counter.ts';
import { addRouteCounts } from '../../control/routes/route-hours.ts';
import type { Log } from '../telemetry/log.ts';

const WARN_INTERVAL_MS = 60_000;

/** Counts how this process's attempts at routes end, until the program stops. */
export function startRouteRecord(parts: {
  readonly sql: ControlSql;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): RouteCounter {
  const { sql, clock, log, closing } = parts;
  const counter = new RouteCounter({
    clock,
    write: (counts) => addRouteCounts(sql, counts),
    onFault: throttle(clock, WARN_INTERVAL_MS, (fault: unknown) =>
      log.warn({ err: fault }, 'the counts of attempts at routes could not be stored; will retry'),
    ),
  });
  counter.start();
  closing.defer(() => counter.stop());
  return counter;
}
