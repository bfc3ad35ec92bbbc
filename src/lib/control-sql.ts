import { assert } from './assert.ts';
import { Bulkhead, BulkheadFull } from './bulkhead.ts';
import type { Clock } from './clock.ts';
import {
  DatabaseUnavailable,
  type Sql,
  type SqlRunner,
  type SqlValue,
  type StatementLimits,
  type TransactionOptions,
} from './sql.ts';

/** How long a statement of the control plane may take unless it says otherwise. */
const STATEMENT_MS_MAX = 10_000;
/** Work whose statements may take longer than this never takes the last connection. */
const SHORT_MS_MAX = 60_000;
/** The server ends a statement first; its answer, or its silence, is waited for as much longer. */
const ANSWER_MS_MAX = 5_000;
/** As many as the admin API has requests in progress. After a restart, twenty consoles ask for a whole page each. */
const WAITING_MAX = 200;
const WAIT_MS_MAX = 5_000;

export interface ControlOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** How many connections the pool has, two at least: long work keeps one, and reads on another. */
  readonly connectionsMax: number;
}

/**
 * The control plane's way to the database, on connections of its own: admin API, exports, proofs, backups and regular
 * work. Nominal, so that code which asks for it can't be given the gate's connections.
 *
 * Each statement runs in a transaction whose `statement_timeout` ends it on the server, and on one core. What finds no
 * connection waits, among 200 at most and for 5 s at most. Work that may be long leaves one connection to the rest.
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

/** The same fault, as it is for the control plane. */
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
