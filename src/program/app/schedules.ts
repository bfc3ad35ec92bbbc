import type { Config } from '../../config/config.ts';
import { type PlannedWork } from '../../control/schedules/work-problems.ts';
import { countUsage } from '../../control/usage/count-usage.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { nightStart } from '../jobs/ledger-watch.ts';
import { Retention } from '../jobs/retention.ts';
import { ScheduledWork, turnStart } from '../jobs/scheduled-work.ts';
import type { Home } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';
import { createBackups } from './backup-stream.ts';
import { writeScheduledBackup } from './scheduled-backups.ts';
import { verifyApart } from './verify-apart.ts';

const DAY_MS = 86_400_000;
const BACKUP_CHECK = { intervalMs: 60_000, firstMs: 5_000 };
const RETENTION_CHECK = { intervalMs: 600_000, firstMs: 60_000 };

interface ScheduleParts {
  readonly config: Config;
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly home: Pick<Home, 'instanceId'>;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/** The work that the configuration has a schedule for. */
export function plannedWork(
  { ledger, audit, backup }: Pick<Config, 'ledger' | 'audit' | 'backup'>,
  sinceMs: number,
): readonly PlannedWork[] {
  return [
    ...(backup === null ? [] : [{ name: 'backup' as const, everyMs: backup.schedule.everyMs, sinceMs }]),
    ...(ledger.keepDays === null && audit.keepDays === null
      ? []
      : [{ name: 'retention' as const, everyMs: DAY_MS, sinceMs }]),
  ];
}

/** Does the work of the schedules until the program stops, one instance at a time. One process of an instance is enough. */
export function startSchedules(parts: ScheduleParts): void {
  for (const { name } of plannedWork(parts.config, 0)) {
    if (name === 'backup') startBackups(parts);
    else startRetention(parts);
  }
}

function startBackups({ config, sql, pacer, log, closing }: ScheduleParts): void {
  const { backup } = config;
  if (backup === null) return;
  const clock = new SystemClock();
  const nowMs = (): number => clock.nowMs();
  const begin = createBackups({ sql, pacer, log });
  const work = new ScheduledWork({
    name: 'backup',
    sql,
    clock,
    turnAt: (timeMs) => turnStart(timeMs, backup.schedule),
    work: () =>
      writeScheduledBackup({ config: backup, nowMs, begin, verify: (source) => verifyApart({ config, source }) }),
    onFault: (fault) => log.error({ err: fault, event: 'backup_failed' }, 'the scheduled backup failed; will retry'),
  });
  check(work, BACKUP_CHECK, { clock, log, closing });
}

function startRetention({ config, sql, pacer, home, log, closing }: ScheduleParts): void {
  const { ledger, audit } = config;
  const clock = new SystemClock();
  const nowMs = (): number => clock.nowMs();
  const retention = new Retention({
    sql,
    pacer,
    nowMs,
    countUsage: () => countUsage({ sql, pacer, nowMs }),
    receiptDays: ledger.keepDays,
    auditDays: audit.keepDays,
    exportTo: ledger.exportTo,
    instanceId: home.instanceId,
  });
  const work = new ScheduledWork({
    name: 'retention',
    sql,
    clock,
    turnAt: nightStart,
    isReady: (night) => retention.isReady(night),
    work: () => retention.run(),
    onFault: (fault) =>
      log.error({ err: fault, event: 'retention_failed' }, 'what is too old could not be dropped; will retry'),
  });
  check(work, RETENTION_CHECK, { clock, log, closing });
}

function check(
  work: ScheduledWork,
  rhythm: { readonly intervalMs: number; readonly firstMs: number },
  { clock, log, closing }: Pick<ScheduleParts, 'log' | 'closing'> & { readonly clock: SystemClock },
): void {
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'scheduled work could not be looked at; will retry');
  const rota = new Housekeeping(clock, [() => work.run()], onFault, rhythm);
  rota.start();
  closing.defer(() => rota.stop());
}
