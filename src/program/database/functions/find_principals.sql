-- Resolves keys to their holders by the SHA-256 of their secrets, those of rotated keys included as long as they hold. No
-- row: the key is unknown, disabled or revoked, or its project or workspace is archived or being closed. What became of a key whose
-- workspace lives in another cell is known there alone, so each of them has a row.
create or replace function find_principals(p_secrets bytea[])
returns table (
  ordinal integer,
  workspace_id uuid,
  project_id uuid,
  key_id uuid,
  project_models text[],
  key_models text[],
  expires_ms double precision,
  requests_per_minute bigint,
  tokens_per_minute bigint,
  concurrency bigint,
  budget_period text,
  reports_cost boolean,
  suspension_reason text,
  workspace_networks text[],
  key_networks text[],
  member_limit_id uuid,
  end_user_period text,
  limits_sessions boolean,
  model_when_spent text,
  moved_to text,
  is_paused boolean
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from least(k.expires_at, k.secret_expires_at)) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period,
      p.reports_cost, w.suspension_reason, a.allowed_networks, k.allowed_networks, m.id,
      case when p.end_user_limit_nano_usd is not null or exists (select from end_user_limits e where e.project_id = p.id)
        then p.end_user_period end,
      p.session_limit_nano_usd is not null,
      p.model_when_spent, w.moved_to, w.paused_at is not null
    from unnest(p_secrets) with ordinality as q (secret, number)
    cross join lateral (
      select x.*, null::timestamptz as secret_expires_at from keys x where x.secret_sha256 = q.secret
      union all
      select x.*, s.expires_at from former_secrets s
      cross join lateral (select * from keys y where y.id = s.key_id offset 0) x
      where s.secret_sha256 = q.secret
      offset 0
    ) k
    cross join lateral (select * from projects x where x.id = k.project_id offset 0) p
    cross join lateral (select * from workspaces x where x.id = k.workspace_id offset 0) w
    left join lateral (select * from workspace_access x where x.workspace_id = k.workspace_id offset 0) a on true
    left join lateral (
      select id from member_limits x
      where x.workspace_id = k.workspace_id and x.user_id = k.created_by and x.monthly_limit_nano_usd is not null
      offset 0
    ) m on true
    -- Apart, so that no index of what is not archived is read from end to end for it.
    where (k.revoked_at is null and k.disabled_at is null and p.archived_at is null and w.archived_at is null
      and w.closing_at is null) or w.moved_to is not null;
end $$;
