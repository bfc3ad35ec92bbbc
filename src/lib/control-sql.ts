import { assert } from './assert.ts';
import { Bulkhead, BulkheadFull } from './bulkhead.ts';
import type { Clock } from './clock.ts';
import {
  BRIEF,
  FREQUENT,
  DatabaseUnavailable,
  type Sql,
  type SqlRunner,
  type SqlValue,
  type StatementLimits,
  type TransactionOptions,
} from './sql.ts';

/** The default time limit of a statement of the control plane. */
const STATEMENT_MS_MAX = 10_000;
/** Work with statements of a longer limit never takes the last connection. */
const SHORT_MS_MAX = 60_000;
/** The server ends a statement first; its answer, or its silence, is waited for as much longer. */
const ANSWER_MS_MAX = 5_000;
/** As many as concurrent requests of the admin API. After a restart, twenty consoles request a whole page each. */
const WAITING_MAX = 200;
const WAIT_MS_MAX = 5_000;

export interface ControlOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** The size of the pool, at least two: long work takes one connection, and reads use another. */
  readonly connectionsMax: number;
}

/**
 * The control plane's access to the database, on its own connections: admin API, exports, proofs, backups and regular
 * work. Nominal, so that code which requires it can't be given the gate's connections.
 *
 * Each statement, unless it is a `glance`, runs in a transaction whose `statement_timeout` ends it on the server, and on one
 * core. Statements without a connection wait, at most 200 of them and at most 5 s. Work that may be long leaves one
 * connection to the rest.
 */
export class ControlSql implements Sql {
  readonly #sql: Sql;
  readonly #connections: Bulkhead;

  /** `sql` is a pool of its own. */
  constructor(sql: Sql, { clock, connectionsMax }: ControlOptions) {
    this.#sql = sql;
    assert(connectionsMax >= 2, 'the control plane has two connections at least');
    this.#connections = new Bulkhead({
      clock,
      places: connectionsMax,
      longPlaces: connectionsMax - 1,
      waitingMax: WAITING_MAX,
      waitMsMax: WAIT_MS_MAX,
    });
  }

  query<Row extends object>(
    text: string,
    values?: readonly SqlValue[],
    limits?: StatementLimits,
  ): Promise<readonly Row[]> {
    return this.transaction((tx) => tx.query<Row>(text, values), limits);
  }

  /** Runs a tiny statement that recurs by the clock: as one message, without a transaction that is begun and ended for it. */
  async glance<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
    try {
      return await this.#connections.run(() => this.#sql.query<Row>(text, values, FREQUENT));
    } catch (fault) {
      throw controlFault(fault, BRIEF.statementMsMax ?? STATEMENT_MS_MAX);
    }
  }

  async transaction<Result>(
    work: (tx: SqlRunner) => Promise<Result>,
    { statementMsMax: limitMs = STATEMENT_MS_MAX, ...options }: TransactionOptions = {},
  ): Promise<Result> {
    const settings = { statement_timeout: limitMs, max_parallel_workers_per_gather: 0, ...options.settings };
    const limits = { ...options, settings, statementMsMax: limitMs + ANSWER_MS_MAX };
    const runOn = (tx: SqlRunner): Promise<Result> => work({ query: (text, values) => tx.query(text, values) });
    const isLong = limitMs > SHORT_MS_MAX;
    try {
      return await this.#connections.run(() => this.#sql.transaction(runOn, limits), { isLong });
    } catch (fault) {
      throw controlFault(fault, limitMs);
    }
  }
}

/** The fault in the control plane's terms. */
function controlFault(fault: unknown, limitMs: number): unknown {
  if (fault instanceof BulkheadFull) {
    return new DatabaseUnavailable("all of the control plane's connections to the database are in use", {
      reason: 'busy',
      cause: fault,
    });
  }
  if (fault instanceof DatabaseUnavailable && fault.reason === 'stopped') {
    const message = `the database stopped a statement: it took longer than ${limitMs / 1_000} s, or it was cancelled`;
    return new DatabaseUnavailable(message, { reason: 'stopped', cause: fault });
  }
  return fault;
}
