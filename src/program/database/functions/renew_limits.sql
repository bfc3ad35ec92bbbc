-- Brings the limits of brief purses up to what is set for them now. The caller has locked the purses.
create or replace function renew_limits(p_requests draw_request[]) returns void
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  update purses p set limit_nano_usd = q.limit_nano_usd, raised_limit_nano_usd = q.raised_limit_nano_usd,
      raised_until = q.raised_until, project_id = q.project_id
    from (
      select r.purse, r.project_id, s.* from unnest(p_requests) r
      cross join lateral served_limit(r.workspace_id, r.project_id, r.kind, r.subject_id) s
      where r.kind in ('end_user', 'session')
      offset 0
    ) q
    where p.id = any (array[q.purse])
      and (p.limit_nano_usd, p.raised_limit_nano_usd, p.raised_until, p.project_id)
        is distinct from (q.limit_nano_usd, q.raised_limit_nano_usd, q.raised_until, q.project_id);
end $$;
