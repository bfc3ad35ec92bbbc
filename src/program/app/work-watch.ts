import { readWork, type WorkState } from '../../control/schedules/scheduled-work.ts';
import { type PlannedWork, workProblem } from '../../control/schedules/work-problems.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import type { Log } from '../telemetry/log.ts';

const INTERVAL_MS = 60_000;

/** What this process knows of scheduled work, which another one may do. */
export interface WorkWatch {
  /** The work that the configuration has a schedule for. */
  readonly planned: readonly PlannedWork[];
  /** How much of it fails, or was not done for too long. */
  readonly problems: number;
  /** When the last scheduled backup was completed, in seconds; 0: never. */
  readonly lastBackupSeconds: number;
}

/** Looks at scheduled work, if there is any, until the program stops. */
export function startWorkWatch(planned: readonly PlannedWork[], { sql, clock, log, closing }: WatchParts): WorkWatch {
  let states: readonly WorkState[] = [];
  if (planned.length > 0) {
    const learn = async (): Promise<void> => {
      states = await readWork(sql);
    };
    const onFault = (fault: unknown): void => log.warn({ err: fault }, 'scheduled work could not be read; will retry');
    const rota = new Housekeeping(clock, [learn], onFault, { intervalMs: INTERVAL_MS, firstMs: 0 });
    rota.start();
    closing.defer(() => rota.stop());
  }
  return {
    planned,
    get problems() {
      return planned.filter((work) => workProblem(work, states, clock.nowMs()) !== null).length;
    },
    get lastBackupSeconds() {
      const backup = states.find(({ name }) => name === 'backup');
      return (backup?.succeededAt?.getTime() ?? 0) / 1_000;
    },
  };
}

interface WatchParts {
  readonly sql: ControlSql;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}
