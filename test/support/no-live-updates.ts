import { LiveUpdates } from '../../src/control/admin/live/live-updates.ts';
import { SystemClock } from '../../src/lib/clock.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';

/** Live updates that hear of no change of a key. */
export function noLiveUpdates(sql: ControlSql): LiveUpdates {
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  return new LiveUpdates({ sql, clock: new SystemClock(), onKeyChange: () => undefined, onFault });
}
