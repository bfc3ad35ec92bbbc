import type { Cancel, Clock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type UnavailableReason } from '../../lib/sql.ts';
import type { LeveledLog, LogFields } from './log.ts';

const LOOK_MS = 1_000;
const STILL_MS = 60_000;
/** A slow database answers some statements, so one answer alone is no end. */
const QUIET_MS = 5_000;
const CAUSES_MAX = 5;

interface Outage {
  readonly sinceMs: number;
  lastFaultMs: number;
  lastLineMs: number;
  faults: number;
}

/**
 * A log in which an outage of the database is a line at its beginning, one a minute, and one at its end, instead of the
 * warnings of everything that fails by it and is tried again. Errors, and lines about single requests, pass.
 */
export class OutageLog implements LeveledLog {
  readonly #log: LeveledLog;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'after'>;
  #probe: (() => Promise<unknown>) | null = null;
  #outage: Outage | null = null;
  #cancel: Cancel = () => undefined;

  constructor(log: LeveledLog, clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#log = log;
    this.#clock = clock;
  }

  get level(): string {
    return this.#log.level;
  }

  set level(level: string) {
    this.#log.level = level;
  }

  /** Looks for outages from now on. `probe` rejects while the database can't be used. Returns what ends it. */
  watch(probe: () => Promise<unknown>): Cancel {
    this.#probe = probe;
    return () => {
      this.#probe = null;
      this.#outage = null;
      this.#cancel();
    };
  }

  debug(fields: LogFields, message: string): void {
    this.#log.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#log.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    const reason = this.#probe === null || 'requestId' in fields ? null : outageIn(fields['err']);
    if (reason === null) this.#log.warn(fields, message);
    else this.#failed(reason, message);
  }

  error(fields: LogFields, message: string): void {
    this.#log.error(fields, message);
  }

  #failed(reason: UnavailableReason, first: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#outage !== null) {
      this.#outage.lastFaultMs = nowMs;
      this.#outage.faults += 1;
      return;
    }
    this.#outage = { sinceMs: nowMs, lastFaultMs: nowMs, lastLineMs: nowMs, faults: 1 };
    this.#log.warn(
      { event: 'database_outage', reason, first },
      "the database can't be used: what needs it is tried again until it is back",
    );
    this.#look();
  }

  #look(): void {
    this.#cancel = this.#clock.after(LOOK_MS, () => {
      const outage = this.#outage;
      const probe = this.#probe;
      if (outage === null || probe === null) return;
      probe()
        .then(
          () => this.#clock.monotonicMs() - outage.lastFaultMs >= QUIET_MS,
          () => false,
        )
        .then((isOver) => this.#looked(outage, isOver))
        .catch(() => undefined);
    });
  }

  #looked(outage: Outage, isOver: boolean): void {
    if (this.#outage !== outage) return;
    const nowMs = this.#clock.monotonicMs();
    const fields = { forMs: Math.round(nowMs - outage.sinceMs), faults: outage.faults };
    if (isOver) {
      this.#outage = null;
      this.#log.info({ event: 'database_back', ...fields }, 'the database can be used again');
      return;
    }
    if (nowMs - outage.lastLineMs >= STILL_MS) {
      outage.lastLineMs = nowMs;
      this.#log.warn({ event: 'database_outage', ...fields }, "the database still can't be used");
    }
    this.#look();
  }
}

/** Why the database could not be used, if that is what has failed; null if others hold the same rows, or for another fault. */
function outageIn(fault: unknown): UnavailableReason | null {
  let cause = fault;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    if (cause instanceof DatabaseUnavailable) return cause.reason === 'contended' ? null : cause.reason;
    ({ cause } = cause);
  }
  return null;
}
