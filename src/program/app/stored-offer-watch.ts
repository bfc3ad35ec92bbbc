import { readOfferMark } from '../../control/offer/stored-offer.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { throttle } from '../../lib/throttle.ts';
import type { Log } from '../telemetry/log.ts';

const LOOK_MS = 500;
const FAULT_LOG_EVERY_MS = 10_000;

interface WatchParts {
  readonly sql: ControlSql;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
}

/**
 * Watches what the database offers, as the config file is watched: the process that reads the file looks whether the mark of it
 * is another one than that of the offer with which it has started.
 */
export function watchStoredOffer(mark: string, { sql, log, closing }: WatchParts) {
  const clock = new SystemClock();
  const warn = throttle(clock, FAULT_LOG_EVERY_MS, (fault: unknown) =>
    log.warn({ err: fault }, 'the providers and models of the database could not be looked at; will retry'),
  );
  let known = mark;
  let isOver = false;
  let cancel = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = async (changed: () => void): Promise<void> => {
    const present = await readOfferMark(sql);
    if (present === known) return;
    known = present;
    changed();
  };
  const onChange = (changed: () => void): void => {
    cancel = clock.after(LOOK_MS, () => {
      looking = look(changed)
        .catch(warn)
        .then(() => {
          if (!isOver) onChange(changed);
        });
    });
  };
  closing.defer(async () => {
    isOver = true;
    cancel();
    await looking;
  });
  return { onChange };
}
