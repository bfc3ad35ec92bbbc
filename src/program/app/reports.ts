import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { ReportSql } from '../../lib/report-sql.ts';
import { openDatabase } from '../database/pool.ts';

/** How far behind a replica may be, beside the time between two heartbeats. */
const LAG_MS_MAX = 10_000;
/** A heartbeat comes at least so often within an epoch's time-out. */
const BEATS_PER_EPOCH = 3;
const CLOSE_MS = 1_000;

interface ReportParts {
  readonly config: Config;
  readonly primary: ControlSql;
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly closing: AsyncDisposableStack;
}

/** Where lists, exports and reports are read; null: there is no replica. */
export function openReports({ config, primary, clock, closing }: ReportParts): ReportSql | null {
  const { replicaUrl, schema, controlConnectionsMax: connectionsMax } = config.database;
  if (replicaUrl === null) return null;
  const replica = openDatabase({
    connection: { url: replicaUrl, schema },
    connectionsMax,
    applicationName: 'faregate reports',
  });
  closing.defer(() => replica.close(CLOSE_MS));
  const lagMsMax = LAG_MS_MAX + config.timeouts.epochMs / BEATS_PER_EPOCH;
  return new ReportSql(replica, { primary, lagMsMax, clock, connectionsMax });
}
