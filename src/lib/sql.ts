// The port to a database for code that uses SQL. `int8` is returned as bigint, `timestamptz` as Date, `json`/`jsonb`
// parsed, `uuid` as lower-case text. Statements never rely on a session: the next one may run on another connection,
// so there is no SET, no LISTEN, no session lock.

export type SqlValue = string | number | bigint | boolean | null | Date | Buffer | readonly SqlValue[];

export interface StatementLimits {
  /** The time limit of a statement, after which its connection is dropped. */
  readonly statementMsMax?: number;
}

export interface StatementOptions extends StatementLimits {
  /** Whether the same text runs so often that preparing it pays, if nothing prevents that. */
  readonly isFrequent?: boolean;
}

/** For an important statement on a row or two: if its connection is silent, another one is soon tried. */
export const BRIEF: StatementOptions = { statementMsMax: 5_000 };

/** For a brief statement whose text recurs. */
export const FREQUENT: StatementOptions = { ...BRIEF, isFrequent: true };

/** For a statement of scheduled work, which may take long because no request waits for it. */
export const UNHURRIED: StatementLimits = { statementMsMax: 60_000 };

/**
 * SQL for the timeline of the present server, from the name of its WAL file. It changes when another server takes
 * over, and then the last commits may be lost.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)';

export interface SqlRunner {
  /** Runs one statement and returns its rows. @throws DatabaseUnavailable, SqlFault */
  query<Row extends object>(
    text: string,
    values?: readonly SqlValue[],
    options?: StatementOptions,
  ): Promise<readonly Row[]>;
}

/** Limits of each statement of a transaction, and of the whole. */
export interface TransactionOptions extends StatementLimits {
  /** How long it may be idle between two statements before the database ends it. */
  readonly idleMsMax?: number;
  /** Settings of the server for this transaction alone, in the server's own units. */
  readonly settings?: Readonly<Record<string, number>>;
}

export interface Sql extends SqlRunner {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (tx: SqlRunner) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
}

/**
 * Why the database can't be used at this moment:
 *
 * - *away*: it can't be reached, did not answer, or is stopping.
 * - *busy*: all connections for work of this kind are in use, and the work was not sent.
 * - *stopped*: a statement exceeded its time limit, or was cancelled. It took no effect.
 * - *contended*: other transactions hold or change the same rows. It took no effect.
 * - *exhausted*: the server's memory, disk or connections are used up.
 */
export type UnavailableReason = 'away' | 'busy' | 'stopped' | 'contended' | 'exhausted';

/** The database can't be used now but may be later; when it is away, whether the statement took effect is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly reason: UnavailableReason;

  constructor(message: string, options: ErrorOptions & { readonly reason?: UnavailableReason } = {}) {
    super(message, options);
    this.reason = options.reason ?? 'away';
  }
}

/** No connection to the database was available, so the statement was never sent. */
export class DatabaseUnreached extends DatabaseUnavailable {}

/**
 * The database refused a statement. `sqlState` is PostgreSQL's five-character code; `constraint` names one that was
 * violated.
 */
export class SqlFault extends Error {
  override readonly name = 'SqlFault';
  readonly sqlState: string;
  readonly constraint: string | null;

  constructor(message: string, sqlState: string, constraint: string | null, options?: ErrorOptions) {
    super(message, options);
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}
