import type { SqlRunner } from '../../lib/sql.ts';

// Work by a schedule that one process of all does: its turns, and what became of them. A turn is the time at which the work was
// due. The process that has taken it says that it lives while it works, so that another takes over if it dies.

export type WorkName = 'backup' | 'retention';

/** For how long the holder of a turn counts as alive without saying so. */
const HELD = "interval '2 minutes'";
export const HOLD_EVERY_MS = 30_000;

const PROBLEM_LENGTH_MAX = 500;

/** A turn of some work, and the process that is at it. */
export interface Turn {
  readonly name: WorkName;
  readonly at: Date;
  readonly holder: string;
}

/** What is known of some work. */
export interface WorkState {
  readonly name: WorkName;
  /** When it was last completed; null: never. */
  readonly succeededAt: Date | null;
  readonly outcome: Readonly<Record<string, unknown>> | null;
  /** Why it has failed since; null: it has not. */
  readonly problem: string | null;
  readonly failedAt: Date | null;
}

/** Takes a turn. False if it is done, or another process is at this work. */
export async function takeTurn(sql: SqlRunner, { name, at, holder }: Turn): Promise<boolean> {
  const taken = await sql.query(
    `insert into scheduled_work as w (name, holder, held_until) values ($1, $2, now() + ${HELD})
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
       where w.done_turn is distinct from $3 and (w.holder is null or w.holder = $2 or w.held_until < now())
     returning name`,
    [name, holder, at],
  );
  return taken.length > 0;
}

/** Says that the holder lives. */
export async function holdTurn(sql: SqlRunner, { name, holder }: Turn): Promise<void> {
  await sql.query(`update scheduled_work set held_until = now() + ${HELD} where name = $1 and holder = $2`, [
    name,
    holder,
  ]);
}

/** Ends a turn that was done. */
export async function completeTurn(
  sql: SqlRunner,
  { name, at, holder }: Turn,
  outcome: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql.query(
    `update scheduled_work set holder = null, done_turn = $3, succeeded_at = now(), outcome = $4, problem = null,
       failed_at = null
     where name = $1 and holder = $2`,
    [name, holder, at, JSON.stringify(outcome)],
  );
}

/** Gives a turn back that could not be done; with a problem, it has failed. */
export async function returnTurn(sql: SqlRunner, { name, holder }: Turn, problem: string | null): Promise<void> {
  await sql.query(
    `update scheduled_work set holder = null, problem = coalesce($3, problem),
       failed_at = case when $3::text is null then failed_at else now() end
     where name = $1 and holder = $2`,
    [name, holder, problem?.slice(0, PROBLEM_LENGTH_MAX) ?? null],
  );
}

export async function readWork(sql: SqlRunner): Promise<readonly WorkState[]> {
  return await sql.query<WorkState>(
    `select name, succeeded_at as "succeededAt", outcome, problem, failed_at as "failedAt" from scheduled_work order by name`,
  );
}
