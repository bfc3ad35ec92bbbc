import { randomUUID } from 'node:crypto';
import {
  completeTurn,
  HOLD_EVERY_MS,
  holdTurn,
  returnTurn,
  takeTurn,
  type Turn,
  type WorkName,
} from '../../control/schedules/scheduled-work.ts';
import type { Cancel, Clock } from '../../lib/clock.ts';
import type { Sql } from '../../lib/sql.ts';
import { WorkFault } from '../../lib/work-fault.ts';

interface Options {
  readonly name: WorkName;
  readonly sql: Sql;
  readonly clock: Clock;
  /** When the turn began that is due at this time. */
  readonly turnAt: (nowMs: number) => Date;
  /** Whether a turn can be taken now; it is asked again. Left out: always. */
  readonly isReady?: (turn: Date) => Promise<boolean>;
  /** Does the work; null: it could not be begun, and is tried again. @throws WorkFault, with a line for the operator */
  readonly work: (turn: Date) => Promise<Readonly<Record<string, unknown>> | null>;
  /** Called with each failure. */
  readonly onFault: (fault: unknown) => void;
}

/** How long a process that has failed leaves the work to others. */
const RETRY_MS = 900_000;

/** When the turn began that is due at this time: every so long, counted from so long after midnight in UTC. */
export function turnStart(nowMs: number, { everyMs, afterMs }: { everyMs: number; afterMs: number }): Date {
  return new Date(Math.floor((nowMs - afterMs) / everyMs) * everyMs + afterMs);
}

/**
 * Does scheduled work once in each of its turns, in one process of all. Turns are compared for being the same, never for being
 * later, so a clock that was wrong for a while leads to work that is done once more, and not to work that is left out.
 */
export class ScheduledWork {
  readonly #options: Options;
  readonly #holder = randomUUID();
  #restsUntilMs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does the work if it is due, no other process does it, and this one has not failed just now. */
  async run(): Promise<void> {
    const { name, sql, clock, turnAt, isReady = () => Promise.resolve(true) } = this.#options;
    if (clock.monotonicMs() < this.#restsUntilMs) return;
    const turn: Turn = { name, at: turnAt(clock.nowMs()), holder: this.#holder };
    if (!(await isReady(turn.at)) || !(await takeTurn(sql, turn))) return;
    const stopHolding = this.#hold(turn);
    try {
      const outcome = await this.#options.work(turn.at);
      await (outcome === null ? returnTurn(sql, turn, null) : completeTurn(sql, turn, outcome));
    } catch (fault) {
      this.#restsUntilMs = clock.monotonicMs() + RETRY_MS;
      this.#options.onFault(fault);
      await returnTurn(sql, turn, problemOf(fault));
    } finally {
      stopHolding();
    }
  }

  #hold(turn: Turn): Cancel {
    const { sql, clock, onFault } = this.#options;
    let cancel: Cancel = () => undefined;
    let isOver = false;
    const wait = (): void => {
      if (isOver) return;
      cancel = clock.after(HOLD_EVERY_MS, () => void holdTurn(sql, turn).catch(onFault).then(wait));
    };
    wait();
    return () => {
      isOver = true;
      cancel();
    };
  }
}

function problemOf(fault: unknown): string {
  if (fault instanceof WorkFault) return fault.message;
  return fault instanceof Error ? `${fault.message} (the log has more)` : 'see the log';
}
