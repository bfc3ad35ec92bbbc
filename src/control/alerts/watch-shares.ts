import type { NanoUsd } from '../../domain/money.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { AlertRule } from './alert-rules.ts';
import { roundUsd } from './alert-text.ts';
import type { Crossing } from './alerts.ts';
import { effectivePercent, standingOfShare } from './crossings.ts';
import type { Finding } from './open-alerts.ts';

/** The limits that rules compare with what is used of them. */
export type LimitedKind = 'project' | 'key' | 'member';

/** How many projects, keys or members a slice looks at. */
export const SUBJECTS_PER_SLICE = 2_000;

/** Where a slice ends: the workspace's id, and that of the project, the key or the member's limit. */
export interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

/** A project, key or member with enough used of the limit for some rule, or with an open alert; the id is theirs. */
export interface LimitedSubject extends Place {
  readonly name: string;
  readonly limit: NanoUsd;
  readonly used: NanoUsd;
  readonly windowStart: Date;
  readonly windowEnd: Date | null;
}

export interface SharesSlice {
  readonly subjects: readonly LimitedSubject[];
  /** Null: it was the last one. */
  readonly end: Place | null;
}

const OWNERS: Readonly<Record<LimitedKind, string>> = {
  project: `select workspace_id, id, id as subject, name, budget_period as period, budget_nano_usd as configured from projects
    where archived_at is null and`,
  key: `select workspace_id, id, id as subject, name, 'month' as period, spend_limit_nano_usd as configured from keys
    where revoked_at is null and`,
  member: `select workspace_id, id, user_id as subject,
      coalesce((select name from users where users.id = user_id), '') as name, 'month' as period, monthly_limit_nano_usd as configured
    from member_limits where`,
};

/** Before all. */
export const FIRST_PLACE: Place = {
  workspaceId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * The next projects, keys or members of these workspaces, in the order of their ids. Purses are found by their window, so those of
 * former windows cost nothing. Only what is used to `percentMin` or has an open alert is returned.
 */
export async function readSharesSlice(
  tx: SqlRunner,
  kind: LimitedKind,
  {
    workspaceIds,
    after,
    percentMin,
  }: {
    readonly workspaceIds: readonly string[];
    readonly after: Place | null;
    readonly percentMin: bigint;
  },
): Promise<SharesSlice> {
  const { workspaceId, id } = after ?? FIRST_PLACE;
  const slice = `${OWNERS[kind]} workspace_id = any ($1) and (workspace_id, id) > ($2::uuid, $3::uuid)
    order by workspace_id, id limit ${SUBJECTS_PER_SLICE}`;
  const [end] = await tx.query<Place>(
    `select workspace_id as "workspaceId", id from (${slice}) s order by workspace_id, id
     offset ${SUBJECTS_PER_SLICE - 1}`,
    [workspaceIds, workspaceId, id],
  );
  const subjects = await tx.query<LimitedSubject>(
    `with slice as materialized (${slice}), open as materialized (
       select distinct subject_id from alerts
       where workspace_id = any ($1) and subject_kind = '${kind}' and resolved_at is null
     )
     select s.workspace_id as "workspaceId", s.subject as id, s.name, held."limit", u.used,
       p.window_start as "windowStart", p.window_end as "windowEnd"
     from slice s
     join purses p on p.workspace_id = s.workspace_id and p.kind = '${kind}' and p.subject_id = s.id
       and p.period = s.period and p.window_start = case s.period
         when 'never' then to_timestamp(0) else date_trunc(s.period, now(), 'UTC') end
     cross join lateral (
       select p.spent_nano_usd - p.corrected_nano_usd + coalesce(sum(l.charged_nano_usd), 0)::bigint as used
       from leases l where l.purse_id = p.id
     ) u
     cross join lateral (select limit_now(p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until) as "limit") held
     where s.configured is not null and held."limit" > 0
       and (u.used::numeric * 100 >= held."limit"::numeric * $4::bigint
         or s.subject::text in (select subject_id from open))
     order by s.workspace_id, s.id`,
    [workspaceIds, workspaceId, id, percentMin],
  );
  return { subjects, end: end ?? null };
}

/** The least percentage that one of the rules is about. */
export function leastPercent(rules: readonly AlertRule[]): bigint {
  return rules.reduce((least, { threshold }) => {
    const percent = effectivePercent(threshold ?? 100n);
    return percent < least ? percent : least;
  }, 100n);
}

/** What the rules of its workspace find in a project, a key or a member. */
export function shareFindings(
  kind: LimitedKind,
  subject: LimitedSubject,
  rules: readonly AlertRule[],
): readonly Finding[] {
  const { workspaceId, id, limit, used } = subject;
  const about = rules.filter(({ subjectId }) => subjectId === null || subjectId === id);
  return about.flatMap((rule) => {
    const { threshold } = rule;
    if (threshold === null) return [];
    const finding: Finding = {
      workspaceId,
      ruleId: rule.id,
      subjectId: id,
      standing: standingOfShare(used, limit, threshold),
      crossing: () => crossingOf(kind, subject, threshold),
    };
    return [finding];
  });
}

function crossingOf(kind: LimitedKind, subject: LimitedSubject, percent: bigint): Crossing {
  const { id, name, limit, used, windowStart, windowEnd } = subject;
  const of = kind === 'project' ? 'budget' : kind === 'key' ? 'limit' : 'monthly limit';
  const whose = kind === 'member' ? 'their' : 'its';
  const share = percent === 100n ? `used up ${whose} ${of}` : `used ${percent} % of ${whose} ${of}`;
  const until = windowEnd === null ? '' : ` until ${windowEnd.toISOString().slice(0, 10)}`;
  return {
    subjectKind: kind,
    subjectId: id,
    subjectName: name,
    window: { start: windowStart, end: windowEnd },
    summary: `The ${kind} "${name}" has ${share}: ${roundUsd(used)} of ${roundUsd(limit)}${until}.`,
    value: used,
    limit,
  };
}
