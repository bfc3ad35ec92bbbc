import { type ControlOptions, ControlSql } from './control-sql.ts';
import { DatabaseUnavailable, type Sql, SqlFault, type SqlRunner, type TransactionOptions } from './sql.ts';

/** How long a look at the replica's lag counts. */
const LOOK_MS = 1_000;
/** How long a replica is left alone that could not answer. */
const REST_MS = 5_000;
const LOOK_STATEMENT_MS_MAX = 2_000;

/** The heartbeats of all processes reach a replica with everything that was committed before them. */
const LAG = `select (extract(epoch from clock_timestamp() - max(heartbeat_at)) * 1000)::float8 as "lagMs" from epochs`;

export interface ReportOptions extends Omit<ControlOptions, 'clock'> {
  readonly clock: ControlOptions['clock'] & { monotonicMs(): number };
  /** The connections to the primary. */
  readonly primary: ControlSql;
  /** A replica that is further behind is not read. */
  readonly lagMsMax: number;
}

/**
 * Lists, exports and reports, read from a replica: they show the moment up to which it follows, at most `lagMsMax` ago.
 * The primary is read instead while the replica is away or further behind, and for a statement that the replica refuses.
 * Nothing can be written by it.
 */
export class ReportSql extends ControlSql {
  readonly #clock: ReportOptions['clock'];
  readonly #primary: ControlSql;
  readonly #lagMsMax: number;
  #look: Promise<string | null> | null = null;
  #lookedMs = -Infinity;
  #restsUntilMs = -Infinity;
  #refusal: string | null = null;

  /** `replica`: a pool of its own. */
  constructor(replica: Sql, { primary, lagMsMax, ...options }: ReportOptions) {
    super(replica, options);
    this.#clock = options.clock;
    this.#primary = primary;
    this.#lagMsMax = lagMsMax;
  }

  /** Why the primary is read, as a sentence for the operator; null: the replica is. */
  async problem(): Promise<string | null> {
    const reason = await this.#reason();
    return reason === null ? null : `Lists, exports and reports are read from the primary: the replica ${reason}.`;
  }

  override async transaction<Result>(
    work: (tx: SqlRunner) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    if ((await this.#reason()) === null) {
      try {
        return await super.transaction(work, {
          ...options,
          settings: { ...options.settings, transaction_read_only: 1 },
        });
      } catch (fault) {
        if (!(fault instanceof DatabaseUnavailable || fault instanceof SqlFault)) throw fault;
        this.#restsUntilMs = this.#clock.monotonicMs() + REST_MS;
        this.#refusal = `has not answered: ${fault.message}`;
      }
    }
    return await this.#primary.transaction(work, options);
  }

  /** Why the replica is not read now. */
  async #reason(): Promise<string | null> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#restsUntilMs) return this.#refusal;
    if (this.#look === null || nowMs - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = nowMs;
      this.#look = this.#lookAtLag();
    }
    return await this.#look;
  }

  async #lookAtLag(): Promise<string | null> {
    try {
      const [row] = await super.transaction((tx) => tx.query<{ lagMs: number | null }>(LAG), {
        statementMsMax: LOOK_STATEMENT_MS_MAX,
      });
      const lagMs = row?.lagMs ?? Infinity;
      return lagMs <= this.#lagMsMax
        ? null
        : `is ${lagMs === Infinity ? 'empty' : `${Math.round(lagMs / 1_000)} s behind`}`;
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable || fault instanceof SqlFault)) throw fault;
      return `can't be read: ${fault.message}`;
    }
  }
}
