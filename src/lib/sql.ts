// What code that speaks SQL needs of a database, and nothing of how it is reached. `int8` comes back as bigint,
// `timestamptz` as Date, `json`/`jsonb` parsed, `uuid` as lower-case text. Statements never rely on a session:
// the next one may run on another connection, so there is no SET, no LISTEN, no session lock, no named statement.

export type SqlValue = string | number | bigint | boolean | null | Date | Buffer | readonly SqlValue[];

export interface SqlRunner {
  /** Runs one statement and answers with its rows. @throws DatabaseUnavailable, SqlFault */
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
}

export interface TransactionOptions {
  /** How long each statement of this transaction may take. */
  readonly statementMsMax?: number;
  /** How long it may stand still between two statements before the database ends it. */
  readonly idleMsMax?: number;
}

export interface Sql extends SqlRunner {
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (tx: SqlRunner) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
}

/** The database can't be reached or did not answer; whether the statement took effect is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The database refused a statement. `sqlState` is PostgreSQL's five-character code; `constraint` names one that was violated. */
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
