import type { NanoUsd } from '../../domain/money.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { joinLeased, type Standing } from './standing.ts';

// Projects and keys that will soon refuse requests. The purses of the present windows are looked through rather than all keys,
// so that a workspace with very many keys costs what its used ones cost, and no more after years.

/** A project or key with little left of its limit. */
export interface NearLimit extends Standing {
  readonly kind: 'project' | 'key';
  readonly id: string;
  readonly name: string;
  readonly limit: NanoUsd;
}

/** A key that will soon expire. */
export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: Date;
}

/** From this used part of a limit on, in percent. */
const PERCENT_MIN = 80;
const EXPIRES_WITHIN = '7 days';
/** A home page names a few; there may be more. */
const SHOWN_MAX = 5;

const OWNERS = {
  project: `select id, name, budget_period as period, budget_nano_usd as configured from projects
    where workspace_id = $1 and archived_at is null`,
  key: `select id, name, 'month' as period, spend_limit_nano_usd as configured from keys
    where workspace_id = $1 and revoked_at is null and disabled_at is null and (expires_at is null or expires_at > now())`,
} as const;

/**
 * SQL that purses of present windows meet. Those of keys are found by their ids, which begin with the time at which they were
 * made (fresh_id): that is in the window, or just before it where a process's clock runs ahead.
 */
const PRESENT = {
  project: `p.window_start = case p.period when 'never' then to_timestamp(0) else date_trunc(p.period, now(), 'UTC') end`,
  key: `p.period = 'month' and p.window_start = date_trunc('month', now(), 'UTC')
    and p.id >= (extract(epoch from date_trunc('month', now(), 'UTC') - interval '1 day') * 1000)::bigint << 20`,
} as const;

/**
 * The projects or keys that have used most of their budgets or limits, the fullest first; no projects, if the scope covers a member's own
 * things alone.
 */
export async function findNearLimits(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  kind: NearLimit['kind'],
): Promise<readonly NearLimit[]> {
  if (kind === 'project' && ownOnlyOf !== null) return [];
  const isOwn = kind === 'key' ? 'and ($3::uuid is null or created_by = $3)' : '';
  return await sql.query<NearLimit>(
    `with near as materialized (
       select p.id, p.subject_id, p.period, held."limit", p.window_end,
         p.spent_nano_usd - p.corrected_nano_usd as spent
       from purses p
       cross join lateral (select limit_now(p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until) as "limit") held
       where p.workspace_id = $1 and p.kind = '${kind}' and held."limit" > 0 and ${PRESENT[kind]}
         and (p.spent_nano_usd - p.corrected_nano_usd + p.leased_nano_usd)::numeric * 100 >= held."limit"::numeric * $2
     )
     select '${kind}' as kind, owner.id, owner.name, near."limit", near.window_end as "resetsAt",
       (near.spent + leased.charged)::bigint as used, leased.held, leased.uncharged as leased
     from near
     join lateral (${OWNERS[kind]} and id = near.subject_id ${isOwn}) owner
       on owner.period = near.period and owner.configured is not null
     ${joinLeased('near')}
     where (near.spent + leased.charged)::numeric * 100 >= near."limit"::numeric * $2
     order by (near.spent + leased.charged)::numeric / near."limit" desc, owner.id limit ${SHOWN_MAX}`,
    [workspaceId, PERCENT_MIN, ...(kind === 'key' ? [ownOnlyOf] : [])],
  );
}

/** The keys of the scope that work and expire within a week, the next to expire first. */
export async function findExpiringKeys(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
): Promise<readonly ExpiringKey[]> {
  return await sql.query<ExpiringKey>(
    `select id, name, expires_at as "expiresAt" from keys
     where workspace_id = $1 and revoked_at is null and disabled_at is null
       and expires_at > now() and expires_at <= now() + interval '${EXPIRES_WITHIN}'
       and ($2::uuid is null or created_by = $2)
     order by expires_at, id limit ${SHOWN_MAX}`,
    [workspaceId, ownOnlyOf],
  );
}
