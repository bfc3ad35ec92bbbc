-- A key that a process meets for the first time costs one round trip: who holds it, and the first draws of its purses and
-- of its project's permits.

-- Whom keys belong to, by the SHA-256 of their secrets. No row: no such key lives, because it is unknown or revoked, or
-- its project or workspace is archived.
create function find_principals(p_secrets bytea[])
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
  budget_period text
)
language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select (q.number - 1)::integer, k.workspace_id, k.project_id, k.id, p.models, k.models,
      (extract(epoch from k.expires_at) * 1000)::double precision,
      p.requests_per_minute::bigint, p.tokens_per_minute, p.concurrency::bigint, p.budget_period
    from unnest(p_secrets) with ordinality as q (secret, number)
    cross join lateral (
      select * from keys x where x.secret_sha256 = q.secret and x.revoked_at is null offset 0
    ) k
    cross join lateral (
      select * from projects x where x.id = k.project_id and x.archived_at is null offset 0
    ) p
    cross join lateral (select from workspaces x where x.id = k.workspace_id and x.archived_at is null offset 0) w;
end $$;

-- Looks keys up, and makes the first draws of what this epoch has no lease of yet. A key that nobody has draws nothing
-- and locks nothing.
--   p_periods, p_starts, p_ends     the windows that run now, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: one request, one place, and so many tokens
-- Sent again under the same numbers it tells again what it drew.
create function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint
) returns table (principals json, leases json, permits json)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_purses draw_request[];
  v_projects jsonb;
begin
  with found as materialized (
    select * from find_principals(p_secrets)
  ),
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from found
    union select workspace_id, 'project', project_id, budget_period from found
    union select workspace_id, 'key', key_id, 'month' from found
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select distinct workspace_id, project_id from found
      where requests_per_minute is not null or tokens_per_minute is not null or concurrency is not null
    ) q
    left join lateral (
      select true as has_stock from rate_leases x
      where x.workspace_id = q.workspace_id and x.project_id = q.project_id and x.epoch_id = p_epoch
        and (x.requests <> 0 or x.tokens <> 0 or x.slots <> 0 or x.running <> 0)
        and x.sequence <> p_permit_sequence
      offset 0
    ) s on true
    where s.has_stock is null
  )
  select
    (select json_agg(found) from found),
    (
      select array_agg(row(
        0, passed.workspace_id, passed.kind, passed.subject_id, passed.period, w.starts, w.ends,
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null
      )::draw_request)
      from passed join unnest(p_periods, p_starts, p_ends) as w (period, starts, ends) on w.period = passed.period
    ),
    (
      select jsonb_agg(jsonb_build_object(
        'ordinal', ordinal, 'workspace_id', workspace_id, 'project_id', project_id,
        'is_first', true, 'sequence', p_permit_sequence, 'taken', 0, 'running', 0,
        'stock_requests', 0, 'stock_tokens', 0, 'stock_slots', 0,
        'keep_requests', 0, 'keep_tokens', 0, 'keep_slots', 0,
        'returned_requests', 0, 'returned_tokens', 0,
        'target_requests', 1, 'target_tokens', p_tokens, 'target_slots', 1, 'needs', '[]'::jsonb
      ) order by ordinal)
      from limited
    )
    into principals, v_purses, v_projects;

  if v_projects is not null then
    select json_agg(json_build_object('project_id', v_projects -> d.ordinal ->> 'project_id', 'draw', d)) into permits
      from draw_permits(p_epoch, v_projects) d;
  end if;
  v_purses := array(
    select q from unnest(find_purses(v_purses)) q
    left join lateral (
      select x.sequence from leases x where x.epoch_id = p_epoch and x.purse_id = q.purse offset 0
    ) l on true
    where l.sequence is null or l.sequence = p_sequence
  );
  if v_purses <> '{}' then
    select json_agg(json_build_object(
        'subject_id', d.subject_id,
        'purse_id', d.purse_id::text,
        'limit_nano_usd', d.limit_nano_usd::text,
        'spent_by_others_nano_usd', d.spent_by_others_nano_usd::text,
        'available_nano_usd', d.available_nano_usd::text,
        'granted_nano_usd', d.granted_nano_usd::text,
        'open', d.open,
        'mode', d.mode,
        'mode_number', d.mode_number::text,
        'sequence', d.sequence::text
      )) into leases
      from draw(p_epoch, v_purses) d;
  end if;
  return next;
end $$;
