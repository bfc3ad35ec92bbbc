-- Looks keys up, and makes the first draws of those purses and projects that this epoch has no lease of yet. An unknown key
-- draws nothing and locks nothing, and neither does a key whose workspace lives in another cell. What another transaction has
-- locked is drawn later, like any purse that the epoch has no lease of.
--   p_periods, p_starts, p_ends     the current windows, as the process sees them
--   p_sequence, p_ahead             of the draws of purses
--   p_permit_sequence, p_tokens     of the draws of permits: a request, a place and so many tokens for each key, and once
--                                   more, so that the first request leaves as much as it takes
--   p_members                       whether purses of members are drawn, which release 0.2.0 doesn't know
-- Sent again under the same numbers it returns the same draws.
create or replace function look_up_keys(
  p_epoch bigint, p_secrets bytea[],
  p_periods text[], p_starts timestamptz[], p_ends timestamptz[],
  p_sequence bigint, p_ahead bigint, p_permit_sequence bigint, p_tokens bigint,
  p_members boolean default false
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
  spending as (
    select * from found where moved_to is null
  ),
  passed as (
    select workspace_id, 'credit' as kind, workspace_id as subject_id, 'never' as period from spending
    union select workspace_id, 'project', project_id, budget_period from spending
    union select workspace_id, 'key', key_id, 'month' from spending
    union select workspace_id, 'member', member_limit_id, 'month' from spending
      where p_members and member_limit_id is not null
  ),
  limited as (
    select q.*, row_number() over () - 1 as ordinal
    from (
      select workspace_id, project_id, count(*) + 1 as most from spending
      where requests_per_minute is not null or tokens_per_minute is not null or concurrency is not null
      group by workspace_id, project_id
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
        p_sequence, 0, 0, '{}'::bigint[], p_ahead, true, null, null
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
        'target_requests', most, 'target_tokens', most * p_tokens, 'target_slots', most, 'needs', '[]'::jsonb
      ) order by ordinal)
      from limited
    )
    into principals, v_purses, v_projects;

  if v_projects is not null then
    select json_agg(json_build_object('project_id', v_projects -> d.ordinal ->> 'project_id', 'draw', d)) into permits
      from draw_permits(p_epoch, v_projects, null, false) d;
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
        'sequence', d.sequence::text,
        'raised_until_ms', extract(epoch from d.raised_until) * 1000
      )) into leases
      from draw(p_epoch, v_purses, false) d;
  end if;
  return next;
end $$;
