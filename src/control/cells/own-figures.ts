import type { SqlRunner } from '../../lib/sql.ts';

/** What a cell says of itself to others. */
export interface CellFigures {
  /** Open workspaces that live here. */
  readonly workspaces: number;
  /** Answers of providers, in this hour and the last. */
  readonly answers: number;
  readonly lastProofAt: Date | null;
  readonly lastProofDifferences: number | null;
}

/** The figures of this cell, none of which takes more than a glance. @throws DatabaseUnavailable */
export async function readOwnFigures(sql: SqlRunner): Promise<CellFigures> {
  const [figures] = await sql.query<CellFigures>(
    `select
       (select count(*) from workspaces where archived_at is null and moved_to is null)::int4 as workspaces,
       (select coalesce(sum(answered), 0) from route_hours
        where hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour')::float8 as answers,
       proof.finished_at as "lastProofAt", proof.difference_count::float8 as "lastProofDifferences"
     from (select) one
     left join lateral (
       select finished_at, difference_count from ledger_verifications order by started_at desc, id desc limit 1
     ) proof on true`,
  );
  if (figures === undefined) throw new Error('a query without rows of its own has one');
  return figures;
}
