import { AlertWatch } from '../../control/alerts/alert-watch.ts';
import type { Notifying } from '../../control/alerts/alerts.ts';
import { INSTANCE_ID } from '../../control/alerts/notice-owner.ts';
import { reportRefusedKeys } from '../../control/alerts/watch-instance.ts';
import type { Config } from '../../config/config.ts';
import { memberAddresses, operatorAddresses } from '../../control/identity/mail-addresses.ts';
import { type Cancel, type Clock, SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Log } from '../telemetry/log.ts';
import type { Health } from '../../gate/upstreams/health/health.ts';

interface AlertParts {
  readonly config: Pick<Config, 'alerts' | 'mail'>;
  readonly sql: ControlSql;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/** Looks for crossings until the program stops. One process of an instance is enough for it. */
export function startAlertWatch(parts: AlertParts & { readonly pacer: Pacer }): void {
  const { config, sql, pacer, log, closing } = parts;
  const watch = new AlertWatch({ sql, pacer, notifying: notifyingOf(config) });
  const onFault = (fault: unknown): void => log.warn({ err: fault }, 'alerts could not be looked for; will retry');
  closing.defer(repeat(config, new SystemClock(), () => watch.run(), onFault));
}

/** Reports providers that refuse their keys, as this process has learned by its own attempts. */
export function startKeyReports(parts: AlertParts & { readonly health: Health; readonly clock: Clock }): void {
  const { config, sql, health, clock, log, closing } = parts;
  const notifying = notifyingOf(config);
  const report = async (): Promise<void> => {
    const refused = [...health.standings(clock.monotonicMs())].filter(({ isKeyRefused }) => isKeyRefused);
    await reportRefusedKeys(
      sql,
      refused.map(({ name }) => name),
      notifying,
    );
  };
  const onFault = (fault: unknown): void =>
    log.warn({ err: fault }, 'refused provider keys could not be reported; will retry');
  closing.defer(repeat(config, clock, report, onFault));
}

/** Does the work again and again, from the end of one time to the beginning of the next. Returns what ends it. */
function repeat(
  { alerts: { checkEveryMs } }: Pick<Config, 'alerts'>,
  clock: Clock,
  work: () => Promise<void>,
  onFault: (fault: unknown) => void,
): Cancel {
  let isOver = false;
  let cancel: Cancel = () => undefined;
  const wait = (): void => {
    if (isOver) return;
    cancel = clock.after(checkEveryMs, () => {
      work().catch(onFault).then(wait, onFault);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}

/** How people are found who are to be notified. */
export function notifyingOf({ mail }: Pick<Config, 'mail'>): Notifying {
  return {
    canMail: mail !== null,
    addressesOf: (tx, workspaceId, roles) =>
      workspaceId === INSTANCE_ID ? operatorAddresses(tx) : memberAddresses(tx, workspaceId, roles),
  };
}
