import { lastVerification, recordVerification, verifyNight, type Verification } from '../ledger/verifications.ts';
import { verifyLedger, type LedgerReport } from '../ledger/verify.ts';
import type { Clock } from '../lib/clock.ts';
import type { ControlSql } from '../lib/control-sql.ts';

interface Options {
  readonly sql: ControlSql;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Told of every proof of this process that fails. */
  readonly onDifferences: (report: LedgerReport) => void;
}

const DAY_MS = 86_400_000;
/** 03:00 UTC: a quiet hour for most, and clear of midnight, when windows change. */
const NIGHT_MS = 3 * 3_600_000;

/** The moment from which the proof of the present night is due. */
export function nightStart(nowMs: number): Date {
  return new Date(Math.floor((nowMs - NIGHT_MS) / DAY_MS) * DAY_MS + NIGHT_MS);
}

/** Proves the ledger every night, in one process of all, and knows what the last proof found, whoever made it. */
export class LedgerWatch {
  readonly #sql: ControlSql;
  readonly #clock: Pick<Clock, 'nowMs' | 'after'>;
  readonly #onDifferences: (report: LedgerReport) => void;
  #last: Verification | null = null;

  constructor({ sql, clock, onDifferences }: Options) {
    this.#sql = sql;
    this.#clock = clock;
    this.#onDifferences = onDifferences;
  }

  /** How many differences the last proof found, as far as this process knows; none where there was no proof. */
  get differences(): number {
    return Number(this.#last?.differenceCount ?? 0n);
  }

  /** Makes the night's proof if it is due and nobody else has, and learns what the last one found. */
  async run(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const report = await verifyNight(this.#sql, nightStart(nowMs), new Date(nowMs));
    if (report !== null && !report.ok) this.#onDifferences(report);
    await this.learn();
  }

  /** Learns what the last proof found. */
  async learn(): Promise<void> {
    this.#last = await lastVerification(this.#sql);
  }

  /** Makes a proof now, for whoever asks. */
  async prove(): Promise<LedgerReport> {
    const startedAt = new Date(this.#clock.nowMs());
    const report = await verifyLedger(this.#sql);
    await recordVerification(this.#sql, report, { startedAt, night: null });
    this.#last = { startedAt, differenceCount: report.differenceCount };
    if (!report.ok) this.#onDifferences(report);
    return report;
  }
}
