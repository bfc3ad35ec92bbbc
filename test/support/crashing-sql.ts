import type { Sql, SqlRunner, SqlValue, TransactionOptions } from '../../src/lib/sql.ts';

/** The process has died, as far as a test is concerned. */
class Crash extends Error {}

/**
 * A database whose client dies at one of the places where it waits: before a statement is sent, after it has run and before its
 * answer is there, or after a commit. Places are counted from 1.
 */
export class CrashingSql implements Sql {
  readonly #sql: Sql;
  readonly #crashAt: number;
  #places = 0;

  constructor(sql: Sql, crashAt: number) {
    this.#sql = sql;
    this.#crashAt = crashAt;
  }

  get hasCrashed(): boolean {
    return this.#places >= this.#crashAt;
  }

  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#watched(this.#sql).query<Row>(text, values);
  }

  async transaction<Result>(work: (tx: SqlRunner) => Promise<Result>, options?: TransactionOptions): Promise<Result> {
    const result = await this.#sql.transaction((tx) => work(this.#watched(tx)), options);
    this.#pass();
    return result;
  }

  #watched(runner: SqlRunner): SqlRunner {
    return {
      query: async (text, values) => {
        this.#pass();
        const rows = await runner.query<never>(text, values);
        this.#pass();
        return rows;
      },
    };
  }

  /** A dead process does nothing further, whatever catches the first error. */
  #pass(): void {
    this.#places += 1;
    if (this.hasCrashed) throw new Crash(`the process dies at place ${this.#places}`);
  }
}
