import { lastVerification, makeProof, type Verification } from '../../control/ledger/verifications.ts';
import type { LedgerReport } from '../../control/ledger/verify.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { pause } from '../../lib/pause.ts';
import type { Pacer } from '../../lib/pacer.ts';

interface Options {
  readonly sql: ControlSql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Called for each proof by this process that finds differences. */
  readonly onDifferences: (report: LedgerReport) => void;
}

const DAY_MS = 86_400_000;
/** 03:00 UTC: a quiet hour for most instances, and not midnight, when windows change. */
const NIGHT_MS = 3 * 3_600_000;
/** The interval of checks whether another process has ended its proof. */
const ELSEWHERE_MS = 500;

/** The moment from which the proof of the current night is due. */
export function nightStart(nowMs: number): Date {
  return new Date(Math.floor((nowMs - NIGHT_MS) / DAY_MS) * DAY_MS + NIGHT_MS);
}

/**
 * Verifies the ledger on request and every night, then in only one of all processes, and caches the last result of any
 * process. All processes together run one proof at a time, since they share working tables.
 */
export class LedgerWatch {
  readonly #sql: ControlSql;
  readonly #pacer: Pick<Pacer, 'slice'>;
  readonly #clock: Pick<Clock, 'nowMs' | 'after'>;
  readonly #onDifferences: (report: LedgerReport) => void;
  #last: Verification | null = null;
  /** The proof that runs or is queued in this process, shared by all requests; null if there was nothing to verify. */
  #running: Promise<LedgerReport | null> | null = null;

  constructor({ sql, pacer, clock, onDifferences }: Options) {
    this.#sql = sql;
    this.#pacer = pacer;
    this.#clock = clock;
    this.#onDifferences = onDifferences;
  }

  /** The number of differences of the last known proof; zero if there was none. */
  get differences(): number {
    return Number(this.#last?.differenceCount ?? 0n);
  }

  /** Makes the night's proof if it is due and none runs, and reads the last result. */
  async run(): Promise<void> {
    const night = nightStart(this.#clock.nowMs());
    if (this.#running === null) {
      await this.#alone(async () => {
        const report = await this.#make(night);
        return typeof report === 'string' ? null : report;
      });
    }
    await this.learn();
  }

  /** Reads the result of the last proof. */
  async learn(): Promise<void> {
    this.#last = await lastVerification(this.#sql);
  }

  /** Makes a proof now, or joins the one that this process is making. @throws DatabaseUnavailable */
  async prove(): Promise<LedgerReport> {
    for (;;) {
      const report = await (this.#running ?? this.#alone(() => this.#makeOnceFree()));
      if (report !== null) return report;
    }
  }

  async #alone(prove: () => Promise<LedgerReport | null>): Promise<LedgerReport | null> {
    this.#running = prove().finally(() => {
      this.#running = null;
    });
    return await this.#running;
  }

  /** Makes a proof as soon as no other process does. Holds no connection while it waits. */
  async #makeOnceFree(): Promise<LedgerReport> {
    for (;;) {
      const report = await this.#make(null);
      if (typeof report !== 'string') return report;
      await pause(this.#clock, ELSEWHERE_MS);
    }
  }

  async #make(night: Date | null): ReturnType<typeof makeProof> {
    const now = new Date(this.#clock.nowMs());
    const report = await makeProof({ sql: this.#sql, pacer: this.#pacer }, { night, now });
    if (typeof report === 'string') return report;
    this.#last = { startedAt: now, differenceCount: report.differenceCount };
    if (!report.ok) this.#onDifferences(report);
    return report;
  }
}
