import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { throttle } from '../../lib/throttle.ts';
import { RefusalRecorder } from '../../control/refusals/refusal-recorder.ts';
import { writeRefusals } from '../../control/refusals/refusal-store.ts';
import type { Log } from '../telemetry/log.ts';

const WARN_INTERVAL_MS = 60_000;

/** Records this process's refusals until the program stops. */
export function startRefusalRecord(parts: {
  readonly sql: ControlSql;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}): RefusalRecorder {
  const { sql, clock, log, closing } = parts;
  const recorder = new RefusalRecorder({
    clock,
    write: (batch) => writeRefusals(sql, batch),
    onFault: throttle(clock, WARN_INTERVAL_MS, (fault: unknown) =>
      log.warn({ err: fault }, 'refusals could not be recorded; they are counted as unrecorded'),
    ),
  });
  recorder.start();
  closing.defer(() => recorder.stop());
  return recorder;
}
