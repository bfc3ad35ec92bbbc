import type { NanoUsd } from '../../domain/money.ts';
import type { Principal } from '../../domain/principal.ts';
import type { FreeAnswers } from '../../gate/gateway/by-schema/structured-output.ts';
import { BRIEF, DatabaseUnavailable, type Sql } from '../../lib/sql.ts';

/** Free non-conforming answers of projects, counted once for all processes, in one row per project. */
export class PostgresFreeAnswers implements FreeAnswers {
  readonly #sql: Sql;
  /** The free amount of a project per hour; it may change. */
  perHour: NanoUsd;

  constructor(sql: Sql, perHour: NanoUsd) {
    this.#sql = sql;
    this.perHour = perHour;
  }

  /** While the database can't be reached, the remaining amount is unknown, so the answer is free. @throws SqlFault */
  async take(
    { workspaceId, projectId }: Pick<Principal, 'workspaceId' | 'projectId'>,
    cost: NanoUsd,
  ): Promise<boolean> {
    if (cost > this.perHour) return false;
    try {
      const rows = await this.#sql.query(
        'select taken_nano_usd from take_free_answer($1, $2, $3, $4)',
        [workspaceId, projectId, cost, this.perHour],
        BRIEF,
      );
      return rows.length > 0;
    } catch (fault) {
      if (fault instanceof DatabaseUnavailable) return true;
      throw fault;
    }
  }
}
