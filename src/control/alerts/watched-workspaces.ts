import type { NanoUsd } from '../../domain/money.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { DEFAULTS_VERSION } from './alert-rules.ts';
import { type SpendingMark, withMark } from './daily-burn.ts';

/** How a workspace's money stands, and what the watch knew of it when it last looked. */
export interface WatchedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly nowMs: number;
  /** All credit posted, less what is owed. */
  readonly credited: NanoUsd;
  /** All that was ever charged. */
  readonly spent: NanoUsd;
  /** Null: the watch has never looked. */
  readonly seen: { readonly credited: NanoUsd; readonly spent: NanoUsd; readonly isStale: boolean } | null;
  readonly marks: readonly SpendingMark[];
  /** Whether it was there before some default rules, which it has not been given yet. */
  readonly lacksDefaults: boolean;
}

interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly now: Date;
  readonly credited: NanoUsd;
  readonly spent: NanoUsd;
  readonly seenCredited: string | null;
  readonly seenSpent: string | null;
  readonly isStale: boolean | null;
  readonly lacksDefaults: boolean;
  readonly marks: readonly (readonly [number, string])[] | null;
}

/** How many workspaces a slice looks at. */
export const WORKSPACES_PER_SLICE = 200;

/**
 * The next workspaces in the order of their ids. What has moved nowhere is looked at all the same every ten minutes: days
 * pass, and budgets change.
 */
export async function readWatchedWorkspaces(tx: SqlRunner, after: string | null): Promise<readonly WatchedWorkspace[]> {
  const rows = await tx.query<WorkspaceRow>(
    `select w.id, w.name, now() as now, purse.limit_nano_usd - purse.owed_nano_usd as credited,
       purse.spent_nano_usd + leased.charged as spent, watch.credited_nano_usd::text as "seenCredited",
       watch.spent_nano_usd::text as "seenSpent", watch.looked_at < now() - interval '10 minutes' as "isStale", watch.marks,
       coalesce(watch.defaults_version < ${DEFAULTS_VERSION}, false) as "lacksDefaults"
     from (
       select id, name from workspaces
       where archived_at is null and moved_to is null and ($1::uuid is null or id > $1) order by id limit ${WORKSPACES_PER_SLICE}
     ) w
     join purses purse on purse.workspace_id = w.id and purse.kind = 'credit' and purse.subject_id = w.id
     cross join lateral (
       select coalesce(sum(charged_nano_usd), 0)::bigint as charged from leases where purse_id = purse.id
     ) leased
     left join alert_watches watch on watch.workspace_id = w.id
     order by w.id`,
    [after],
  );
  return rows.map(({ id, name, now, credited, spent, seenCredited, seenSpent, isStale, marks, lacksDefaults }) => ({
    id,
    name,
    nowMs: now.getTime(),
    credited,
    spent,
    seen:
      seenCredited === null || seenSpent === null
        ? null
        : { credited: BigInt(seenCredited), spent: BigInt(seenSpent), isStale: isStale ?? true },
    marks: (marks ?? []).map(([atMs, digits]) => ({ atMs, spent: BigInt(digits) })),
    lacksDefaults,
  }));
}

/**
 * Marks workspaces as being looked at; those that the watch has never seen get a row. A rule that is changed from now on
 * takes the mark away, so that the workspace is looked at again.
 */
export async function beginLooks(tx: SqlRunner, workspaceIds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into alert_watches as w (workspace_id, credited_nano_usd, spent_nano_usd, looked_at, marks, defaults_version)
     select id, 0, 0, 'epoch', '[]', ${DEFAULTS_VERSION} from unnest($1::uuid[]) as w (id) order by id
     on conflict (workspace_id) do update set looked_at = 'epoch'`,
    [workspaceIds],
  );
}

/** Notes down how the workspaces stood when the look at them began. */
export async function endLooks(tx: SqlRunner, workspaces: readonly WatchedWorkspace[]): Promise<void> {
  const rows = workspaces.map(({ id, nowMs, credited, spent, marks }) => ({
    id,
    credited: credited.toString(),
    spent: spent.toString(),
    marks: withMark(marks, { atMs: nowMs, spent }).map((mark) => [mark.atMs, mark.spent.toString()]),
  }));
  await tx.query(
    `update alert_watches w set credited_nano_usd = r.credited, spent_nano_usd = r.spent, marks = r.marks,
       looked_at = case when w.looked_at = 'epoch' then now() else w.looked_at end
     from jsonb_to_recordset($1::jsonb) as r (id uuid, credited numeric, spent numeric, marks jsonb)
     where w.workspace_id = r.id`,
    [JSON.stringify(rows)],
  );
}

/** The last top-up or grant of each workspace; of those that had one within their last thousand postings. */
export async function readLastTopUps(
  tx: SqlRunner,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, NanoUsd>> {
  const rows = await tx.query<{ id: string; amount: NanoUsd }>(
    `select w.id, (
       select q.amount_nano_usd from postings q where q.workspace_id = w.id and q.id = last.id
     ) as amount
     from unnest($1::uuid[]) as w (id) cross join lateral (
       select recent.id from (
         select id, kind, number from ledger_postings where workspace_id = w.id order by number desc limit 1000
       ) recent where recent.kind in ('top_up', 'grant') order by recent.number desc limit 1
     ) last`,
    [workspaceIds],
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** What expires next of a workspace's credit. */
export interface NextExpiry {
  readonly amount: NanoUsd;
  readonly expiresAt: Date;
}

/** What expires next in each workspace; those in which nothing does are left out. */
export async function readNextExpiries(
  tx: SqlRunner,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, NextExpiry>> {
  if (workspaceIds.length === 0) return new Map();
  const rows = await tx.query<NextExpiry & { readonly id: string }>(
    `select workspace_id as id, amount_nano_usd as amount, expires_at as "expiresAt" from next_expiries($1)`,
    [workspaceIds],
  );
  return new Map(rows.map(({ id, amount, expiresAt }) => [id, { amount, expiresAt }]));
}
