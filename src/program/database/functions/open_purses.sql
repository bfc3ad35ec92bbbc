-- Opens the purses that don't exist yet, except those that another transaction is opening or changing the limit of: the
-- lock makes such a change either visible here or wait for the new row.
create or replace function open_purses(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.spend_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'key'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select spend_limit_nano_usd, raised_limit_nano_usd, raised_until from keys k
      where k.id = q.subject_id and (k.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.budget_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'project'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select budget_nano_usd, raised_limit_nano_usd, raised_until from projects x
      where x.id = q.subject_id and (x.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.monthly_limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until
    from (
      select * from unnest(p_requests) where purse is null and kind = 'member'
      order by workspace_id, subject_id, period, window_start
    ) q
    cross join lateral (
      select monthly_limit_nano_usd, raised_limit_nano_usd, raised_until from member_limits m
      where m.id = q.subject_id and (m.workspace_id = q.workspace_id) is true
      for no key update skip locked
    ) s
    on conflict do nothing;
  -- A brief purse is opened once something is granted from it. Each draw renews its limit, so nothing is locked for that.
  insert into purses (workspace_id, kind, subject_id, period, window_start, window_end, limit_nano_usd, raised_limit_nano_usd, raised_until,
      project_id)
    select q.workspace_id, q.kind, q.subject_id, q.period, q.window_start, q.window_end, s.limit_nano_usd,
      s.raised_limit_nano_usd, s.raised_until, q.project_id
    from (
      select * from unnest(p_requests) where purse is null and kind in ('end_user', 'session')
      order by workspace_id, kind, subject_id, period, window_start
    ) q
    cross join lateral served_limit(q.workspace_id, q.project_id, q.kind, q.subject_id) s
    where q.keep > 0
      or exists (
        select from unnest(q.needs) as n (need)
        where n.need <= coalesce(limit_now(s.limit_nano_usd, s.raised_limit_nano_usd, s.raised_until), n.need)
      )
    on conflict do nothing;
end $$;
